"""Sufficient statistics, their contract: of a batch, merged, taken out again, moved to another schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol, Self, TypeVar

from suffice.schema import Alignment, Array, Batch, Schema
from suffice.soundness import require_a, require_same


class Mergeable(Protocol):
    """What one pass over a table leaves of each batch, merged into the whole."""

    def merge(self, other: Self) -> Self:
        """What both sets of rows leave."""
        ...


class Statistic(Mergeable, Protocol):
    """A sufficient statistic: a frozen summary of some rows, all that a solver needs of them.

    `merge` is associative and commutative, and any split of the rows merges to the whole. A statistic holds no
    hyperparameter: smoothing, shrinkage and priors arrive when it is solved.
    """

    @property
    def schema(self) -> Schema:
        """What the columns and classes of the rows are."""
        ...

    def merge(self, other: Self) -> Self:
        """The statistic of both sets of rows, which share a schema."""
        ...

    def without(self, other: Self) -> Self:
        """The statistic of the rows that are left when the other's rows are taken out."""
        ...

    def weighed(self, factors: Array) -> Self:
        """The same rows, those of each class counting for as much as its factor says."""
        ...

    def align(self, alignment: Alignment) -> Self:
        """The same rows under another schema."""
        ...


@dataclass(frozen=True)
class Sums:
    """A statistic whose fields are sums over rows, and nothing else: it merges by adding each to its like.

    >>> @dataclass(frozen=True)
    ... class Rows(Sums):
    ...     count: int
    ...     weight: float
    >>> Rows(2, 1.5).merge(Rows(1, 1.0))
    Rows(count=3, weight=2.5)
    """

    __slots__ = ()

    def merge(self, other: Self) -> Self:
        """Add."""
        return type(self)(*(getattr(self, part.name) + getattr(other, part.name) for part in fields(self)))


M_co = TypeVar("M_co", bound=Mergeable, covariant=True)
M = TypeVar("M", bound=Mergeable)
S = TypeVar("S", bound=Statistic)


class Measurement(Protocol[M_co]):
    """What one pass over a table computes: a statistic's class, or an object that makes one from a batch."""

    def of(self, batch: Batch) -> M_co:
        """The statistic of one batch."""
        ...


class Measure(Protocol):
    """One pass over the rows of a table, whatever is asked of them."""

    def __call__(self, measurement: Measurement[M], /) -> M:
        """The statistic of all rows."""
        ...


def both(mine: M | None, theirs: M | None) -> M | None:
    """What both sets of rows leave, of which one or both may leave nothing."""
    if mine is None or theirs is None:
        return mine if theirs is None else theirs
    return mine.merge(theirs)


def merged(first: S, second: S) -> S:
    """Merge two statistics whose schemas may differ: unite levels and classes, then add."""
    first, second = under_one_schema(first, second)
    return first.merge(second)


def under_one_schema(first: S, second: S) -> tuple[S, S]:
    """Two statistics with the levels and classes of both."""
    if first.schema is second.schema or first.schema == second.schema:
        return first, second
    second = spelled_like(second, first.schema)
    united = first.schema.unite(second.schema)
    return aligned(first, united), aligned(second, united)


def taken_out(whole: S, gone: S) -> S:
    """The rows of a statistic without some of them, whose schema may differ."""
    gone = spelled_like(gone, whole.schema)
    united = whole.schema.unite(gone.schema)
    return aligned(whole, united).without(aligned(gone, united))


def spelled_like(statistic: S, schema: Schema) -> S:
    """The same rows, their levels and classes called as another schema spells them."""
    spelled = statistic.schema.spelled_like(schema)
    if statistic.schema == spelled:
        return statistic
    return statistic.align(Alignment.renaming(statistic.schema, spelled))


def aligned(statistic: S, schema: Schema) -> S:
    """The same rows under another schema, matched by label."""
    if statistic.schema == schema:
        return statistic
    return statistic.align(Alignment.between(statistic.schema, schema))


@dataclass(frozen=True, slots=True)
class Together:
    """Several statistics of the same rows, by name."""

    parts: Mapping[str, Any]

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("statistic", self.parts, Mapping)
        if not self.parts or not all(hasattr(part, "align") for part in self.parts.values()):
            raise ValueError("it holds no statistic")
        for part in self.parts.values():
            require_same("statistics", part.schema, self.schema)

    @property
    def schema(self) -> Schema:
        """The schema all parts share."""
        schema: Schema = next(iter(self.parts.values())).schema
        return schema

    def merge(self, other: Together) -> Together:
        """Merge part by part."""
        return Together({name: part.merge(other.parts[name]) for name, part in self.parts.items()})

    def without(self, other: Together) -> Together:
        """Take out part by part."""
        return Together({name: part.without(other.parts[name]) for name, part in self.parts.items()})

    def weighed(self, factors: Array) -> Together:
        """Weigh part by part."""
        return Together({name: part.weighed(factors) for name, part in self.parts.items()})

    def align(self, alignment: Alignment) -> Together:
        """Align part by part."""
        return Together({name: part.align(alignment) for name, part in self.parts.items()})


@dataclass(frozen=True, slots=True)
class MeasureTogether:
    """Several measurements in one pass."""

    parts: Mapping[str, Any]

    def of(self, batch: Batch) -> Together:
        """All statistics of one batch."""
        return Together({name: part.of(batch) for name, part in self.parts.items()})
