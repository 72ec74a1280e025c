"""A stated joint table: checked, and its values as levels in the order in which they are named."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from suffice.errors import TableError
from suffice.models.joint_table import JointTable
from suffice.schema import EVERY_RECORD, Array, Level, Nominal, Schema
from suffice.solve.stated_probabilities import stated_probabilities
from suffice.statistics.joint_counts import distinct_rows


def stated_table(names: Sequence[str], records: Sequence[Sequence[Level]], probability: Array) -> JointTable:
    """P(record) as stated: at least 0, adding up to 1, each record once."""
    for record in records:
        if len(record) != len(names):
            raise TableError(f"{tuple(record)!r} has {len(record)} values for {len(names)} variables.")
    probability = stated_probabilities(map(tuple, records), probability)
    levels = [tuple(dict.fromkeys(record[j] for record in records)) for j in range(len(names))]
    cells = np.array(
        [[own.index(value) for own, value in zip(levels, record, strict=True)] for record in records], dtype=np.int32
    ).reshape(len(records), len(names))
    distinct, place = distinct_rows(cells)
    if len(distinct) < len(cells):
        twice = int(np.flatnonzero(np.bincount(place)[place] > 1)[0])
        raise TableError(f"{tuple(records[twice])!r} is stated twice. State every combination once.")
    columns = tuple(Nominal(name, own) for name, own in zip(names, levels, strict=True))
    schema = Schema(columns, EVERY_RECORD)
    ordered: Array = np.bincount(place, probability).astype(np.float64)
    is_possible = ordered > 0
    return JointTable(schema, (), distinct[is_possible], ordered[is_possible], None)
