"""Schema inference of a training table: columns as types declare them, or as one scan finds; and what is refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from suffice.errors import (
    Formula,
    Message,
    NoColumnError,
    Setting,
    SufficeWarning,
    TableError,
    UnreadTextWarning,
    joined,
    warn_user,
)
from suffice.schema import LeftOut, Nominal, Numeric, Profile, Schema, Target, Values
from suffice.schema.column_notes import target_notes
from suffice.schema.columns import united_levels
from suffice.schema.disguise_notes import target_note
from suffice.schema.left_out import DROPPED, TEXT
from suffice.schema.profile import TextColumns, target_column
from suffice.schema.spelling import Content, content_of_numbers
from suffice.shown import quoted
from suffice.sources.engines.local import Local
from suffice.sources.engines.raw_rows import RawRows
from suffice.sources.readers.frames.array import ArrayReader
from suffice.sources.reading import Reading
from suffice.sources.targets.labels import Labels
from suffice.sources.targets.target import coded_target, require_no_fractions, written_differently
from suffice.sources.training.survey import Survey

MOST_REASONS = 5  # of columns that are left out, in an error


def declared_schema(engine: RawRows, labels: Labels, reading: Reading) -> tuple[Schema, int] | None:
    """What the columns are and how many rows count, where types declare everything; else None."""
    if not isinstance(engine, Local) or not _declares_everything(engine, reading):
        return None
    target, rows = _declared_target(engine, labels)
    columns = tuple(Numeric(name) for name in labels.used(engine.names))
    return Schema(columns, target, as_left_out(reading.drop), target_notes(target)), rows


def training_schema(survey: Survey, names: tuple[str, ...], labels: Labels, reading: Reading) -> tuple[Schema, int]:
    """What the columns are that were surveyed, and how many rows count."""
    profile, target, notes = found_schema(survey, labels)
    texts = TextColumns(reading.text, reading.levels_or_text) if reading.reads_text else None
    schema = profile.schema(target, labels.used(names), reading.keep, texts)
    left_out = (*as_left_out(reading.drop), *schema.left_out)
    return replace(schema, left_out=left_out, notes=(*notes, *schema.notes)), profile.rows


def as_left_out(dropped: Iterable[str]) -> tuple[LeftOut, ...]:
    """Columns that the user leaves out."""
    return tuple(LeftOut.because(DROPPED, name) for name in dict.fromkeys(dropped))


def dropped_columns(schema: Schema) -> tuple[str, ...]:
    """The columns that were left out because the user said so."""
    return tuple(left_out.name for left_out in schema.left_out if left_out.kind == DROPPED)


def with_declared_classes(schema: Schema, classes: Any) -> Schema:
    """The schema with the classes that no row may have yet, where some are named."""
    if classes is None:
        return schema
    declared = Nominal(schema.target.name, coded_target(classes).levels)
    return schema.with_target(united_levels(schema.nominal_target, declared))


def _declares_everything(engine: Local, reading: Reading) -> bool:
    """A numeric array with its target beside it needs no scan."""
    if engine.target is None or reading.nominal or not isinstance(engine.reader, ArrayReader):
        return False
    chunk = next(engine.reader.chunks(1), None)
    return chunk is not None and chunk.matrix is not None and chunk.matrix.dtype.kind == "f"


def _declared_target(engine: Local, labels: Labels) -> tuple[Target, int]:
    """The target beside a table and the rows that count; only classes that have rows with weight do."""
    name, target, weights = labels.target_name, engine.target, engine.weights
    assert target is not None
    assert engine.rows is not None
    engine.require_length(engine.rows)
    if isinstance(target, Values):
        content = content_of_numbers(target.data, target.time)
        return Numeric(name, target.time, content in (Content.WHOLE, Content.DATE)), len(target)
    if weights is None:
        return Nominal(name, target.levels), len(target)
    counting = target.codes[weights > 0]
    return Nominal(name, tuple(target.levels[code] for code in np.unique(counting))), len(counting)


def found_schema(survey: Survey, labels: Labels) -> tuple[Profile, Target, tuple[str, ...]]:
    """What a survey found of the columns and of the target, with what is to be said of it."""
    if survey.profile is None or survey.target is None:
        raise _nothing_to_learn(survey.rows, survey.without_target, _what(labels))
    name = labels.target_name
    target = target_column(survey.target, name, labels.is_text)
    if isinstance(target, Nominal) and labels.numeric_target:
        if survey.target.writing.plain is not Content.LARGE:
            raise written_differently(name)
        target = Numeric(name)  # as classes they would be told apart; to predict, the nearest floats do
    if isinstance(target, Nominal):
        require_no_fractions(target.levels)
        return survey.profile, target, ()
    return survey.profile, target, target_note(target, survey.target.writing)


def _nothing_to_learn(rows: int, without_target: int, what: str) -> TableError:
    if rows and without_target < rows:
        return TableError("All weights are zero, so no row counts. Give at least some rows a weight above zero.")
    reason = f"the target is missing in all {rows} rows" if rows else "the table has no rows"
    return TableError(
        Message(
            Formula(f"Found array with 0 sample(s) with a {what} (a minimum of 1 is required): "),
            f"{reason}. Check the file, the filter that made the table, and the target.",
        )
    )


def require_training_schema(schema: Schema) -> None:
    """A model is learned from at least one column, and a classifier from at least two classes."""
    if isinstance(schema.target, Nominal) and schema.class_count < 2:
        only = f"one class only, {schema.classes[0]!r}" if schema.classes else "no class"
        raise TableError(
            f"The target has {only}. A classifier needs rows of at least 2 classes; check the target column."
        )
    if not schema.columns:
        texts = [left_out.name for left_out in schema.left_out if left_out.kind == TEXT]
        if texts:
            reason = f"{quoted(texts)} {'hold' if len(texts) > 1 else 'holds'} text"
            raise NoColumnError(
                f"No column is left to learn from: {reason}, which this model does not read. NaiveBayes and "
                "LogisticRegression do.",
                reason,
            )
        nothing = "no column is left to learn from"
        advice = (
            Message("Take columns out of ", Setting("drop"), ".")
            if dropped_columns(schema)
            else _why_left_out(schema)
            if schema.left_out
            else "Give a table with columns beside the target."
        )
        raise NoColumnError(
            Message(Formula("Found array with 0 feature(s) (a minimum of 1 is required): "), f"{nothing}. ", advice),
            nothing,
        )


def _why_left_out(schema: Schema) -> Message:
    """Every column that is left out with its reason, what else was noted of it, and how to use it all the same."""
    some = schema.left_out[:MOST_REASONS]
    reasons = joined("; ", (Message(f"{left_out.name!r} ", left_out.reason) for left_out in some))
    more = len(schema.left_out) - len(some)
    noted = [note for note in schema.notes if any(note.startswith(repr(left_out.name)) for left_out in some)]
    kept = Setting("keep", [left_out.name for left_out in some])
    end = f"; and {more:,} more are alike. " if more else ". "
    those = "them" if len(some) > 1 else "it"
    return joined(
        "", [reasons, end, *(joined("", [note, " "]) for note in noted), Message(kept, f" uses {those} after all.")]
    )


def warn_of_left_out(schema: Schema) -> None:
    """Name the columns that are not used, although nobody said so."""
    for left_out in schema.left_out:
        if left_out.kind == DROPPED:
            continue
        is_text = left_out.kind == TEXT
        use = "reads every text as a level of its own" if is_text else "uses it after all"
        kept = Setting("keep", [left_out.name])
        said = Message(f"Column {left_out.name!r} is left out: it ", left_out.reason, ". ", kept, f" {use}.")
        warn_user(said, UnreadTextWarning if is_text else SufficeWarning)


def warn_of_rows_without_target(survey: Survey, labels: Labels) -> None:
    """Say how many rows are left out because they have no target."""
    count = survey.without_target
    if count:
        warn_user(
            f"{count} of {survey.rows} rows {'has' if count == 1 else 'have'} no {_what(labels)} "
            f"({labels.target_name!r} is missing there) and {'is' if count == 1 else 'are'} left out. Fill the target "
            "in, or take these rows out of the table."
        )


def _what(labels: Labels) -> str:
    return "value" if labels.numeric_target else "class"
