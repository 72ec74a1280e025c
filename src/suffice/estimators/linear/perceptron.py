"""The perceptron for tables as they are."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from suffice.errors import ConvergenceWarning, warn_user
from suffice.estimators.class_factors import class_factors
from suffice.estimators.classifier import Classifier
from suffice.estimators.refitted import Refitted
from suffice.explain.linear import LinearExplanation, explain_linear
from suffice.explain.shown import TOP
from suffice.models.perceptron import PerceptronModel
from suffice.schema import AnyArray, Array, Batch
from suffice.settings import require_whole
from suffice.solve.logistic.setup import FIRST_PASS, first_design, level_shares
from suffice.solve.perceptron import PATIENCE, lined_up, pocket
from suffice.sources.keeping.in_memory import InMemory
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.reweighed import reweighed
from suffice.statistics.row_keys import in_key_order

MOST_VISITS = 5_000_000  # of rows, in all epochs together, unless more are asked for


class Perceptron(Classifier, Refitted):
    """The perceptron h(x) = sign(θ·x): it learns from its mistakes, row by row, until it makes none.

    On separable classes it ends with every row on its own side. Otherwise it never would: after `max_epochs` it says so
    and keeps the θ with the fewest mistakes. By default that is after 1,000 epochs or 5,000,000 visits of rows, but not
    before 20 epochs; and after 500,000 visits as soon as 10 epochs in a row brought no better θ.
    The order in which rows are visited depends on what is in them and on `random_state`, not on where they stand.
    Columns are standardised, nominal ones have a weight per level. `class_weight` maps classes to what their rows
    count for, in a correction and as a mistake, or is "balanced". There are no probabilities; `decision_function` is
    θ·x.

    >>> import suffice as sf
    >>> model = sf.Perceptron().fit([[1.0, 2.0], [2.0, 1.0], [6.0, 9.0], [9.0, 6.0]], ["low", "low", "high", "high"])
    >>> model.predict([[1.5, 1.5], [8.0, 8.0]]).tolist(), model.is_separating_
    (['low', 'high'], True)
    """

    model_: PerceptronModel
    _holds = PerceptronModel
    _work = "learning from mistakes"

    def __init__(
        self,
        max_epochs: int | None = None,
        random_state: int = 0,
        class_weight: Any = None,
        nominal: Any = None,
        missing_values: Any = None,
        keep: Any = None,
        drop: Any = None,
    ) -> None:
        self.max_epochs = max_epochs
        self.random_state = random_state
        self.class_weight = class_weight
        self.nominal = nominal
        self.missing_values = missing_values
        self.keep = keep
        self.drop = drop

    def fit(self, X: Any, y: Any = None) -> Self:
        """Train on a table; y is an array of classes, or the name of the table's target column.

        All rows are read into memory. A fit that fails leaves the estimator as it was.

        >>> import suffice as sf
        >>> sf.Perceptron().fit([[1.0], [2.0], [8.0], [9.0]], ["low", "low", "high", "high"]).is_separating_
        True
        """
        with self._learning(X, y, None) as table:
            self._accept(self._fold_model(self._training_batch(table)))
        model = self.model_
        if not model.is_separating:
            warn_user(
                f"After {model.epochs:,} epochs {model.mistakes:,} of {model.rows:,} rows are still on the wrong side; "
                "the best weights are kept. Either the classes are not linearly separable (sf.linearly_separable "
                "tells), or max_epochs must be raised.",
                ConvergenceWarning,
            )
        return self

    def _fold_model(self, batch: Batch) -> PerceptronModel:
        """The model of the rows of a batch."""
        most = min(max(MOST_VISITS // max(batch.rows, 1), 20), 1000) if self.max_epochs is None else self.max_epochs
        require_whole("max_epochs", most, 1)
        require_whole("random_state", self.random_state, 0)
        if self.class_weight is not None:
            weight = ClassWeights.of(batch).weight
            batch = reweighed(batch, class_factors(self.class_weight, batch.schema.classes, weight))
        batch = in_key_order(batch, int(self.random_state))  # sums, too, are the same in whatever order rows come
        known = InMemory.of(batch).measure(FIRST_PASS).parts["known"]
        design = first_design(known, degree=1)
        batch = lined_up(design, batch, int(self.random_state))
        found = pocket(design, batch, int(most), int(self.random_state), PATIENCE if self.max_epochs is None else None)
        weights = found.weights[1:] - found.weights[:1] if len(found.weights) == 2 else found.weights
        shares = level_shares(known.parts["counts"])
        return PerceptronModel(batch.schema, design, weights, shares, found.mistakes, batch.rows, found.epochs)

    # Answering --------------------------------------------------------------------------------------------------

    def decision_function(self, X: Any) -> Array:
        """θ·x, positive for the second of two classes; with more classes a score for each."""
        return self._decisions(X, self._decision)

    def _decision(self, batch: Batch) -> Array:
        found: Array = self._fitted().scores(batch)
        return found[:, 0] if found.shape[1] == 1 else found

    def explain(self, row: Any, top: int | None = TOP) -> LinearExplanation:
        """The derivation of one prediction: what every column adds to θ·x; of many, the `top` that matter most."""
        return explain_linear(self._fitted(), self._one_row(row), top)

    # Reading ----------------------------------------------------------------------------------------------------

    @property
    def is_separating_(self) -> bool:
        """Whether every training row is on its own side."""
        return self._fitted().is_separating

    @property
    def n_iter_(self) -> int:
        """How many epochs it took."""
        return self._fitted().epochs

    @property
    def coef_(self) -> Array:
        """θ in the table's units without the intercept, a row for two classes, else a row per class."""
        coefficients: Array = self._fitted().coefficients
        return coefficients[:, 1:]

    @property
    def coef_names_(self) -> AnyArray:
        """What the columns of `coef_` belong to: numbers by their column, levels as `Outlook=Rain`."""
        return np.array(self._fitted().design.names[1:], dtype=object)

    @property
    def intercept_(self) -> Array:
        """The intercepts."""
        coefficients: Array = self._fitted().coefficients
        return coefficients[:, 0]
