"""C4.5rules: from the paths of a tree to fewer, shorter rules.

Every path drops the conditions that do not make it better; every class keeps the rules that describe it in the fewest
bits; the classes are put in order; what no rule covers goes to the default.

With R leaves, m conditions on a path (at most two per column) and N training rows, dropping costs R·m·N steps of
vectorised work. Choosing costs R² plus the covered rows of all rules, which are kept in memory (8 bytes each).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.kernels.tree_pessimism import added_errors
from suffice.models.trees.conditions import Condition, Interval, Levels, cells_of, one_per_column
from suffice.models.trees.rules import Rule, RuleList, path_rules
from suffice.models.trees.tree import ClassificationTree
from suffice.schema import AnyArray, Array, Codes
from suffice.solve.trees.pruning.pessimistic_errors import quantile, require_confidence
from suffice.solve.trees.rules.minimum_description_length import cheapest_subset
from suffice.solve.trees.training_rows import TrainingRows
from suffice.statistics.ties import TIE, evened


def simplified_rules(model: ClassificationTree, rows: TrainingRows, confidence: float = 0.25) -> RuleList:
    """The tree as a short list of rules, the way C4.5rules makes it from the tree's training rows."""
    require_confidence(confidence)
    evidence = Evidence(rows, confidence, quantile(confidence))
    chosen: dict[int, list[Candidate]] = {}
    for label, candidates in _by_class(model, evidence):
        kept = cheapest_subset(
            [candidate.rows for candidate in candidates],
            np.array([evidence.bits(candidate.parts) for candidate in candidates]),
            evidence.weight,
            evidence.is_class(label),
        )
        chosen[label] = sorted((candidates[i] for i in np.flatnonzero(kept)), key=lambda rule: rule.rate)
    ordered, uncovered = _in_order(chosen, evidence)
    default = model.schema.classes[evidence.most_frequent(uncovered)]
    rules = (candidate.rule(model, label) for label in ordered for candidate in chosen[label])
    return RuleList(model.schema, tuple(rules), default)


# What the rows say of a rule ----------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Evidence:
    """The training rows, as the search reads them."""

    rows: TrainingRows
    confidence: float
    z: float

    @cached_property
    def weight(self) -> Array:
        """The weight of every row."""
        return self.rows.row_weights()

    @cached_property
    def classes(self) -> Codes:
        """The class of every row."""
        return self.rows.outcome.astype(np.int32)

    @cached_property
    def cells(self) -> dict[str, AnyArray]:
        """Every column as conditions read it."""
        return {column.name: cells_of(self.rows.batch, column) for column in self.rows.schema.columns}

    @cached_property
    def distinct(self) -> dict[str, int]:
        """How many values each numeric column has."""
        names = self.rows.schema.numeric_position
        return {name: len(np.unique(self.cells[name][~np.isnan(self.cells[name])])) for name in names}

    def is_class(self, label: int) -> AnyArray:
        """Which rows have a class."""
        return np.asarray(self.classes == label)

    def pessimistic_rate(self, covered: float, errors: float) -> float:
        """The error rate to expect of a rule on new rows; of a rule that covers nothing, the worst."""
        if covered <= 0:
            return 1.0
        return float(errors + added_errors(covered, errors, self.confidence, self.z)) / covered

    def most_frequent(self, rows: AnyArray) -> int:
        """The largest class among some rows; of equals the one that is larger among all, then the first."""
        classes = self.rows.schema.class_count
        here = evened(np.bincount(self.classes[rows], self.weight[rows], classes))
        everywhere = evened(np.bincount(self.classes, self.weight, classes))
        return max(range(classes), key=lambda label: (here[label], everywhere[label], -label))

    def bits(self, parts: Sequence[Condition]) -> float:
        """How many bits say which conditions a rule has; their order says nothing, so log2 m! less."""
        columns = np.log2(len(self.rows.schema.columns))
        total = sum(columns + self._bits_of_value(part) for part in parts)
        return float(total - np.log2(np.arange(1, len(parts) + 1)).sum())

    def _bits_of_value(self, part: Condition) -> float:
        if isinstance(part, Levels):
            levels = len(part.column.levels)
            return float(np.log2(levels)) if len(part.codes) == 1 else float(levels)
        if isinstance(part, Interval) and (np.isfinite(part.low) or np.isfinite(part.high)):
            return 1.0 + float(np.log2(max(self.distinct[part.column.name] - 1, 1)))
        return 1.0  # known or missing


