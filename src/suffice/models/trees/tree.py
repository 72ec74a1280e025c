"""Decision trees: the fitted model, read from the root."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from suffice.kernels.tree_routing import Routes, find_leaves, mix, shares_of_leaves
from suffice.models.posterior import ProbabilityModel
from suffice.models.trees.conditions import Condition, Interval, Levels, Missing
from suffice.models.trees.nodes import Nodes
from suffice.models.trees.numbers import numbers_and_codes
from suffice.models.trees.routing import SEVERAL, node_weights, routes_of
from suffice.schema import AnyArray, Array, Batch, Codes, Column, Level, Nominal, Numeric, Schema
from suffice.schema.columns import PLAIN_NUMBERS
from suffice.soundness import ROUNDING, require_a, require_number, require_numbers
from suffice.statistics.moments.column_moments import require_no_infinity
from suffice.statistics.ties import first_of_equals


def require_parts_of_whole(sums: Array) -> None:
    """No node may have more than the root."""
    if np.any(sums > sums[0] * (1.0 + 1e-6) + ROUNDING):
        raise ValueError("a node of the tree has rows that the root has not")


@dataclass(frozen=True)
class TreeModel(ABC):
    """A fitted tree: its nodes, and the schema its columns are positions in."""

    schema: Schema
    nodes: Nodes

    classifies: ClassVar[bool]  # whether it answers with classes, not with numbers

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_a("nodes", self.nodes, Nodes)
        self.nodes.require_tests([len(c.levels) if isinstance(c, Nominal) else 0 for c in self.schema.columns])
        self._require_statistic()
        if not self.weight[0] > 0:
            raise ValueError("the tree has no rows")

    @abstractmethod
    def _require_statistic(self) -> None:
        """The rows of every node must be such as the target has."""

    # What it is -------------------------------------------------------------------------------------------------

    @cached_property
    def weight(self) -> Array:
        """The weight of the training rows at each node."""
        return node_weights(self.nodes, self.classifies)

    @property
    @abstractmethod
    def answers(self) -> Array:
        """(node, k): what each node answers: the probability of every class, or the one number to predict."""

    @property
    def smoothing(self) -> float:
        """How many rows, spread evenly over the classes, join a leaf's own."""
        return 0.0

    @property
    @abstractmethod
    def errors(self) -> Array:
        """The weight of the training rows at each node that are not of its class; no number where there are none."""

    @property
    @abstractmethod
    def deviation(self) -> Array:
        """The standard deviation of each node's rows; no number where they have classes."""

    @abstractmethod
    def predicted(self, node: int) -> Level:
        """What a node predicts: a class, or a number."""

    @abstractmethod
    def answer_text(self, node: int) -> str:
        """The same, as it reads."""

    @property
    def numbers(self) -> Numeric:
        """What the numbers to predict are, where these are no classes."""
        return self.schema.target if isinstance(self.schema.target, Numeric) else PLAIN_NUMBERS

    @cached_property
    def source(self) -> Codes:
        """For each node the nearest one, itself or above, that has rows: an empty branch answers as its parent."""
        source = np.arange(self.nodes.count, dtype=np.int32)
        is_empty = self.weight <= 0
        is_empty[0] = False
        while is_empty[source].any():
            source = np.where(is_empty[source], self.nodes.parent[source], source)
        return source

    @property
    def parameter_count(self) -> int:
        """Every number in the tree: a test for every inner node, K−1 probabilities (or a mean) for every leaf."""
        per_leaf = max(self.answers.shape[1] - 1, 1)
        leaves = self.nodes.leaf_count
        return self.nodes.count - leaves + leaves * int(per_leaf)

    @property
    def without_evidence(self) -> tuple[str, ...]:
        """Columns no test asks about."""
        asked = set(self.nodes.column[self.nodes.column >= 0].tolist())
        return tuple(name for position, name in enumerate(self.schema.names) if position not in asked)

    # Which tests it asks ----------------------------------------------------------------------------------------

    def tested(self, node: int) -> Column:
        """The column an inner node asks about."""
        return self.schema.columns[int(self.nodes.column[node])]

    def branch_codes(self, node: int, branch: int) -> tuple[int, ...]:
        """The levels that take a branch of a nominal test, by their codes."""
        begin = int(self.nodes.subset[node])
        if begin < 0:
            return (branch,)
        column = self.tested(node)
        assert isinstance(column, Nominal)
        takes_first = self.nodes.takes_first[begin : begin + len(column.levels)]
        return tuple(np.flatnonzero(takes_first == (branch == 0)).tolist())

    def branch_levels(self, node: int, branch: int) -> tuple[Level, ...]:
        """The levels that take a branch of a nominal test."""
        column = self.tested(node)
        assert isinstance(column, Nominal)
        return tuple(column.levels[code] for code in self.branch_codes(node, branch))

    def condition(self, node: int, branch: int) -> Condition:
        """What a row must fulfil to take a branch: `Wind = Weak`, `age <= 40`, `color in {red, blue}`."""
        column = self.tested(node)
        if isinstance(column, Nominal):
            codes = self.branch_codes(node, branch)
            return Levels(column, codes) if codes else Missing(column)
        assert isinstance(column, Numeric)
        threshold = float(self.nodes.threshold[node])
        if np.isinf(threshold) and branch == 1:  # the test parts known from missing
            return Missing(column)
        return Interval(column, high=threshold) if branch == 0 else Interval(column, low=threshold)

    # Where rows go ----------------------------------------------------------------------------------------------

    @cached_property
    def routes(self) -> Routes:
        """The tree as the kernels read it."""
        return routes_of(self.nodes, self.schema, self.classifies)

    def leaves(self, batch: Batch) -> Codes:
        """The leaf every row reaches; -1 where a missing value sends it to several."""
        require_no_infinity(batch)
        leaves = np.empty(batch.rows, dtype=np.int32)
        find_leaves(self.routes, *numbers_and_codes(batch), leaves)
        return leaves

    def answer(self, batch: Batch) -> Array:
        """(row, k): the answer of every row's leaf, or of its leaves by their shares."""
        leaves = self.leaves(batch)
        if not (leaves == SEVERAL).any():
            return np.take(self.answers, leaves, axis=0)
        out = np.empty((batch.rows, self.answers.shape[1]))
        mix(self.routes, *numbers_and_codes(batch), leaves, self.answers, out)
        return out

    def leaf_shares(self, batch: Batch, row: int = 0) -> tuple[Codes, Array]:
        """The leaves one row reaches, in order, and its share in each."""
        leaves, shares = shares_of_leaves(self.routes, *numbers_and_codes(batch), row)
        return leaves, shares


