"""What a comparison remarks on the table: text, the number of folds, test rows that were seen in training."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import reduce

import numpy as np

from suffice.errors import Message, Setting, SufficeWarning
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.held_out_table import HeldOutTable
from suffice.evaluation.cross_validation.trial import USUAL_FOLDS
from suffice.schema.left_out import READS_NO_TEXT
from suffice.shown import quoted
from suffice.solve.folds import KeyRows
from suffice.sources import Reading, Rows


def text_some_leave_out(opened: Mapping[Reading, Rows]) -> tuple[str, ...]:
    """Columns of text, which some of the models read and others do not."""
    read = {column.name for table in opened.values() for column in table.schema.text}
    without = [table for reading, table in opened.items() if not reading.reads_text]
    names = dict.fromkeys(left.name for table in without for left in table.schema.left_out if left.name in read)
    return tuple(f"{name!r} {READS_NO_TEXT}; the other models leave it out" for name in names)


def empty_columns(opened: Mapping[Reading, Rows]) -> tuple[str, ...]:
    """Columns in which nobody has a value, so that no model learns from them."""
    names = [column.name for column in next(iter(opened.values())).schema.empty]
    if not names:
        return ()
    have, say = ("has", "says") if len(names) == 1 else ("have", "say")
    return (f"{quoted(names)} {have} no value in any row and {say} nothing",)


def fewer_folds(dealing: Dealing) -> tuple[str, ...]:
    """Where a table has so many rows that fewer folds than usual tell as much."""
    rows = 0 if dealing.shared is None else len(dealing.shared.folds)
    if dealing.count >= USUAL_FOLDS or rows < USUAL_FOLDS:
        return ()
    said = f"{rows:,} rows are dealt to {dealing.count} folds, not {USUAL_FOLDS}, which would take longer: "
    return (Message(said, Setting("folds", USUAL_FOLDS)),)


def rows_seen_before(test: HeldOutTable, opened: Mapping[Reading, Rows]) -> tuple[str, ...]:
    """Test rows that the models are trained on; of rows that are elsewhere, none."""
    reading, source = next(iter(opened.items()))
    if not source.is_here:
        return ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)  # of what is read so, the models warn
        shared, rows = _shared_rows(source, test.under(source, reading))
    if not shared:
        return ()
    said = "row of the test table is" if shared == 1 else f"of the {rows:,} rows of the test table are"
    return (f"{shared:,} {said} in the training table too, with the same values: the models have seen the answer",)


def _shared_rows(train: Rows, test: Rows) -> tuple[int, int]:
    """How many test rows are rows of the training table too, in every column and the target; and how many there are."""
    keyed = KeyRows(seed=0)
    trained = reduce(np.union1d, train.map(keyed.keys))
    found = [(int(np.isin(keys, trained).sum()), len(keys)) for keys in test.map(keyed.keys)]
    return sum(shared for shared, _ in found), sum(rows for _, rows in found)