# Dropping conditions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Candidate:
    """A rule that may be chosen: its conditions, bound by bound, and the training rows they cover."""

    parts: tuple[Condition, ...]
    rows: Codes
    covered: float
    errors: float
    rate: float  # pessimistic

    def rule(self, model: ClassificationTree, label: int) -> Rule:
        """The rule as it is read."""
        return Rule(one_per_column(self.parts), model.schema.classes[label], self.covered, self.errors)


def simplify(parts: Sequence[Condition], is_right: AnyArray, evidence: Evidence) -> Candidate:
    """Greedy rule pruning: drop one condition after the other, the one without which the pessimistic rate is lowest.

    It ends where the rate would rise; of equals, the one that covers more goes. A row that fails a single condition is
    covered once that one is dropped, so these rows tell the outcome of every possible drop. `is_right` says which rows
    have the rule's class.
    """
    fails = np.empty((len(parts), evidence.rows.count), dtype=np.uint8)
    for part, row in zip(parts, fails, strict=True):
        row[:] = ~part.holds(evidence.cells[part.column.name])
    failed = fails.sum(axis=0, dtype=np.min_scalar_type(len(parts)))
    kept = list(range(len(parts)))
    covered, errors = _weights(np.flatnonzero(failed == 0), is_right, evidence)
    rate = evidence.pessimistic_rate(covered, errors)
    while kept:
        more, more_wrong = _weights_of_drops(fails[kept], failed, is_right, evidence)
        rates = [evidence.pessimistic_rate(covered + more[i], errors + more_wrong[i]) for i in range(len(kept))]
        evened_rates, evened_more = evened(np.array(rates)), evened(np.array(more))
        best = min(range(len(kept)), key=lambda i: (evened_rates[i], -evened_more[i]))
        if rates[best] > rate * (1.0 + TIE):
            break
        covered, errors, rate = covered + more[best], errors + more_wrong[best], rates[best]
        failed -= fails[kept.pop(best)]
    rows = np.flatnonzero(failed == 0).astype(np.int32)
    return Candidate(tuple(parts[i] for i in kept), rows, covered, errors, rate)


def _weights(rows: AnyArray, is_right: AnyArray, evidence: Evidence) -> tuple[float, float]:
    """The weight of some rows, and of those of another class."""
    weight = evidence.weight[rows]
    return float(weight.sum()), float(weight[~is_right[rows]].sum())


def _weights_of_drops(
    fails: AnyArray, failed: AnyArray, is_right: AnyArray, evidence: Evidence
) -> tuple[list[float], list[float]]:
    """For each condition the weight of the rows that fail it alone, and of those of another class."""
    near = np.flatnonzero(failed == 1)
    which = np.take(fails, near, axis=1).argmax(axis=0)
    weight = evidence.weight[near]
    wrong = np.bincount(which, weight * ~is_right[near], len(fails))
    return np.bincount(which, weight, len(fails)).tolist(), wrong.tolist()


def _by_class(model: ClassificationTree, evidence: Evidence) -> Iterator[tuple[int, list[Candidate]]]:
    """For every class its simplified rules, each once; one without conditions is left to the default."""
    paths = path_rules(model)
    for label, name in enumerate(model.schema.classes):
        is_right = evidence.is_class(label)
        found: dict[frozenset[Condition], Candidate] = {}
        for rule in paths:
            if rule.answer != name:
                continue
            parts = [part for condition in rule.conditions for part in condition.parts()]
            candidate = simplify(parts, is_right, evidence)
            if candidate.parts and len(candidate.rows):
                found.setdefault(frozenset(candidate.parts), candidate)
        if found:
            yield label, list(found.values())


# Putting the classes in order ---------------------------------------------------------------------------------------


def _in_order(chosen: dict[int, list[Candidate]], evidence: Evidence) -> tuple[list[int], AnyArray]:
    """The classes by false positives, fewest first, among the rows the classes before leave; and the rows left over."""
    is_left = np.ones(evidence.rows.count, dtype=np.bool_)
    waiting = {label: _covered(candidates, evidence) for label, candidates in chosen.items() if candidates}
    ordered: list[int] = []
    while waiting:
        false = {
            label: float(evidence.weight[is_covered & is_left & ~evidence.is_class(label)].sum())
            for label, is_covered in waiting.items()
        }
        total = float(evidence.weight.sum())
        first = min(waiting, key=lambda label: (round(false[label] / (TIE * total)), label))
        is_left &= ~waiting.pop(first)
        ordered.append(first)
    return ordered, np.flatnonzero(is_left)


def _covered(candidates: list[Candidate], evidence: Evidence) -> AnyArray:
    is_covered = np.zeros(evidence.rows.count, dtype=np.bool_)
    for candidate in candidates:
        is_covered[candidate.rows] = True
    return is_covered
