"""Schema and statistic in one pass: rows are measured under the schema that the first of them suggest.

The pass finds the schema of all rows besides. Where it is the one that was guessed, so are the batches that were
measured, and no second pass is needed; where it is another, what was measured does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from suffice.errors import SufficeError
from suffice.schema import Batch, Chunk, Encoder
from suffice.sources.engines.raw_rows import RawRows
from suffice.sources.rows import Rows
from suffice.sources.source import R
from suffice.sources.table import Table
from suffice.sources.training.survey import Survey, Surveying
from suffice.sources.training.training_table import OpenedTable, SchemaRules
from suffice.statistics.statistic import M, Measurement, Together, aligned, both

Choosing = Callable[[Rows], Measurement[Together]]
"""What to measure of a table, of which only the first rows may be looked at."""


@dataclass(frozen=True)
class Measuring:
    """What to measure, and the functions of the first batch by which it is chosen, unless that takes all rows."""

    chosen: Choosing
    looks: tuple[Callable[[Batch], Any], ...] = ()
    needs_all_rows: bool = False


def measured(opened: OpenedTable | Rows, measuring: Measuring) -> tuple[Rows, Together]:
    """A table and its statistic, in one pass where each would read the rows anew and the first tell what to measure."""
    if not isinstance(opened, OpenedTable) or not opened.engine.is_streamed or measuring.needs_all_rows:
        table = opened.table()
        return table, table.measure(measuring.chosen(table))
    rules = opened.rules
    surveying = Surveying(rules.labels, rules.as_levels)
    reading = opened.engine.begun(rules.labels.needed(opened.engine.names))
    guess = None if reading is None else _guess(reading, surveying, rules, measuring)
    travels = None if guess is None else guess.work
    found = None if reading is None else reading.reduce(SurveyAndMeasure(surveying, travels))
    table = opened.surveyed(Survey() if found is None else found.survey)
    if guess is not None and found is not None and found.statistic is not None and guess.holds(table, measuring.chosen):
        return table, aligned(found.statistic, table.schema)
    return table, table.measure(measuring.chosen(table))


class NeedsAllRowsError(SufficeError):
    """What to measure cannot be told from the first rows."""


@dataclass(frozen=True)
class FirstRows(Table):
    """A table of which only the first rows are known, under the schema that they suggest; looks are remembered."""

    looks: dict[Any, Any] = field(default_factory=dict, compare=False)

    def first(self, work: Callable[[Batch], R]) -> R | None:
        """A function of the first batch."""
        if work not in self.looks:
            self.looks[work] = super().first(work)
        found: R | None = self.looks[work]
        return found

    def measure(self, measurement: Measurement[M]) -> NoReturn:
        """Not yet."""
        raise NeedsAllRowsError

    def map(self, work: Callable[[Batch], R]) -> NoReturn:
        """Not yet."""
        raise NeedsAllRowsError


@dataclass(frozen=True)
class Guess:
    """What the first rows suggest: a schema, and what to measure under it."""

    rows: FirstRows
    work: EncodeAndMeasure

    def holds(self, table: Rows, chosen: Choosing) -> bool:
        """Whether the same would be measured of the same batches, now that the schema and the rows are known."""
        known = replace(self.rows, rows=table.rows)
        guessed, found = known.schema, table.schema
        is_read_alike = guessed.target == found.target and guessed.has_columns_of(found)
        return is_read_alike and chosen(known) == self.work.measurement


# The pass -----------------------------------------------------------------------------------------------------------


def _guess(engine: RawRows, surveying: Surveying, rules: SchemaRules, measuring: Measuring) -> Guess | None:
    """What to measure, under which schema; None where the first rows do not tell: a class alone, say."""
    try:
        first = engine.first(SurveyAndLook(engine.names, surveying, rules, measuring.looks))
        if first is None:
            return None
        schema, _ = rules.schema(first.survey, engine.names)
        if schema.text:  # whose words are kept between passes
            return None
        rows = FirstRows(engine, rules.labels.as_written(schema.target), schema, looks=first.looks)
        return Guess(rows, EncodeAndMeasure(Encoder(schema), measuring.chosen(rows)))
    except SufficeError:
        return None


@dataclass(frozen=True)
class FirstLook:
    """The survey of the first chunk, and what some functions give of its batch."""

    survey: Survey
    looks: dict[Any, Any]


@dataclass(frozen=True)
class SurveyAndLook:
    """Surveys the first chunk and looks at it, where it is: to go there once more would cost as much as a pass."""

    names: tuple[str, ...]
    surveying: Surveying
    rules: SchemaRules
    looks: tuple[Callable[[Batch], Any], ...]

    def __call__(self, chunk: Chunk) -> FirstLook:
        """Both; no looks at rows that are no table to learn from."""
        survey, counting = self.surveying.with_rows(chunk)
        if not self.looks:
            return FirstLook(survey, {})
        try:
            schema, _ = self.rules.schema(survey, self.names)
            batch = Encoder(schema).encode(counting)
            return FirstLook(survey, {look: look(batch) for look in self.looks})
        except SufficeError:
            return FirstLook(survey, {})


@dataclass(frozen=True)
class SurveyWithStatistic:
    """The survey of some rows, and their statistic as long as none of them speaks against the guess."""

    survey: Survey
    statistic: Together | None
    is_contradicted: bool

    def merge(self, other: SurveyWithStatistic) -> SurveyWithStatistic:
        """The same of both sets of rows."""
        is_contradicted = self.is_contradicted or other.is_contradicted
        statistic = None if is_contradicted else both(self.statistic, other.statistic)
        return SurveyWithStatistic(self.survey.merge(other.survey), statistic, is_contradicted)


@dataclass(frozen=True)
class EncodeAndMeasure:
    """The part of a guess that goes to where the rows are."""

    encoder: Encoder
    measurement: Measurement[Together]

    def __call__(self, counting: Chunk) -> Together:
        """The statistic of a chunk, in which no level is beyond the schema."""
        batch = self.encoder.encode(counting)
        if batch.unknown.levels:
            raise NeedsAllRowsError
        return self.measurement.of(batch)


@dataclass(frozen=True)
class SurveyAndMeasure:
    """Surveys a chunk and measures it under a guess; after one that is beyond it no other is measured here."""

    surveying: Surveying
    guessed: EncodeAndMeasure | None
    contradictions: list[SufficeError] = field(default_factory=list, compare=False)

    def __call__(self, chunk: Chunk) -> SurveyWithStatistic:
        """Both of one chunk."""
        survey, counting = self.surveying.with_rows(chunk)
        if self.guessed is None or self.contradictions:
            return SurveyWithStatistic(survey, None, True)
        if not counting.rows:
            return SurveyWithStatistic(survey, None, False)
        try:
            return SurveyWithStatistic(survey, self.guessed(counting), False)
        except SufficeError as error:  # also of the rows themselves: a pass of its own then says it
            self.contradictions.append(error)
            return SurveyWithStatistic(survey, None, True)
