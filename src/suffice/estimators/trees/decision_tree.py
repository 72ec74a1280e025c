"""Decision trees as scikit-learn estimators, for tables as they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, ClassVar

import numpy as np

from suffice.errors import TableError
from suffice.estimators.class_factors import class_factors
from suffice.estimators.classifier import ProbabilisticClassifier
from suffice.estimators.inputs import array_of_labels, scored_target
from suffice.estimators.scikit import RegressorMixin, column_or_1d
from suffice.estimators.trees.rules import Rules
from suffice.estimators.trees.tree_base import CONFIDENCE, DecisionTree
from suffice.models.trees.nodes import Nodes
from suffice.models.trees.routing import SEVERAL
from suffice.models.trees.tree import ClassificationTree, RegressionTree
from suffice.schema import AnyArray, Array, Batch, Schema
from suffice.schema.encoder import require_kind
from suffice.solve.probabilities import require_smoothing
from suffice.solve.trees.learn import TreeSettings
from suffice.solve.trees.row_facts import RowFacts
from suffice.solve.trees.rules.c45rules import simplified_rules
from suffice.solve.trees.training_rows import RowReading
from suffice.sources import Reading
from suffice.sources.reading import named_column
from suffice.sources.source import is_source
from suffice.sources.targets.target import numeric_target
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.moments.magnitudes import LEAST_SQUARE, too_large, too_small
from suffice.statistics.squared_errors import SquaredErrors
from suffice.statistics.ties import first_of_equals


class DecisionTreeClassifier(ProbabilisticClassifier, DecisionTree):
    """A decision tree of classes; as it stands, C4.5.

    `criterion` is "information_gain", "gain_ratio" (under C4.5's conditions) or "gini"; `splits` gives a nominal
    column a branch for every level ("multiway") or the best two subsets ("binary"); a `missing` value goes down all
    branches by their shares ("fractional") or takes the branch that suits best ("direction"); `prune` is None,
    "pessimistic" (C4.5, with `confidence`), "reduced_error" or "cost_complexity". `min_leaf` and `min_split` are
    weights of rows, `min_weight_fraction_leaf` is a share of the weight of all of them. Splits are exact and nothing is
    random: of equals the first column wins; `random_state` only seeds the folds of the last two ways of pruning.
    `leaf_smoothing` is how many rows, spread evenly over the classes, every leaf is given beside its own when it says
    how probable a class is: 2 is Laplace's rule for two classes, 0 takes the counts as they are, as J48 does. What a
    leaf predicts and prints does not change. Rows that take more than `memory` ("1GB"; by default half of what the
    machine has) are not gathered: the tree is grown level by level, one pass each.

    >>> import suffice as sf
    >>> print(sf.DecisionTreeClassifier().fit(sf.datasets.load("iris"), "species").describe())
    DecisionTreeClassifier: species with 3 classes, 4 numeric and 0 nominal columns, 5 leaves, 9 nodes, depth 4
    <BLANKLINE>
    petal_width <= 0.6: setosa (50.0)
    petal_width > 0.6
    |   petal_width <= 1.7
    |   |   petal_length <= 4.9: versicolor (48.0/1.0)
    |   |   petal_length > 4.9
    |   |   |   petal_width <= 1.5: virginica (3.0)
    |   |   |   petal_width > 1.5: versicolor (3.0/1.0)
    |   petal_width > 1.7: virginica (46.0/1.0)
    """

    model_: ClassificationTree
    _holds = ClassificationTree
    _at_first: ClassVar[Mapping[str, Any]] = {"leaf_smoothing": 0.0}
    _classifies = True

    def __init__(
        self,
        criterion: str = "gain_ratio",
        splits: str = "multiway",
        missing: str = "fractional",
        prune: str | None = "pessimistic",
        confidence: float = CONFIDENCE,
        max_depth: int | None = None,
        min_leaf: float = 2,
        min_split: float = 2,
        max_leaves: int | None = None,
        min_weight_fraction_leaf: float = 0.0,
        class_weight: Any = None,
        random_state: Any = None,
        nominal: Any = None,
        missing_values: Any = None,
        keep: Any = None,
        drop: Any = None,
        leaf_smoothing: float = 2.0,
        memory: Any = None,
    ) -> None:
        self.criterion = criterion
        self.splits = splits
        self.missing = missing
        self.prune = prune
        self.confidence = confidence
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.min_split = min_split
        self.max_leaves = max_leaves
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.class_weight = class_weight
        self.random_state = random_state
        self.nominal = nominal
        self.missing_values = missing_values
        self.keep = keep
        self.drop = drop
        self.leaf_smoothing = leaf_smoothing
        self.memory = memory

    def _settings(self) -> TreeSettings:
        require_smoothing(self.leaf_smoothing, "uniform", "leaf_smoothing")
        return super()._settings()

    def _row_reading(self, measure: Callable[[type[ClassWeights]], ClassWeights], schema: Schema) -> RowReading:
        factors = np.empty(0)
        if self.class_weight is not None:
            factors = class_factors(self.class_weight, schema.classes, measure(ClassWeights).weight)
        return RowReading(True, factors)

    def _model(self, schema: Schema, nodes: Nodes) -> ClassificationTree:
        return ClassificationTree(schema, nodes, float(self.leaf_smoothing))

    def _answer(self, batch: Batch) -> AnyArray:
        leaves = self.model_.leaves(batch)
        decided = np.take(self.model_.decision, leaves)
        several = np.flatnonzero(leaves == SEVERAL)
        if len(several):
            decided[several] = first_of_equals(self.model_.posterior(batch.take(several)))
        return decided

    def rules(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Rules:
        """The tree as if-then rules: one for every path or, given the training rows, simplified as C4.5rules does.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> tree = sf.id3().fit(tennis, "PlayTennis")
        >>> print(tree.rules().formula("Yes"))
        Outlook = Overcast ∨ (Outlook = Rain ∧ Wind = Weak) ∨ (Outlook = Sunny ∧ Humidity = Normal)
        """
        if X is None:
            return super().rules()
        return Rules.of(simplified_rules(self._fitted(), self._rows_of(X, y, sample_weight), self.confidence))


class DecisionTreeRegressor(RegressorMixin, DecisionTree):  # type: ignore[misc]
    """A decision tree of numbers: every leaf predicts the mean of its rows.

    `criterion` is "variance" or "standard_deviation", whose reduction chooses the splits; the other settings are those
    of `DecisionTreeClassifier`, but for pessimistic pruning, which counts errors.

    >>> import suffice as sf
    >>> hours = sf.datasets.load("hours_played")
    >>> tree = sf.DecisionTreeRegressor("standard_deviation", splits="multiway", max_depth=1).fit(hours, "Hours Played")
    >>> print(tree.describe())
    DecisionTreeRegressor: Hours Played, 0 numeric and 4 nominal columns, 3 leaves, 4 nodes, depth 1
    <BLANKLINE>
    Outlook = Overcast: 49.25 (4.0, sd 7.60)
    Outlook = Rainy: 35.6 (5.0, sd 7.53)
    Outlook = Sunny: 41.8 (5.0, sd 13.83)
    """

    model_: RegressionTree
    _holds = RegressionTree
    _retired = ("confidence",)  # which never did anything
    _classifies = False
    _learns = "numbers"

    def __init__(
        self,
        criterion: str = "variance",
        splits: str = "binary",
        missing: str = "direction",
        prune: str | None = None,
        max_depth: int | None = None,
        min_leaf: float = 1,
        min_split: float = 2,
        max_leaves: int | None = None,
        min_weight_fraction_leaf: float = 0.0,
        random_state: Any = None,
        nominal: Any = None,
        missing_values: Any = None,
        keep: Any = None,
        drop: Any = None,
        memory: Any = None,
    ) -> None:
        self.criterion = criterion
        self.splits = splits
        self.missing = missing
        self.prune = prune
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.min_split = min_split
        self.max_leaves = max_leaves
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.random_state = random_state
        self.nominal = nominal
        self.missing_values = missing_values
        self.keep = keep
        self.drop = drop
        self.memory = memory

    def _reading(self) -> Reading:
        return replace(super()._reading(), numeric_target=True)

    def _labels(self, y: Any) -> Any:
        y = named_column(y)
        if y is None or isinstance(y, str):
            return y
        return column_or_1d(array_of_labels(y), warn=True)

    def _row_reading(self, measure: Callable[[type[ClassWeights]], ClassWeights], schema: Schema) -> RowReading:
        return RowReading(False, np.empty(0))

    def _require_outcomes(self, rows: RowFacts) -> None:
        """The squares of the numbers to predict must be numbers that can be kept."""
        name = rows.schema.target.name
        low, high = rows.extent
        with np.errstate(over="ignore"):
            largest = rows.total_weight * np.square(max(-low, high, 0.0))
        if not np.isfinite(largest):
            raise too_large(name)
        if high > low and min(rows.total_weight, 1.0) * (high - low) ** 2 < LEAST_SQUARE:
            raise too_small(name)

    def _model(self, schema: Schema, nodes: Nodes) -> RegressionTree:
        return RegressionTree(schema, nodes)

    def predict(self, X: Any) -> Array:
        """The number every row is predicted.

        >>> import suffice as sf
        >>> tree = sf.DecisionTreeRegressor().fit([[1.0], [2.0], [8.0], [9.0]], [0.0, 0.0, 5.0, 5.0])
        >>> tree.predict([[1.4], [8.2]]).tolist()
        [0.0, 5.0]
        """
        numbers: Array = self._of_rows(X, self._answer, (0,), there=self._predicted_there)
        return numbers

    def _decided(self, output: Array) -> Array:
        return output

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """R², the share of the variance that is predicted; y may be the name of the target column."""
        y = scored_target(y, X)
        if not (isinstance(y, str) or is_source(X)):
            given = numeric_target(y)
            require_kind(self._fitted().numbers, given)
            share: float = super().score(X, given.data, sample_weight)
            return share
        found = reduce(SquaredErrors.merge, self._answers(X, self._squared_errors, y, sample_weight), SquaredErrors())
        if not found.truth.scatter:
            raise TableError("The target does not vary in these rows, so R² is not defined. Give other rows.")
        return found.r2

    def _squared_errors(self, batch: Batch) -> SquaredErrors:
        return SquaredErrors.of(self._answer(batch), batch.responses(), batch.row_weights())
