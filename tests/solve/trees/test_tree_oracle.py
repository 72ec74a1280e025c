"""Trees against a plain, slow learner: every candidate is tried, row by row, and nothing is shared with the kernels.

Of equals the first column wins, then the lowest threshold; differences below 1e-10 of the impurity are none, by gain
ratio those below 1e-6 bits. Where two splits of the same column are equal but for rounding, either may be chosen, and
the slow learner follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import log2, sqrt
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import suffice as sf
from suffice.models.trees.tree import TreeModel

pytestmark = pytest.mark.filterwarnings("ignore:.*no further apart:suffice.errors.SufficeWarning")

TIE = 1e-10
PURE = 1e-12
SAME = 1e-6  # by gain ratio
GAP = 1e-5
Cell = Any  # a number, a level, or None

# Impurity -----------------------------------------------------------------------------------------------------------


def entropy_cost(outcomes: list[Cell], weights: list[float]) -> float:
    by_class: dict[Cell, float] = {}
    for outcome, weight in zip(outcomes, weights, strict=True):
        by_class[outcome] = by_class.get(outcome, 0.0) + weight
    total = sum(by_class.values())
    return -sum(weight * log2(weight / total) for weight in by_class.values() if weight > 0)


def gini_cost(outcomes: list[Cell], weights: list[float]) -> float:
    by_class: dict[Cell, float] = {}
    for outcome, weight in zip(outcomes, weights, strict=True):
        by_class[outcome] = by_class.get(outcome, 0.0) + weight
    total = sum(by_class.values())
    return total - sum(weight**2 for weight in by_class.values()) / total if total > 0 else 0.0


def variance_cost(outcomes: list[float], weights: list[float]) -> float:
    total = sum(weights)
    if total <= 0:
        return 0.0
    mean = sum(w * y for w, y in zip(weights, outcomes, strict=True)) / total
    return sum(w * (y - mean) ** 2 for w, y in zip(weights, outcomes, strict=True))


def deviation_cost(outcomes: list[float], weights: list[float]) -> float:
    return sqrt(sum(weights) * variance_cost(outcomes, weights))


COSTS = {
    "information_gain": entropy_cost,
    "gain_ratio": entropy_cost,
    "gini": gini_cost,
    "variance": variance_cost,
    "standard_deviation": deviation_cost,
}


# The slow learner ---------------------------------------------------------------------------------------------------


@dataclass
class Node:
    """A node of the slow tree; `branches` is empty in a leaf."""

    answer: dict[Cell, float] | float
    column: str = ""
    threshold: float | None = None  # of a numeric test
    branch_of_level: dict[Cell, int] = field(default_factory=dict)  # of a nominal one
    home: int | None = None  # the branch of missing values; None: all by their shares
    shares: list[float] = field(default_factory=list)
    branches: list[Node] = field(default_factory=list)

    @property
    def leaf_count(self) -> int:
        return sum(branch.leaf_count for branch in self.branches) if self.branches else 1


@dataclass
class Candidate:
    """A split: the branch of every row of the node (None: missing, all branches), and its cost."""

    branch: list[int | None]
    cost: float
    count: int  # of branches
    threshold: float | None = None
    branch_of_level: dict[Cell, int] = field(default_factory=dict)
    home: int | None = None


@dataclass
class Option:
    """The best split of one column."""

    chosen: Candidate
    gain: float
    information: float
    counts_towards_mean: bool


@dataclass
class Slow:
    """The settings of a slow learner and the rows of the whole table."""

    columns: dict[str, list[Cell]]
    levels: dict[str, list[Cell] | None]  # None: numeric
    outcomes: list[Cell]
    settings: dict[str, Any]
    all_weight: float
    classes: int
    scale: float
    lightest: float

    @property
    def cost(self) -> Any:
        return COSTS[self.settings["criterion"]]

    @property
    def classifies(self) -> bool:
        return self.settings["criterion"] not in ("variance", "standard_deviation")

    @property
    def is_ratio(self) -> bool:
        return self.settings["criterion"] == "gain_ratio"

    @property
    def of_parts(self) -> float:
        """Where rows go down several branches, what is split weighs as much as two of the lightest rows."""
        goes_in_parts = self.settings["missing"] == "fractional" and any(
            None in cells for cells in self.columns.values()
        )
        return 2 * min(self.lightest, 1.0) if goes_in_parts and not self.is_ratio else 0.0

    @property
    def min_leaf(self) -> float:
        """Up to a weight of 1 there is no limit, but for C4.5."""
        return self.settings["min_leaf"] if self.settings["min_leaf"] > 1 or self.is_ratio else 1e-300

    def cost_of(self, rows: list[int], weights: list[float]) -> float:
        return float(self.cost([self.outcomes[row] for row in rows], weights))

    def grow(self, rows: list[int], weights: list[float], depth: int, other: TreeModel, at: int | None) -> Node:
        """The subtree of some rows; `at` is the node of the tree under test that has the same rows."""
        node = Node(self.answer(rows, weights))
        if not self.is_open(rows, weights, depth):
            return node
        found = {name: self.best(name, rows, weights, other, at) for name in self.columns}
        name = self.choose({name: option for name, option in found.items() if option}, rows, weights)
        if name is None:
            return node
        option = found[name].chosen
        known = [sum(w for w, b in zip(weights, option.branch, strict=True) if b == k) for k in range(option.count)]
        shares = [weight / sum(known) for weight in known]
        node.column, node.threshold, node.branch_of_level = name, option.threshold, option.branch_of_level
        if option.threshold is not None and np.isfinite(option.threshold) and self.is_ratio:
            node.threshold = max(x for x in self.columns[name] if x is not None and x <= option.threshold)
        if self.settings["missing"] == "direction":
            node.home = option.home if option.home is not None else shares.index(max(shares))
        for k in range(option.count):
            inside = [
                (row, w if b == k else w * shares[k])
                for row, w, b in zip(rows, weights, option.branch, strict=True)
                if b == k or (b is None and shares[k] > 0)
            ]
            if not inside:
                node.branches.append(Node(node.answer))
                continue
            follow = None
            if at is not None and not other.nodes.is_leaf[at] and k < other.nodes.branch_count[at]:
                follow = int(other.nodes.first_branch[at]) + k
            node.branches.append(
                self.grow([row for row, _ in inside], [w for _, w in inside], depth + 1, other, follow)
            )
        node.shares = shares
        return node

    def answer(self, rows: list[int], weights: list[float]) -> dict[Cell, float] | float:
        total = sum(weights)
        if not self.classifies:
            return sum(w * self.outcomes[row] for row, w in zip(rows, weights, strict=True)) / total
        shares: dict[Cell, float] = {}
        for row, weight in zip(rows, weights, strict=True):
            shares[self.outcomes[row]] = shares.get(self.outcomes[row], 0.0) + weight / total
        return shares

    def is_open(self, rows: list[int], weights: list[float], depth: int) -> bool:
        total = sum(weights)
        if self.classifies:
            rest = (1 - max(self.answer(rows, weights).values())) * total
            is_pure = rest < SAME if self.is_ratio else rest <= PURE * total
        else:
            spread = variance_cost([self.outcomes[row] for row in rows], weights)
            is_pure = spread <= PURE * self.scale * total
        least = self.settings["min_split"] if self.settings["min_split"] > 2 else self.of_parts
        least = max(least, 2 * self.settings["min_leaf"]) if self.is_ratio else least
        is_heavy = not is_below(total, least, weights)
        return not is_pure and is_heavy and (self.settings["max_depth"] is None or depth < self.settings["max_depth"])

    # One column -----------------------------------------------------------------------------------------------------

    def best(self, name: str, rows: list[int], weights: list[float], other: TreeModel, at: int | None) -> Option | None:
        cells = [self.columns[name][row] for row in rows]
        levels = self.levels[name]
        if levels is None:
            candidates, cuts = self.cuts(cells, rows, weights)
        else:
            make = self.every_level if self.settings["splits"] == "multiway" else self.subsets
            candidates, cuts = make(cells, levels, rows, weights), 1
        if not candidates:
            return None
        missing = [(row, w) for row, w, cell in zip(rows, weights, cells, strict=True) if cell is None]
        is_fractional = self.settings["missing"] == "fractional"
        parted = [
            (row, w) for row, w, cell in zip(rows, weights, cells, strict=True) if cell is not None or not is_fractional
        ]
        total = sum(weights)
        parent = self.cost_of([row for row, _ in parted], [w for _, w in parted])
        lowest = min(candidate.cost for candidate in candidates)
        slack = SAME * total if self.is_ratio and levels is None else TIE * max(parent, lowest, 1e-3)
        tied = [candidate for candidate in candidates if candidate.cost <= lowest + slack]
        chosen = self.followed(tied, name, cells, other, at)
        # Parting known from missing is one test: it costs nothing to say which.
        gain = (parent - lowest) / total - (log2(max(cuts, 1)) / total if self.is_ratio and levels is None else 0.0)
        if self.is_ratio and levels is None and gain < SAME:
            return None
        parts = [sum(w for w, b in zip(weights, chosen.branch, strict=True) if b == k) for k in range(chosen.count)]
        parts.append(sum(w for _, w in missing) if is_fractional else 0.0)
        information = -sum(part / total * log2(part / total) for part in parts if part > 0)
        has_many = levels is not None and len(levels) >= 0.3 * self.all_weight
        return Option(chosen, gain, information, not has_many)

    def followed(
        self, tied: list[Candidate], name: str, cells: list[Cell], other: TreeModel, at: int | None
    ) -> Candidate:
        """The first of equals, unless the tree under test took another of them."""
        if at is None or other.nodes.is_leaf[at] or other.tested(at).name != name or len(tied) == 1:
            return tied[0]
        nodes = other.nodes
        home = int(nodes.missing_branch[at])
        taken: list[int | None] = []
        for cell in cells:
            if cell is None:
                taken.append(None if home < 0 else home)
            elif self.levels[name] is None:
                taken.append(0 if cell <= nodes.threshold[at] else 1)
            else:
                taken.append(next(b for b in range(int(nodes.branch_count[at])) if cell in other.branch_levels(at, b)))
        return next((candidate for candidate in tied if candidate.branch == taken), tied[0])

    def cuts(self, cells: list[Cell], rows: list[int], weights: list[float]) -> tuple[list[Candidate], int]:
        values = sorted({cell for cell in cells if cell is not None})
        known = sum(w for w, cell in zip(weights, cells, strict=True) if cell is not None)
        has_missing = any(cell is None for cell in cells)
        least = self.min_leaf
        if self.is_ratio:
            least = max(least, min(25.0, 0.1 * known / self.classes))
        homes = [None]
        if self.settings["missing"] == "direction" and has_missing:
            homes = [1, 0]
        found, admissible = [], 0
        for home in homes:
            for low, high in pairwise(values):
                if self.is_ratio and not low + GAP < high:
                    continue
                branch = [home if cell is None else int(cell > low) for cell in cells]
                threshold = (low + high) / 2
                candidate = self.candidate(branch, 2, rows, weights, least, threshold=threshold, home=home)
                if candidate:
                    found.append(candidate)
                    admissible += 1 if home == homes[0] else 0
            if home == 1 and values:
                branch = [1 if cell is None else 0 for cell in cells]
                apart = self.candidate(branch, 2, rows, weights, least, threshold=np.inf, home=1)
                found += [apart] if apart else []
        return found, admissible

    def every_level(
        self, cells: list[Cell], levels: list[Cell], rows: list[int], weights: list[float]
    ) -> list[Candidate]:
        branch_of_level = {level: k for k, level in enumerate(levels)}
        occurring = sorted({branch_of_level[cell] for cell in cells if cell is not None})
        heavy = 0
        for k in occurring:
            inside = sum(w for w, cell in zip(weights, cells, strict=True) if cell == levels[k])
            heavy += not is_below(inside, self.min_leaf, weights)
        if heavy < 2:
            return []
        has_missing = any(cell is None for cell in cells)
        homes = occurring if self.settings["missing"] == "direction" and has_missing else [None]
        found = []
        for home in homes:
            branch = [home if cell is None else branch_of_level[cell] for cell in cells]
            candidate = self.candidate(
                branch, len(levels), rows, weights, 0.0, branch_of_level=branch_of_level, home=home
            )
            found += [candidate] if candidate else []
        return found

    def subsets(self, cells: list[Cell], levels: list[Cell], rows: list[int], weights: list[float]) -> list[Candidate]:
        """Every subset of the levels that occur; those that do not go with the heavier branch."""
        occurring = [level for level in levels if level in cells]
        learns_home = self.settings["missing"] == "direction" and any(cell is None for cell in cells)
        things: list[Cell] = [*occurring, None] if learns_home else occurring
        if len(things) < 2:
            return []
        found = []
        for size in range(len(things) - 1):
            for others in combinations(things[1:], size):
                first = {things[0], *others}
                branch = [None if cell is None and not learns_home else 0 if cell in first else 1 for cell in cells]
                weight = sum(w for w, b in zip(weights, branch, strict=True) if b == 0)
                rest = 0 if 2 * weight >= sum(weights) else 1
                of_level = {level: rest if level not in occurring else int(level not in first) for level in levels}
                home = int(None not in first) if learns_home else None
                candidate = self.candidate(branch, 2, rows, weights, self.min_leaf, branch_of_level=of_level, home=home)
                found += [candidate] if candidate else []
        return found

    def candidate(
        self,
        branch: list[int | None],
        count: int,
        rows: list[int],
        weights: list[float],
        least: float,
        threshold: float | None = None,
        branch_of_level: dict[Cell, int] | None = None,
        home: int | None = None,
    ) -> Candidate | None:
        """A split, unless a branch of it would be too light."""
        cost = 0.0
        for k in range(count):
            inside = [(row, w) for row, w, b in zip(rows, weights, branch, strict=True) if b == k]
            if is_below(sum(w for _, w in inside), least, weights):
                return None
            cost += self.cost_of([row for row, _ in inside], [w for _, w in inside])
        return Candidate(branch, cost, count, threshold, branch_of_level or {}, home)

    # All columns ----------------------------------------------------------------------------------------------------

    def choose(self, found: dict[str, Option], rows: list[int], weights: list[float]) -> str | None:
        if not found:
            return None
        if not self.is_ratio:
            impurity = self.cost_of(rows, weights) / sum(weights)
            best = max(option.gain for option in found.values())
            return next(name for name, option in found.items() if option.gain >= best - TIE * impurity)
        every_has_many = all(
            levels is not None and len(levels) >= 0.3 * self.all_weight for levels in self.levels.values()
        )
        gains = [option.gain for option in found.values() if option.counts_towards_mean or every_has_many]
        if not gains:
            return None
        mean = sum(gains) / len(gains)
        ratios = {
            name: option.gain / option.information
            for name, option in found.items()
            if option.gain >= mean - 1e-3 and option.information > 0
        }
        best, chosen = 0.0, None
        for name, ratio in ratios.items():
            if ratio > best + SAME:
                best, chosen = ratio, name
        return chosen


def is_below(weight: float, least: float, weights: list[float]) -> bool:
    """Whether a branch is too light; where only rounding decides, the table is no test."""
    if abs(weight - least) < 1e-9 and not all(float(4 * one).is_integer() for one in weights):
        raise OnlyRounding
    return weight < least


class OnlyRounding(Exception):  # noqa: N818
    """Whether a branch is heavy enough depends on the order in which weights are added."""


def slow_tree(
    table: pa.Table, target: str, weights: list[float], settings: dict[str, Any], model: sf.DecisionTreeClassifier
) -> Node:
    """Grow the slow tree of a table; rows of weight 0 do not count."""
    counting = [row for row, weight in enumerate(weights) if weight > 0]
    columns = {name: [cells[row] for row in counting] for name, cells in cells_of(table).items()}
    outcomes = columns.pop(target)
    levels: dict[str, list[Cell] | None] = {
        name: None if is_numeric(table[name]) else sorted({cell for cell in cells if cell is not None})
        for name, cells in columns.items()
    }
    kept = [weights[row] for row in counting]
    is_of_numbers = settings["criterion"] in ("variance", "standard_deviation")
    scale = variance_cost(outcomes, kept) / sum(kept) if is_of_numbers else 1.0
    slow = Slow(columns, levels, outcomes, settings, sum(kept), len(set(outcomes)), scale, min(kept))
    return slow.grow(list(range(len(kept))), kept, 0, model.model_, 0)


def cells_of(table: pa.Table) -> dict[str, list[Cell]]:
    """Every column's cells, None where one is missing."""
    return {name: [None if cell != cell else cell for cell in cells] for name, cells in table.to_pydict().items()}


