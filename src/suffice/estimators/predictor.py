"""What every estimator does with a table: read it, remember it; what every model can tell of itself, and its file."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from suffice.errors import TableError
from suffice.estimators.answers.answering import Answering
from suffice.estimators.foreign_settings import require_known, with_hints
from suffice.estimators.inputs import own_name, training_input
from suffice.estimators.saved import Saved
from suffice.estimators.scikit import BaseEstimator
from suffice.estimators.training_columns import (
    columns_for_file,
    remember_columns,
    require_plain_settings,
    restore_columns,
)
from suffice.soundness import require_a, require_same
from suffice.sources import Reading, Rows
from suffice.sources.open import is_sparse
from suffice.sources.reading import named_column
from suffice.sources.source import is_source
from suffice.sources.training.training_table import OpenedTable, open_table


class Predictor(Answering, Saved, BaseEstimator):  # type: ignore[misc]
    """The settings of a model and, once fitted, the immutable model itself."""

    nominal: Any
    keep: Any
    drop: Any
    frame_kind_: str

    _learns = "classes"
    _holds: ClassVar[type[Any]]  # the kind of model a file must have for it
    _retired: ClassVar[tuple[str, ...]] = ()  # settings of earlier versions' files that mean nothing now
    _at_first: ClassVar[Mapping[str, Any]] = {}  # what settings were before files of earlier versions had them

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        if "__init__" in cls.__dict__:
            cls.__init__ = with_hints(cls.__init__)  # type: ignore[method-assign]

    def set_params(self, **params: Any) -> Self:
        """Change settings; a name that another library uses is met with a hint."""
        require_known(type(self), {name: value for name, value in params.items() if "__" not in name})
        changed: Self = super().set_params(**params)
        return changed

    # Training ---------------------------------------------------------------------------------------------------

    def _reading(self) -> Reading:
        return Reading.of(self.nominal, self.missing_values, self.keep, self.drop)

    @abstractmethod
    def _labels(self, y: Any) -> Any:
        """The target as it was given, checked: the name of a column, or an array."""

    def _opened(
        self, X: Any, y: Any, sample_weight: Any, classes: Any = None, is_part: bool = False
    ) -> OpenedTable | Rows:
        """The table with its target, open, or a source; `open_table` says what the other arguments mean."""
        if y is None and not is_source(X):
            raise TableError(
                f"requires y to be passed, but the target y is None: {type(self).__name__} learns {self._learns}. "
                "Give y as an array or as the name of the target column."
            )
        table, reading = training_input(X, y, sample_weight, self._reading())
        return open_table(table, self._labels(y), sample_weight, reading, classes, is_part, own_name(y))

    def _numbers(self, table: Rows) -> float:
        """About how many numbers the model or its statistic has, at the least; by default one per class and term."""
        schema = table.schema
        return max(schema.class_count, 1) * (len(schema.numeric) + schema.level_offsets[-1])

    def _numbers_at_once(self, table: Rows, folds: int) -> float:
        """About how many numbers are in memory at once, while it learns or, where there are folds, is judged."""
        return self._numbers(table) * (1 if folds == 1 else 3 * folds)

    def _remember(self, X: Any, y: Any, table: Rows) -> None:
        """What later calls must agree with: the columns, and whether the target was named."""
        y = table.schema.target.name if is_source(X) else named_column(y)
        self.target_name_ = y if isinstance(y, str) else None
        remember_columns(self, X, table.names, table.frame_kind)
        if is_sparse(X):
            self.n_features_in_ = X.shape[1]

    def _accept(self, model: Any) -> None:
        """Put a new model in place of the old one."""
        self.model_ = model

    def _with_model(self, model: Any) -> Self:
        """A copy of the settings with another model in place."""
        other = copy.copy(self)
        other._accept(model)
        return other

    # Reading ----------------------------------------------------------------------------------------------------

    def describe(self, full: bool = False) -> str:
        """The whole model as text, in the language of the lectures; of long tables the beginning, unless `full`.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis").select(["Wind", "PlayTennis"])
        >>> print(sf.NaiveBayes(smoothing=0).fit(tennis, "PlayTennis").describe())
        NaiveBayes: PlayTennis with 2 classes, 0 numeric and 1 nominal columns, 5 parameters
        <BLANKLINE>
        P(No) = 5/14 = 0.3571
        P(Yes) = 9/14 = 0.6429
        <BLANKLINE>
        P(Wind | ·)   No  Yes
        -----------  ---  ---
        Strong       3/5  3/9
        Weak         2/5  6/9
        """
        from suffice.report.describe import describe  # which knows every model; most programs never ask
        from suffice.report.extent import Extent

        return describe(self._fitted(), type(self).__name__, Extent.of(full))

    # Files ------------------------------------------------------------------------------------------------------

    def _content(self) -> dict[str, Any]:
        return {"model": self._fitted()}

    def _state(self) -> dict[str, Any]:
        return {**columns_for_file(self), "target_name": self.target_name_}

    @classmethod
    def _restored(cls, content: Mapping[str, Any]) -> Self:
        require_a("model", content["model"], cls._holds)
        settings, state = {**cls._at_first, **content["settings"]}, content["state"]
        estimator = cls(**{name: settings[name] for name in settings if name not in cls._retired})
        estimator._accept(content["model"])
        restore_columns(estimator, state, estimator.schema_)
        if state["target_name"] is not None:
            require_same("names of the target", state["target_name"], estimator.schema_.target.name)
        estimator.target_name_ = state["target_name"]
        estimator._require_settings()
        return estimator

    def _require_settings(self) -> None:
        """Settings from a file must be such as `fit` would have taken."""
        require_plain_settings(self, "nominal", "missing_values", "keep", "drop")

    # scikit-learn -----------------------------------------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.sparse = self._reading().reads_text
        return tags