@dataclass(frozen=True)
class ClassificationTree(TreeModel, ProbabilityModel):
    """A tree whose leaves give P(class | row): the class weights of the training rows there, smoothed.

    P(class | leaf) = (n_class + m/K)/(n + m): m rows, spread evenly over the K classes, join every leaf.
    """

    leaf_smoothing: float = 0.0  # m

    classifies: ClassVar[bool] = True

    def _require_statistic(self) -> None:
        require_a("target", self.schema.target, Nominal)
        require_number("smoothing of leaves", self.leaf_smoothing, 0.0)
        require_numbers("counts", self.nodes.statistic, (self.nodes.count, self.schema.class_count), 0.0)
        require_parts_of_whole(self.nodes.statistic)

    @cached_property
    def answers(self) -> Array:
        """(node, class): the share of every class among the node's rows and those that smoothing adds."""
        statistic = self.nodes.statistic[self.source] + self.leaf_smoothing / self.schema.class_count
        shares: Array = statistic / statistic.sum(axis=1, keepdims=True)
        return shares

    @cached_property
    def decision(self) -> AnyArray:
        """The class each node predicts, by position; the first of equals. Smoothing does not change it."""
        statistic = self.nodes.statistic[self.source]
        return first_of_equals(statistic / statistic.sum(axis=1, keepdims=True))

    @cached_property
    def errors(self) -> Array:
        """The weight of the training rows at each node that are not of its class."""
        rows = np.arange(self.nodes.count)
        errors: Array = self.weight - self.nodes.statistic[rows, self.decision]
        return errors

    @property
    def smoothing(self) -> float:
        """The rows m that join every leaf's own."""
        return self.leaf_smoothing

    @cached_property
    def deviation(self) -> Array:
        """Classes have none."""
        return np.full(self.nodes.count, np.nan)

    def predicted(self, node: int) -> Level:
        """The class a node predicts."""
        return self.schema.classes[int(self.decision[node])]

    def answer_text(self, node: int) -> str:
        """The class a node predicts, as it reads."""
        return str(self.predicted(node))

    def posterior(self, batch: Batch) -> Array:
        """P(class | row)."""
        return self.answer(batch)

    def log_posterior(self, batch: Batch) -> Array:
        """ln P(class | row); without smoothing a class that no training row of the leaf has is impossible there."""
        with np.errstate(divide="ignore"):
            return np.log(self.answer(batch))


@dataclass(frozen=True)
class RegressionTree(TreeModel):
    """A tree whose leaves predict the mean of their training rows."""

    classifies: ClassVar[bool] = False

    def _require_statistic(self) -> None:
        require_a("target", self.schema.target, Numeric)
        require_numbers("moments", self.nodes.statistic, (self.nodes.count, 3))
        require_numbers("weights", self.nodes.statistic[:, 0], (self.nodes.count,), 0.0)
        require_numbers("squared deviations", self.nodes.statistic[:, 2], (self.nodes.count,), 0.0)
        require_parts_of_whole(self.nodes.statistic[:, [0, 2]])

    @cached_property
    def answers(self) -> Array:
        """(node, 1): the mean of each node's rows."""
        return self.nodes.statistic[self.source, 1:2]

    @cached_property
    def deviation(self) -> Array:
        """The standard deviation of each node's rows."""
        weight = np.where(self.weight > 0, self.weight, 1.0)
        deviation: Array = np.sqrt(self.nodes.statistic[:, 2] / weight)
        return deviation

    @cached_property
    def errors(self) -> Array:
        """Numbers have none."""
        return np.full(self.nodes.count, np.nan)

    def predicted(self, node: int) -> float:
        """The number a node predicts."""
        return float(self.answers[node, 0])

    def answer_text(self, node: int) -> str:
        """The number a node predicts, as it reads."""
        return self.numbers.shown(self.predicted(node))

    def output(self, batch: Batch) -> Array:
        """What the model says of every row: the number it predicts."""
        return self.answer(batch)[:, 0]