def is_numeric(column: pa.ChunkedArray) -> bool:
    return pa.types.is_floating(column.type)


def slow_answer(node: Node, row: dict[str, Cell]) -> dict[Cell, float] | float:
    """What the slow tree says of a row: a branch, or the mean of all by their shares."""
    if not node.branches:
        return node.answer
    cell = row[node.column]
    branch = node.home
    if cell is not None:
        branch = int(cell > node.threshold) if node.threshold is not None else node.branch_of_level[cell]
    if branch is not None:
        return slow_answer(node.branches[branch], row)
    answers = [
        (share, slow_answer(child, row)) for share, child in zip(node.shares, node.branches, strict=True) if share > 0
    ]
    if isinstance(node.answer, float):
        return sum(share * answer for share, answer in answers)
    labels = {label for _, answer in answers for label in answer}
    return {label: sum(share * answer.get(label, 0.0) for share, answer in answers) for label in labels}


# Random tables ------------------------------------------------------------------------------------------------------


seeds, row_counts = st.integers(0, 2**32 - 1), st.integers(3, 18)


@st.composite
def tables(draw: st.DrawFn, numbers: bool) -> tuple[pa.Table, list[float]]:
    """Up to four columns in any order, with ties and gaps; 2 to 4 classes, or numbers; any weights."""
    random, rows = np.random.default_rng(draw(seeds)), draw(row_counts)
    gaps = random.choice([0.0, 0.0, 0.15, 0.4])
    kinds = random.choice(["few", "many", "nominal", "wide"], random.integers(1, 5))
    return table_of(random, rows, gaps, kinds, numbers)


