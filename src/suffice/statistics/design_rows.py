"""Rows under a design as a sparse matrix: for a single row, or the few that a linear program looks at."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from suffice.schema import Batch
from suffice.statistics.design import Design
from suffice.statistics.design_block import fill_dense, find_places, terms_of


def design_rows(design: Design, batch: Batch) -> csr_matrix:
    """The rows of a batch in the design's dimensions."""
    terms = terms_of(design)
    dense = np.empty((batch.rows, terms.dense_count))
    places = np.empty((batch.rows, len(terms.coded)), dtype=np.int32)
    fill_dense(terms, np.ascontiguousarray(batch.numeric), 0, dense)
    find_places(terms, np.ascontiguousarray(batch.codes), 0, places)
    row, term = np.nonzero(places >= 0)
    used = design.used_dense
    values = np.concatenate([dense[:, used].ravel(), dense[row, terms.factors[term]]])
    rows = np.concatenate([np.repeat(np.arange(batch.rows), len(used)), row])
    columns = np.concatenate([np.tile(np.arange(len(used)), batch.rows), places[row, term]])
    return csr_matrix((values, (rows, columns)), shape=(batch.rows, design.dimensions))
