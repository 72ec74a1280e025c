"""Schema inference, its one pass: a mergeable survey of raw rows that tells what the columns and the target are."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from suffice.schema import Chunk, Coded, ColumnProfile, Profile
from suffice.sources.engines.raw_rows import RawRows
from suffice.sources.reader import CHUNK_ROWS, WHOLE
from suffice.sources.targets.labels import Labels, counting_rows
from suffice.statistics.statistic import both

STREAMED_ROWS = 2 * CHUNK_ROWS  # surveyed at a time, in threads; rows in memory are surveyed in one piece


@dataclass(frozen=True)
class Survey:
    """What the rows that count hold, and how many others there are."""

    rows: int = 0  # all of them
    without_target: int = 0
    profile: Profile | None = None  # of the rows that count; None where there are none
    target: ColumnProfile | None = None

    def merge(self, other: Survey) -> Survey:
        """The survey of both sets of rows."""
        return Survey(
            self.rows + other.rows,
            self.without_target + other.without_target,
            both(self.profile, other.profile),
            both(self.target, other.target),
        )


@dataclass(frozen=True)
class Surveying:
    """Surveys a chunk; columns named in `nominal` are read as levels whatever their type."""

    labels: Labels
    nominal: tuple[str, ...]
    whole: int | None = None  # how many rows the whole table has: a chunk of so many need not merge, and costs less
    passes_over: bool = False  # columns that cannot be read, in silence

    def __call__(self, chunk: Chunk) -> Survey:
        """The survey of a chunk."""
        return self.with_rows(chunk)[0]

    def with_rows(self, chunk: Chunk) -> tuple[Survey, Chunk]:
        """The survey of a chunk, and its rows that count, with their target and weights."""
        labelled = self.labels.of(replace(chunk, refused={}) if self.passes_over else chunk)
        counting = counting_rows(labelled)
        target = labelled.target
        without = 0 if target is None else int(np.count_nonzero(target.is_missing))
        if not counting.rows:
            return Survey(labelled.rows, without), counting
        profile = Profile.of(counting, self.nominal, labelled.rows == self.whole)
        found = counting.target
        is_levels = isinstance(found, Coded) and not self.labels.numeric_target
        kind = None if found is None else ColumnProfile.of(found, as_levels=is_levels)
        return Survey(labelled.rows, without, profile, kind), counting


def surveyed(engine: RawRows, labels: Labels, nominal: Collection[str], passes_over: bool = False) -> Survey:
    """One pass over all rows; columns that cannot be read are an error, or passed over."""
    work = Surveying(labels, tuple(nominal), engine.rows, passes_over)
    read = engine.in_chunks(STREAMED_ROWS if engine.rows is None else WHOLE)
    return read.only(labels.needed(engine.names)).reduce(work) or Survey()