@st.composite
def gaping_tables(draw: st.DrawFn, numbers: bool) -> tuple[pa.Table, list[float]]:
    """One numeric column or one nominal, beside others, half of the cells missing: rows multiply on their way down."""
    random, rows = np.random.default_rng(draw(seeds)), draw(row_counts)
    kinds = random.permutation(random.choice([["few", "nominal", "wide"], ["few", "many", "wide"]]))
    return table_of(random, rows, 0.5, kinds, numbers)


def table_of(
    random: np.random.Generator, rows: int, gaps: float, kinds: Iterable[str], numbers: bool
) -> tuple[pa.Table, list[float]]:
    """Columns of some kinds, and a target, with as large a share of gaps as said."""
    table: dict[str, Any] = {}
    for position, kind in enumerate(kinds):
        if kind == "few":
            cells = random.integers(0, 4, rows).astype(float)
        elif kind == "many":
            cells = np.round(random.normal(size=rows) * 8) / random.choice([4, 4, 3e5, 1.3e5])
        else:
            cells = random.choice(list("abcde"[: 3 if kind == "nominal" else 5]), rows).astype(object)
        is_gap = random.random(rows) < gaps
        if is_gap.all():
            is_gap[0] = False
        cells[is_gap] = np.nan if cells.dtype.kind == "f" else None
        table[f"{kind}{position}"] = cells
    if numbers:
        target = random.integers(0, 9, rows) / 2.0
        target[:2] = [0.0, 3.5]
    else:
        target = random.choice([f"c{k}" for k in range(random.integers(2, 5))], rows).astype(object)
        target[:2] = ["c0", "c1"]
    weights = {
        "none": np.ones(rows),
        "whole": random.integers(0, 4, rows).astype(float),
        "fractional": random.choice([0.0, 0.25, 0.75, 1.0, 1.9], rows),
    }[random.choice(["none", "whole", "fractional"])]
    weights[:2] = np.maximum(weights[:2], 1.0)
    return pa.table({**table, "target": target}), weights.tolist()


