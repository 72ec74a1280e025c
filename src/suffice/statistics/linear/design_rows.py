"""The model matrix of some rows, sparse: of texts; of a single row; of the few that a linear program looks at."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array, csr_matrix, hstack

from suffice.kernels.terms import read_rows
from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.statistics.linear.design import Design


def design_rows(design: Design, batch: Batch) -> csr_matrix:
    """The model matrix of a batch (row, dimension), sparse."""
    dense, row, column, value = _cells(design, batch)
    count = dense.shape[1]
    values = np.concatenate([dense.ravel(), value])
    rows = np.concatenate([np.repeat(np.arange(batch.rows), count), row])
    columns = np.concatenate([np.tile(np.arange(count), batch.rows), column])
    found = csr_matrix((values, (rows, columns)), shape=(batch.rows, design.first_text))
    return csr_matrix(hstack([found, word_rows(design, batch)], format="csr")) if design.vocabularies else found


def dense_rows(design: Design, batch: Batch) -> Array:
    """The same as an array, for designs without texts."""
    dense, row, column, value = _cells(design, batch)
    found = np.zeros((batch.rows, design.dimensions))
    found[:, : dense.shape[1]] = dense
    found[row, column] = value
    return found


def dense_and_places(design: Design, batch: Batch) -> tuple[Array, Codes]:
    """(row, dense term) its value, and (row, coded term) its dimension, or -1 where it has no weight."""
    terms = design.terms
    dense, places = np.empty((batch.rows, terms.dense_count)), np.empty((batch.rows, len(design.coded)), dtype=np.int32)
    read_rows(terms, np.ascontiguousarray(batch.numeric), np.ascontiguousarray(batch.codes), dense, places)
    return dense, places


def _cells(design: Design, batch: Batch) -> tuple[Array, AnyArray, AnyArray, Array]:
    """The first dimensions, which every row has; of the others row, dimension and value of what is not 0."""
    dense, places = dense_and_places(design, batch)
    factors = np.asarray(design.terms.factors)
    row, term = np.nonzero(places >= 0)
    return dense[:, design.used_dense], row, places[row, term], dense[row, factors[term]]


def word_rows(design: Design, batch: Batch) -> csr_array:
    """The words of a batch's texts in the dimensions of texts: 1 where a word is there, of a matrix its number."""
    first, count = design.first_text, design.dimensions - design.first_text
    total = csr_array((batch.rows, count))
    for position, (bags, place_of) in enumerate(zip(batch.texts, design.word_places, strict=True)):
        where = np.fromiter((place_of.get(word, -1) for word in bags.words), np.int64, len(bags.words))
        known = np.flatnonzero(where >= 0)
        spread = csr_array(
            (np.ones(len(known)), (known, where[known] - first)), shape=(len(bags.words), count)
        )  # moves words to their dimensions
        total = total + bags.matrix(is_counted=design.schema.text[position].width > 0) @ spread
        missing = int(design.places[design.text_starts[position]])
        if missing >= 0:
            lacking = np.flatnonzero(bags.is_missing)
            shape = (batch.rows, count)
            total = total + csr_array((np.ones(len(lacking)), (lacking, np.full(len(lacking), missing - first))), shape)
    return csr_array(total)


def word_scores(design: Design, batch: Batch, weights: Array) -> Array:
    """The words' part of the linear predictors (row, class), for weights (class, dimension)."""
    found: Array = word_rows(design, batch) @ weights[:, design.first_text : design.dimensions].T
    return found
