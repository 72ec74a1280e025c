"""The joint probability table: P of every combination of values that occurs, its marginals and conditionals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from suffice.errors import QueryError, did_you_mean
from suffice.models.value_labels import ValueLabels
from suffice.schema import AnyArray, Array, Codes, Column, Nominal, Schema
from suffice.shown import quoted
from suffice.soundness import LARGEST, require_number, require_shares
from suffice.statistics.entropy import entropies
from suffice.statistics.joint_counts import distinct_rows, require_combinations

Event = Mapping[str, Any]


@dataclass(frozen=True)
class JointTable:
    """P(row) for the combinations that occur. A missing value has code -1, a level of its own.

    Learned probabilities are shares of the `weight` of all rows; stated ones have none.
    """

    schema: Schema
    cuts: tuple[Array, ...]  # per numeric column: an interval ends at each cut, inclusive
    cells: Codes  # (combination, column of the schema), in ascending order
    probability: Array  # (combination,)
    weight: float | None

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_combinations(self.schema, self.cuts, self.cells)
        require_shares("probabilities", self.probability, (len(self.cells),))
        if not np.all(self.probability > 0):
            raise ValueError("a combination of the joint table is impossible")
        if self.weight is not None:
            require_number("weight of the records", self.weight, 1 / LARGEST)

    @property
    def parameter_count(self) -> int:
        """How many probabilities it consists of."""
        return len(self.cells)

    # Events -----------------------------------------------------------------------------------------------------

    def probability_of(self, event: Event, given: Event | None = None) -> float:
        """P(event | given) = P(event ∧ given) / P(given)."""
        if not given:
            return float(self.probability[self.matching(event)].sum())
        is_given = self.matching(given)
        below = self._possible(given, is_given)
        return float(self.probability[is_given & self.matching(event)].sum() / below)

    def given(self, event: Event) -> JointTable:
        """The distribution of the other columns where the event holds."""
        is_given = self.matching(event)
        below = self._possible(event, is_given)
        others = [name for name in self.schema.names if name not in event]
        weight = None if self.weight is None else self.weight * below
        held = replace(self, cells=self.cells[is_given], probability=self.probability[is_given] / below, weight=weight)
        return held.over(others)

    def matching(self, event: Event) -> AnyArray:
        """Which combinations belong to an event."""
        matches = np.ones(len(self.cells), dtype=bool)
        for name, wanted in event.items():
            position = self.position(name)
            matches &= np.isin(self.cells[:, position], self._codes(self.schema.columns[position], wanted))
        return matches

    def _possible(self, event: Event, matches: AnyArray) -> float:
        below = float(self.probability[matches].sum())
        if below <= 0:
            condition = ", ".join(f"{name} = {value}" for name, value in event.items())
            raise QueryError(f"The condition {condition} has probability 0, so that nothing follows from it.")
        return below

    def position(self, name: str) -> int:
        """Where a variable stands."""
        if name not in self.schema.names:
            hint = did_you_mean(str(name), self.schema.names)
            raise QueryError(f"There is no variable {name!r}.{hint} There are {quoted(self.schema.names)}.")
        return self.schema.names.index(name)

    def _codes(self, column: Column, wanted: Any) -> list[int]:
        """The codes of a value, or of each of several."""
        if isinstance(wanted, (list, tuple, set, frozenset, np.ndarray)):
            return [code for value in wanted for code in self._codes(column, value)]
        if wanted is None or (isinstance(wanted, float) and np.isnan(wanted)):
            return [-1]
        labels = self.labels.of(column)
        if isinstance(column, Nominal) and wanted in column.levels:
            return [column.levels.index(wanted)]
        if not isinstance(column, Nominal) and isinstance(wanted, (int, float, np.number)):
            return [int(np.searchsorted(self.cuts[self.schema.numeric_position[column.name]], wanted))]
        if isinstance(wanted, str) and wanted in labels:
            return [labels.index(wanted)]
        hint = did_you_mean(str(wanted), labels)
        raise QueryError(f"{column.name!r} is never {wanted!r}.{hint} It is {quoted(labels)}.")

    # Tables -----------------------------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> ValueLabels:
        """How the values read."""
        return ValueLabels(self.schema, self.cuts)

    def value(self, column: Column, code: int) -> Any:
        """The value behind a code: a level, an interval as it reads, or None for missing."""
        if code < 0:
            return None
        return column.levels[code] if isinstance(column, Nominal) else self.labels.of(column)[code]

    def over(self, names: Sequence[str]) -> JointTable:
        """The marginal distribution: the sum over all other variables."""
        positions = [self.position(name) for name in names]
        cells, inverse = distinct_rows(np.ascontiguousarray(self.cells[:, positions]))
        columns = tuple(self.schema.columns[position] for position in positions)
        schema = self.schema.with_columns(columns)
        cuts = tuple(self.cuts[self.schema.numeric_position[column.name]] for column in schema.numeric)
        share = np.bincount(inverse, self.probability, len(cells)).astype(np.float64)
        return JointTable(schema, cuts, cells, share, self.weight)

    # Information ------------------------------------------------------------------------------------------------

    def entropy(self, names: Sequence[str], given: Sequence[str] = ()) -> float:
        """H(names | given) = H(names, given) − H(given), in bits."""
        together = _bits(self.over(_united(names, given)))
        return max(0.0, together - _bits(self.over(given))) if given else together

    def mutual_information(self, first: Sequence[str], second: Sequence[str], given: Sequence[str] = ()) -> float:
        """I(A; B | C) = H(A, C) + H(B, C) − H(A, B, C) − H(C), in bits."""
        apart = _bits(self.over(_united(first, given))) + _bits(self.over(_united(second, given)))
        together = _bits(self.over(_united(first, second, given)))
        return max(0.0, apart - together - (_bits(self.over(given)) if given else 0.0))


def _bits(table: JointTable) -> float:
    return float(entropies(table.probability))


def _united(*names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name for some in names for name in some))