RULES: list[dict[str, Any]] = [
    {"splits": splits, "missing": missing, "min_leaf": leaf, "min_split": split, "max_depth": depth}
    for splits in ("multiway", "binary")
    for missing in ("fractional", "direction")
    for leaf in (1, 1, 2, 2.5)
    for split in (2, 2, 4, 5.5)
    for depth in (None, None, 0, 1, 2)
]
MULTIWAY = [rule for rule in RULES if rule["splits"] == "multiway"]
SUBSETS = [rule for rule in RULES if rule["splits"] == "binary" and rule["min_leaf"] <= 1]
LIMITED_SUBSETS = [rule for rule in RULES if rule["splits"] == "binary" and rule["min_leaf"] > 1]
rules, limited_subsets = st.sampled_from([*MULTIWAY, *SUBSETS]), st.sampled_from(LIMITED_SUBSETS)


def probes(table: pa.Table, seed: int = 0) -> pa.Table:
    """The table's own rows, and some that mix its cells, its gaps and numbers in between."""
    random = np.random.default_rng(seed)
    columns = {}
    for name, cells in cells_of(table.drop_columns("target")).items():
        mixed = [cells[place] for place in random.integers(0, len(cells), 20)]
        if is_numeric(table[name]):
            steps = random.choice([0.0, 0.0, 0.1, -0.1, 0.5, 40.0], 20).tolist()
            mixed = [None if cell is None else cell + step for cell, step in zip(mixed, steps, strict=True)]
        is_gap = random.random(20) < 0.2
        columns[name] = pa.array(cells + [None if gap else cell for cell, gap in zip(mixed, is_gap, strict=True)])
    return pa.table({name: column.cast(table[name].type) for name, column in columns.items()})


