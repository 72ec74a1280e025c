"""Minimum description length: the rules of one class that take the fewest bits, with their exceptions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from suffice.models.trees.nodes import branches
from suffice.schema import AnyArray, Array, Codes
from suffice.statistics.ties import first_of_equals

THEORY_WEIGHT = 0.5  # rules overlap, so their bits count half
LEAST_SAVING = 1e-9  # bits; differences below are none


def cheapest_subset(covers: Sequence[Codes], bits: Array, weight: Array, is_positive: AnyArray) -> AnyArray:
    """Which rules to choose. `covers` holds the rows of each rule, `bits` what it costs to say the rule.

    One rule at a time is added or taken away, always the one that saves most (the first of equals), until none saves
    any; once from no rules, once from all. The shorter description wins, and from no rules where both are as short.
    """
    incidence = Incidence.of(covers, weight, is_positive)
    from_none, from_all = (_descend(Choice.starting(incidence, start), bits) for start in (False, True))
    return from_none[1] if from_none[0] <= from_all[0] + LEAST_SAVING else from_all[1]


def description_length(theory: Array, rules: Array, positive: Array, negative: Array, whole: Array) -> Array:
    """½·(Σ bits of the rules − log2 k!) + log2 C(covered, false positives) + log2 C(uncovered, false negatives).

    `positive` and `negative` are the weights of the covered rows of the class and of others; `whole` those of all rows.

    No rule has to name 2 of 4 rows, log2 6; a rule of 3 bits that covers them has to name none:

    >>> theory, rules, positive, negative = np.array([[0.0, 3.0], [0.0, 1.0], [0.0, 2.0], [0.0, 0.0]])
    >>> description_length(theory, rules, positive, negative, np.array([2.0, 2.0])).round(3).tolist()
    [2.585, 1.5]
    """
    exceptions = log2_choose(positive + negative, negative) + log2_choose(
        whole.sum() - positive - negative, whole[0] - positive
    )
    length: Array = THEORY_WEIGHT * (theory - gammaln(rules + 1) / np.log(2)) + exceptions
    return length


def log2_choose(count: Array, chosen: Array) -> Array:
    """log2 of the number of ways to choose some of `count`; weights need not be whole."""
    count, chosen = np.maximum(count, 0.0), np.maximum(chosen, 0.0)
    rest = np.maximum(count - chosen, 0.0)
    ways: Array = (gammaln(count + 1) - gammaln(chosen + 1) - gammaln(rest + 1)) / np.log(2)
    return ways


@dataclass(frozen=True, eq=False)
class Incidence:
    """Which rule covers which row, by rule and by row."""

    covers: tuple[Codes, ...]  # the rows of each rule
    rules: Codes  # the rules of each row in turn
    begin: AnyArray  # (row,) where a row's rules begin
    count: AnyArray  # (row,) how many they are
    weight: Array  # (2, row): the row's weight if it has the class, and if it has not

    @classmethod
    def of(cls, covers: Sequence[Codes], weight: Array, is_positive: AnyArray) -> Incidence:
        """From the rows that each rule covers."""
        rows = np.concatenate([np.empty(0, dtype=np.int32), *covers])
        rule = np.repeat(np.arange(len(covers), dtype=np.int32), [len(cover) for cover in covers])
        count = np.bincount(rows, minlength=len(weight)).astype(np.int64)
        by_row = rule[np.argsort(rows, kind="stable")]
        return cls(
            tuple(covers),
            by_row,
            np.cumsum(count) - count,
            count,
            np.stack([weight * is_positive, weight * ~is_positive]),
        )

    def weight_by_rule(self, rows: AnyArray) -> Array:
        """(2, rule): the weight of the given rows under each rule."""
        rules = self.rules[branches(self.begin[rows], self.count[rows])]
        repeated = np.repeat(self.weight[:, rows], self.count[rows], axis=1)
        return np.stack([np.bincount(rules, side, len(self.covers)) for side in repeated])


@dataclass(eq=False)
class Choice:
    """Which rules are chosen and what they cover; the only thing that changes during the search."""

    incidence: Incidence
    is_chosen: AnyArray  # (rule,)
    times: Codes  # (row,) by how many chosen rules it is covered
    covered: Array  # (2,) the weight of the covered rows of the class, and of others
    never: Array  # (2, rule) the weight of the rule's rows that no chosen rule covers: what it would add
    once: Array  # (2, rule) the weight of the rule's rows that one chosen rule covers: what a chosen one would lose

    @classmethod
    def starting(cls, incidence: Incidence, with_all: bool) -> Choice:
        """No rule chosen, or every one."""
        times = incidence.count.astype(np.int32) if with_all else np.zeros_like(incidence.count, dtype=np.int32)
        return cls(
            incidence,
            np.full(len(incidence.covers), with_all),
            times,
            incidence.weight[:, times > 0].sum(axis=1),
            incidence.weight_by_rule(np.flatnonzero(times == 0)),
            incidence.weight_by_rule(np.flatnonzero(times == 1)),
        )

    def change(self) -> Array:
        """(2, rule): how the covered weight would change with each rule added or taken away."""
        return np.where(self.is_chosen, -self.once, self.never)

    def turn(self, rule: int) -> None:
        """Add a rule, or take it away."""
        self.covered = self.covered + self.change()[:, rule]
        rows = self.incidence.covers[rule]
        before = self.times[rows]
        after = before - 1 if self.is_chosen[rule] else before + 1
        self.never = self.never + self._moved(rows, before, after, 0)
        self.once = self.once + self._moved(rows, before, after, 1)
        self.times[rows] = after
        self.is_chosen[rule] = not self.is_chosen[rule]

    def _moved(self, rows: Codes, before: Codes, after: Codes, times: int) -> Array:
        """The weight by rule of the rows that are now covered so many times, less that of those that were."""
        came, went = rows[after == times], rows[before == times]
        return self.incidence.weight_by_rule(came) - self.incidence.weight_by_rule(went)


def _descend(choice: Choice, bits: Array) -> tuple[float, AnyArray]:
    """Change one rule at a time while that saves bits; the length in the end, and what is chosen."""
    whole = choice.incidence.weight.sum(axis=1)
    while True:
        theory, rules = float(bits[choice.is_chosen].sum()), int(choice.is_chosen.sum())
        sign = np.append(np.where(choice.is_chosen, -1.0, 1.0), 0.0)  # the last changes nothing
        positive, negative = choice.covered[:, None] + np.append(choice.change(), np.zeros((2, 1)), axis=1)
        lengths = description_length(theory + sign * np.append(bits, 0.0), rules + sign, positive, negative, whole)
        best = int(first_of_equals(-lengths[None])[0])
        if lengths[best] >= lengths[-1] - LEAST_SAVING:
            return float(lengths[-1]), choice.is_chosen
        choice.turn(best)
