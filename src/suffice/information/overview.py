"""A table at a glance: its columns, their types, levels and gaps; one pass over a file of any size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, islice
from typing import Any

import numpy as np

from suffice.errors import Message, TableError
from suffice.report.text import text_table
from suffice.schema import Chunk, ColumnProfile, LeftOut, Level, Nominal, Numeric, Profile, RawColumn, Values
from suffice.schema.chunk import table_of_numbers
from suffice.schema.column_profile import MOST_LEVELS
from suffice.schema.profile import TextColumns
from suffice.schema.times import time_text
from suffice.shown import ShownAsText, counted, percent, places
from suffice.sources import Reading
from suffice.sources.missing_spellings import blanked
from suffice.sources.open import opened
from suffice.sources.reading import named_in, require_columns
from suffice.sources.source import is_source

GAP = 2
WIDTH = 100
FEWEST_LETTERS, MOST_LETTERS = 16, 120


@dataclass(frozen=True)
class Bounds:
    """How many values of a column are missing, and from where to where its numbers go."""

    missing: int = 0
    low: float = np.inf
    high: float = -np.inf

    @classmethod
    def of(cls, column: RawColumn) -> Bounds:
        """Look through one column of a chunk."""
        if not isinstance(column, Values):
            return cls(int(np.count_nonzero(np.asarray(column.codes) < 0)))
        known = column.data[~np.isnan(column.data)]
        missing = len(column.data) - len(known)
        return cls(missing, float(known.min()), float(known.max())) if len(known) else cls(missing)

    @classmethod
    def of_levels(cls, levels: Mapping[Level, int], column: Numeric) -> Bounds:
        """The same of text that spells the numbers of a column; words may say that there is none."""
        texts = tuple(level for level in levels if isinstance(level, str))
        numbers = table_of_numbers(texts, column)[:-1]
        missing = sum(levels[text] for text, number in zip(texts, numbers, strict=True) if np.isnan(number))
        known = numbers[~np.isnan(numbers)]
        return cls(missing, float(known.min()), float(known.max())) if len(known) else cls(missing)

    def merge(self, other: Bounds) -> Bounds:
        """The bounds of both sets of rows."""
        return Bounds(self.missing + other.missing, min(self.low, other.low), max(self.high, other.high))


@dataclass(frozen=True)
class Contents:
    """What the columns hold."""

    profile: Profile
    bounds: Mapping[str, Bounds]

    def merge(self, other: Contents) -> Contents:
        """The contents of both sets of rows."""
        bounds = {name: mine.merge(other.bounds[name]) for name, mine in self.bounds.items()}
        return Contents(self.profile.merge(other.profile), bounds)


@dataclass(frozen=True)
class ReadContents:
    """Reads what a chunk holds; columns named in `nominal` are read as levels whatever their type."""

    nominal: tuple[str, ...]
    missing_values: tuple[Level, ...]

    def __call__(self, chunk: Chunk) -> Contents:
        """The contents of a chunk."""
        chunk = blanked(chunk, self.missing_values) if self.missing_values else chunk
        return Contents(Profile.of(chunk, self.nominal), {name: Bounds.of(chunk.column(name)) for name in chunk.names})


@dataclass(frozen=True)
class ColumnOverview:
    """One line of the overview."""

    name: str
    kind: str  # numeric, nominal, text or time
    missing: int
    levels: tuple[Level, ...] | None  # of a nominal column; None where there are none, or more than a million
    distinct: int | None  # how many levels or different whole numbers, or, past a million texts, that many
    low: float | None
    high: float | None
    time: str = ""  # the kind of time
    words: float = 0.0  # in a text, on average

    def values(self, width: int) -> str:
        """What the column holds, in at most so many letters; levels that found no room are marked by …"""
        if self.kind == "text":
            texts = "more than a million" if self.distinct is None else f"{self.distinct:,}"
            return shortened(f"{texts} texts of about {self.words:.0f} words: {(self.levels or [''])[0]}", width)
        if self.kind == "nominal":
            return shortened(self._levels(width), width)
        if self.low is None or self.high is None:
            return "no value" if self.distinct is None else f"more than {MOST_LEVELS:,} different texts"
        if self.low == self.high:
            return f"always {self._number(self.low)}"
        extent = f"{self._number(self.low)} to {self._number(self.high)}"
        return shortened(f"{extent}, {self.distinct:,} different" if self.distinct else extent, width)

    def _levels(self, width: int) -> str:
        if self.levels is None:
            return "more than a million levels"
        if not self.levels:
            return "no value"
        start = f"{counted(len(self.levels), 'level')}: "
        some = self.levels[: width // 2 + 1]  # a level takes at least one letter and a comma
        return start + ", ".join(repr(level) if "," in str(level) else str(level) for level in some)

    def _number(self, number: float) -> str:
        return time_text(number, self.time) if self.time else f"{number:.10g}"


@dataclass(frozen=True, repr=False)
class Overview(ShownAsText):
    """A table at a glance."""

    rows: int
    columns: tuple[ColumnOverview, ...]
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]

    @property
    def remarks(self) -> list[str]:
        """The columns a model would leave out, and what else is worth knowing."""
        left_out = (Message(f"{gone.name!r} would be left out: it ", gone.reason) for gone in self.left_out)
        return [*left_out, *self.notes]

    def as_dict(self) -> dict[str, Any]:
        """All of it in names and numbers."""
        columns = [
            {
                "name": column.name,
                "type": column.kind,
                "missing": column.missing,
                "distinct": column.distinct,
                "levels": column.levels,
                "low": column.low,
                "high": column.high,
            }
            for column in self.columns
        ]
        return {"rows": self.rows, "columns": columns, "left_out": {gone.name: gone.reason for gone in self.left_out}}

    @property
    def size(self) -> str:
        """How many rows and columns there are, in words."""
        return f"{counted(self.rows, 'row')}, {counted(len(self.columns), 'column')}"

    def __str__(self) -> str:
        """Every column on a line, and the remarks."""
        return "\n".join([self.size, "", as_text(self, WIDTH), *(["", *self.remarks] if self.remarks else [])])


def overview(table: Any, nominal: Any = None, missing_values: Any = None) -> Overview:
    """A table at a glance: one line for every column, and what is worth knowing; one pass over a file of any size.

    >>> import suffice as sf
    >>> found = sf.overview(sf.datasets.load("play_tennis"))
    >>> print(found)
    14 rows, 5 columns
    <BLANKLINE>
    column       type     missing  values
    -----------  -------  -------  -------------------------------
    Outlook      nominal           3 levels: Overcast, Rain, Sunny
    Temperature  nominal           3 levels: Cool, Hot, Mild
    Humidity     nominal           2 levels: High, Normal
    Wind         nominal           2 levels: Strong, Weak
    PlayTennis   nominal           2 levels: No, Yes
    >>> found.rows, found.columns[0].values(width=40)
    (14, '3 levels: Overcast, Rain, Sunny')
    >>> found.columns[0].values(width=20)
    '3 levels: Overcast,…'
    """
    if is_source(table):
        raise TableError(
            "A source has been read already, and knows no more of its columns than its schema. Give the table that it "
            "was made of: the file, the frame or the array."
        )
    reading = Reading.of(nominal, missing_values, None, None)
    engine = opened(table, reading.missing_values)
    names = engine.names
    reading = reading.named(names)
    require_columns(named_in("nominal"), reading.nominal, names)
    found = engine.reduce(ReadContents(reading.nominal, reading.missing_values))
    if found is None or not found.profile.rows:
        nothing = tuple(ColumnOverview(name, "unknown", 0, None, None, None, None) for name in names)
        return Overview(0, nothing, (), ("the table has no rows",))
    profile = found.profile
    schema = profile.schema(Nominal("", ()), names, texts=TextColumns())
    mark = profile.decimal_mark
    columns = tuple(_column(name, profile.columns[name], found.bounds[name], mark) for name in names)
    return Overview(profile.rows, columns, schema.left_out, schema.notes)


def as_text(found: Overview, width: int) -> str:
    """The overview as a table no wider than `width`, where that is possible."""
    missing = [_share(column.missing, found.rows) for column in found.columns]
    kinds = max([len("numeric"), *(len(column.kind) for column in found.columns)])
    taken = kinds + max([len("missing"), *map(len, missing)]) + 3 * GAP
    longest = max([len("column"), *(places(column.name) for column in found.columns)])
    names = max(min(longest, width - taken - FEWEST_LETTERS), FEWEST_LETTERS)
    values = min(max(width - taken - names, FEWEST_LETTERS), MOST_LETTERS)
    rows = [
        [shortened(column.name, names), column.kind, share, column.values(values)]
        for column, share in zip(found.columns, missing, strict=True)
    ]
    return text_table(["column", "type", "missing", "values"], rows, labels=4)


def shortened(text: str, width: int) -> str:
    """The text, or as much of it as there is room for, with … at its end.

    >>> shortened("export-administration-act", 10)
    'export-ad…'
    """
    if places(text) <= width:
        return text
    ends = accumulate(map(places, text))
    return "".join(letter for letter, end in zip(text, ends, strict=True) if end < width).rstrip() + "…"


def _share(missing: int, rows: int) -> str:
    return f"{missing:,} ({percent(missing / rows)})" if missing else ""


def _column(name: str, profile: ColumnProfile, bounds: Bounds, mark: str) -> ColumnOverview:
    if profile.is_prose and not profile.as_levels:
        some = tuple(islice(profile.levels or (), 1))
        distinct = None if profile.levels is None else len(profile.levels)
        words = profile.words / profile.known
        return ColumnOverview(name, "text", bounds.missing, some, distinct, None, None, words=words)
    numeric = profile.numeric(name, mark)
    if numeric is None:
        levels = None if profile.levels is None and profile.declared is None else profile.sorted_levels()
        distinct = None if levels is None else len(levels)
        return ColumnOverview(name, "nominal", bounds.missing, levels, distinct, None, None)
    time = numeric.time
    bounds = bounds.merge(Bounds.of_levels(profile.levels or {}, numeric))
    distinct = MOST_LEVELS if profile.levels is None else len(profile.levels) - len(profile.writing.missing) or None
    has_values = bounds.low <= bounds.high
    low, high = (bounds.low, bounds.high) if has_values else (None, None)
    return ColumnOverview(
        name, "time" if time else "numeric", bounds.missing, None, None if time else distinct, low, high, time
    )