def without_idle_cells(table: pa.Table, weights: list[float]) -> pa.Table:
    """Levels and columns of numbers that only rows of weight 0 know become missing: no tree knows them."""
    columns = cells_of(table)
    for name, cells in columns.items():
        counted = {cell for cell, weight in zip(cells, weights, strict=True) if weight > 0 and cell is not None}
        known = set(cells) if is_numeric(table[name]) and counted else counted
        if name != "target":
            columns[name] = [cell if cell in known else None for cell in cells]
    return pa.table(columns, schema=table.schema)


def assert_same(table: pa.Table, weights: list[float], rule: dict[str, Any]) -> None:
    table = without_idle_cells(table, weights)
    is_of_numbers = rule["criterion"] in ("variance", "standard_deviation")
    make = sf.DecisionTreeRegressor if is_of_numbers else sf.DecisionTreeClassifier
    is_plain = all(weight == 1.0 for weight in weights)
    counted = {} if is_of_numbers else {"leaf_smoothing": 0}
    model = make(**rule, **counted, prune=None).fit(
        table, "target", sample_weight=None if is_plain else np.array(weights)
    )
    try:
        slow = slow_tree(table, "target", weights, rule, model)
    except OnlyRounding:
        assume(False)
    rows = probes(table)
    by_row = zip(*cells_of(rows).values(), strict=True)
    answers = [slow_answer(slow, dict(zip(rows.column_names, row, strict=True))) for row in by_row]
    if is_of_numbers:
        expected = np.array(answers)
        found = model.predict(rows)
    else:
        expected = np.array([[answer.get(label, 0.0) for label in model.classes_] for answer in answers])
        found = model.predict_proba(rows)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    assert model.leaf_count == slow.leaf_count


slowly = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize("criterion", ["information_gain", "gini", "gain_ratio"])
@slowly
@given(drawn=tables(numbers=False), rule=rules)
def test_classes(drawn: tuple[pa.Table, list[float]], rule: dict[str, Any], criterion: str) -> None:
    assert_same(*drawn, {**rule, "criterion": criterion})


@slowly
@given(tables(numbers=True), rules)
def test_reduction_of_variance(drawn: tuple[pa.Table, list[float]], rule: dict[str, Any]) -> None:
    assert_same(*drawn, {**rule, "criterion": "variance"})


@slowly
@given(tables(numbers=True), st.sampled_from(MULTIWAY))
def test_reduction_of_standard_deviation(drawn: tuple[pa.Table, list[float]], rule: dict[str, Any]) -> None:
    assert_same(*drawn, {**rule, "criterion": "standard_deviation"})


@settings(slowly, max_examples=40)
@given(gaping_tables(numbers=True), gaping_tables(numbers=False), st.sampled_from(["information_gain", "gain_ratio"]))
def test_rows_in_many_parts(
    numbers: tuple[pa.Table, list[float]], classes: tuple[pa.Table, list[float]], criterion: str
) -> None:
    """More parts than a level is grown from at once."""
    rule = {"splits": "multiway", "missing": "fractional", "min_leaf": 1, "min_split": 2, "max_depth": None}
    assert_same(*numbers, {**rule, "criterion": "standard_deviation"})
    assert_same(*classes, {**rule, "criterion": criterion})


@slowly
@given(tables(numbers=True), st.sampled_from(SUBSETS))
def test_the_best_subset_by_standard_deviation(drawn: tuple[pa.Table, list[float]], rule: dict[str, Any]) -> None:
    """It need not be a run of the levels in the order of their means, as it is by variance."""
    assert_same(*drawn, {**rule, "criterion": "standard_deviation"})


@slowly
@given(tables(numbers=False), limited_subsets, st.sampled_from(["information_gain", "gini", "gain_ratio"]))
def test_the_best_subset_of_those_that_leave_both_branches_enough_rows(
    drawn: tuple[pa.Table, list[float]], rule: dict[str, Any], criterion: str
) -> None:
    """It need not be a run of the levels in the order of their class shares, as it is without a limit."""
    assert_same(*drawn, {**rule, "criterion": criterion})


@slowly
@given(tables(numbers=True), limited_subsets)
def test_the_best_subset_for_numbers_that_leaves_both_branches_enough_rows(
    drawn: tuple[pa.Table, list[float]], rule: dict[str, Any]
) -> None:
    assert_same(*drawn, {**rule, "criterion": "variance"})


@pytest.mark.parametrize("criterion", ["information_gain", "gini", "gain_ratio"])
@pytest.mark.parametrize("seed", range(3))
def test_some_larger_tables_of_classes(criterion: str, seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = 70
    x = np.where(random.random(rows) < 0.1, np.nan, np.round(random.normal(size=rows), 1))
    table = pa.table(
        {
            "x": x,
            "n": random.choice(["u", "v", "w", None], rows),
            "z": random.integers(0, 9, rows).astype(float),
            "target": np.where(np.nan_to_num(x) + random.normal(size=rows) > 0, "c1", "c0"),
        }
    )
    for splits, missing in (("multiway", "fractional"), ("binary", "direction")):
        rule = {"splits": splits, "missing": missing, "min_leaf": 2.03, "min_split": 2, "max_depth": None}
        assert_same(table, [1.0] * rows, {**rule, "criterion": criterion})


@pytest.mark.parametrize("criterion", ["information_gain", "gini", "gain_ratio"])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_columns_of_few_values_that_are_one_value_further_down(criterion: str, gaps: float) -> None:
    """Rows of a column without variation are not taken along; gaps, which go down several branches, must not mind."""
    random = np.random.default_rng(0)
    rows = 60
    place = random.integers(0, 4, rows)
    x = np.where(random.random(rows) < gaps, np.nan, np.round(random.normal(size=rows), 1))
    columns = {f"at {k}": (place == k).astype(float) for k in range(4)}
    target = np.array(["c0", "c1", "c2"])[(place + (np.nan_to_num(x) > 0) + (random.random(rows) < 0.2)) % 3]
    table = pa.table({"x": x, **columns, "target": target})
    for splits, missing in (("multiway", "fractional"), ("binary", "direction")):
        rule = {"splits": splits, "missing": missing, "min_leaf": 1.03, "min_split": 2, "max_depth": None}
        assert_same(table, [1.0] * rows, {**rule, "criterion": criterion})


# Cases of their own -------------------------------------------------------------------------------------------------


def test_a_column_of_one_value_and_gaps_gains_no_more_than_its_entropy() -> None:
    """There is no cut of its values to choose; whether it is known is one test."""
    nan = np.nan
    table = pd.DataFrame({"x": [7, 7, 7, nan, nan, nan, 7, nan], "n": list("aaaabbbb"), "y": list("ppppqqqq")})
    tree = sf.c45(missing="direction", prune=None).fit(table, "y")
    work = tree.best_splits(table, "y")
    assert work["x"].gain == pytest.approx(1 + 0.75 * log2(0.75) + 0.25 * log2(0.25), rel=1e-12)
    assert work.best == "n"
    assert tree.score(table, "y") == 1.0


def test_of_equal_reductions_of_the_standard_deviation_the_first_column_wins() -> None:
    """The root of a rounding error is no difference."""
    table = pd.DataFrame({"u": [-0.75, -2.0, 2.0], "v": [2.0, 3.0, 0.0], "y": [0.0, 3.5, 0.0]})
    work = sf.DecisionTreeRegressor("standard_deviation").fit(table, "y").best_splits(table, "y")
    assert work["u"].gain == pytest.approx(work["v"].gain, rel=1e-12)
    assert work.best == "u"


def test_the_standard_deviation_parts_levels_of_like_mean_and_unlike_spread() -> None:
    """By b | a, c the reduction is 3 − (1·8 + 5·4)/12; a run in the order of the means finds less."""
    table = pd.DataFrame({"g": list("aaaabbbbcccc"), "y": [4, 6, 4, 6, 0, 10, 0, 10, 4, 6, 4, 6.0]})
    work = sf.DecisionTreeRegressor("standard_deviation", max_depth=1).fit(table, "y").best_splits(table, "y")
    assert work["g"].gain == pytest.approx(3 - 28 / 12, rel=1e-12)


def test_whether_a_column_has_very_many_levels_is_judged_by_the_weight_of_the_rows() -> None:
    """A row of weight 3 is three rows."""
    table = pd.DataFrame({"n": list("bcbaccca"), "x": [3.0, 2, 2, 1, 1, 0, 0, 0], "y": list("pqrqqrrr")})
    weights = [1, 2, 3, 2, 3, 2, 2, 1]
    weighted = sf.c45(min_leaf=1, prune=None).fit(table, "y", sample_weight=weights)
    repeated = sf.c45(min_leaf=1, prune=None).fit(table.loc[table.index.repeat(weights)], "y")
    assert weighted.describe() == repeated.describe()
