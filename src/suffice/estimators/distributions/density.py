"""What every density can do: fit, update, merge, forget; densities of rows, samples, pictures, files."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np

from suffice.errors import ForgetError, MergeError, SettingError, TableError
from suffice.estimators.answers.stream import R, Stream
from suffice.estimators.feature_names import feature_names
from suffice.estimators.inputs import is_strict, strict_array
from suffice.estimators.saved import Saved
from suffice.estimators.scikit import BaseEstimator, DensityMixin
from suffice.estimators.training_columns import (
    columns_for_file,
    remember_columns,
    require_plain_settings,
    restore_columns,
)
from suffice.models.generative import Drawn
from suffice.report.density import density_text
from suffice.report.density_picture import DensityPicture, density_picture
from suffice.report.extent import Extent
from suffice.sample import as_frame, record_table, require_draws
from suffice.schema import EVERY_RECORD, Array, Batch, Schema
from suffice.shown import quoted
from suffice.soundness import require_a, require_same
from suffice.sources import Reading, Rows, column_names, spellings
from suffice.sources.libraries import has_columns, is_series
from suffice.sources.reader import CHUNK_ROWS
from suffice.sources.reading import column_name, named_in, require_columns
from suffice.sources.records import read_records
from suffice.statistics.statistic import Measurement, merged, taken_out


class Density(DensityMixin, Stream, Saved, BaseEstimator):  # type: ignore[misc]
    """The settings of a density and, once fitted, its model and the statistic it was solved from.

    A subclass says what to measure and how to solve it; everything else is here.
    """

    columns: Any
    statistic_: Any
    frame_kind_: str

    _holds: ClassVar[type[Any]]  # the kind of model a file must have for it
    _kept_statistic: ClassVar[type[Any]]

    @abstractmethod
    def _measurement(self, schema: Schema) -> Measurement[Any]:
        """What to measure in one pass over the table."""

    @abstractmethod
    def _solve(self, statistic: Any) -> Any:
        """The model of a statistic, under the settings."""

    @abstractmethod
    def _log_density(self, batch: Batch) -> Array:
        """ln of the density of every row of a batch."""

    # Learning ---------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the density of a table's numeric columns: an array, a data frame, a path, a relation, a source.

        `sample_weight` is an array or the name of a column; a weight of 2 is the row twice. `y` is not used. The target
        of a source is none of its columns.
        """
        if isinstance(y, str):
            raise SettingError(
                f"A density has no target. To choose columns by name, write {type(self).__name__}(columns=[{y!r}])."
            )
        X = _as_table(X)
        X = strict_array(X) if is_strict(X) else X
        reading = Reading(missing_values=spellings(self.missing_values))
        records = read_records(X, sample_weight, reading, only_numbers=True)
        schema = self._chosen(records)
        self._replace(records.with_schema(schema).measure(self._measurement(schema)))
        names = (*records.names, sample_weight) if isinstance(sample_weight, str) else records.names
        remember_columns(self, X, names, records.frame_kind)
        return self

    def _chosen(self, table: Rows) -> Schema:
        """The schema of the columns that are wanted, or of all numeric ones."""
        schema = table.schema
        wanted = [column_name(name, table.names) for name in column_names(self.columns)]
        require_columns(named_in("columns"), wanted, table.names)
        for name in wanted:
            if name not in schema.numeric_position:
                raise TableError(f"Column {name!r} does not hold numbers, so it has no density. Leave it out.")
        numeric = {column.name: column for column in schema.numeric}
        chosen = [numeric[name] for name in dict.fromkeys(wanted)] if wanted else list(schema.numeric)
        if not chosen:
            raise TableError(
                "No column of the table holds numbers, so there is no density to learn. `sf.JointDistribution` counts "
                "levels."
            )
        return Schema(tuple(chosen), EVERY_RECORD)

    def _replace(self, statistic: Any) -> Self:
        self.model_ = self._solve(statistic)
        self.statistic_ = statistic
        return self

    def update(self, X: Any, sample_weight: Any = None) -> Self:
        """Add rows; the result is the density of all rows together."""
        self._fitted()
        return self._replace(merged(self.statistic_, self._measured_alike(X, sample_weight)))

    def merge(self, other: Density) -> Self:
        """Add the rows another density of the same kind and columns was learned from."""
        if type(other) is not type(self):
            raise MergeError(f"A {type(self).__name__} cannot take in a {type(other).__name__}.")
        self._fitted()
        other._fitted()
        return self._replace(merged(self.statistic_, other.statistic_))

    def forget(self, X: Any, sample_weight: Any = None) -> Self:
        """Take rows out; rows that were never there are an error, and change nothing."""
        self._fitted()
        gone = self._measured_alike(X, sample_weight)
        try:
            return self._replace(taken_out(self.statistic_, gone))
        except TableError as error:
            raise ForgetError(f"What is left has no density: {error}") from error

    def _measured_alike(self, X: Any, sample_weight: Any) -> Any:
        table = self._table(X, None, sample_weight)
        return table.measure(self._measurement(table.schema))

    # Asking -----------------------------------------------------------------------------------------------------

    def _checked(self, X: Any, is_by_name: bool) -> tuple[Any, tuple[str, ...] | None]:
        """An array or a frame, checked by the rules for arrays, or read by name where only some columns are used."""
        X = _as_table(X)
        if self.columns is None and len(self.schema_.columns) == self.n_features_in_:
            return super()._checked(X, is_by_name)
        X = strict_array(X)
        return X, None if has_columns(X) else self._names_of(X.shape[1])

    def _few_numbers(self, X: Any) -> Batch | None:
        return super()._few_numbers(X) if self.columns is None else None

    def _watched(self, table: Rows, work: Callable[[Batch], R]) -> Iterator[R]:
        """Chunks of arrays are small too, so that no thread has much more to do."""
        return super()._watched(table.in_slices(CHUNK_ROWS), work)

    def _names_of(self, width: int) -> tuple[str, ...]:
        """What the columns of an array are called: those of the first table or, where they are as many, those used."""
        names = self.schema_.names
        if width == self.n_features_in_:
            return feature_names(self)
        if width != len(names):
            raise TableError(f"The array has {width} columns, the density {len(names)}: {quoted(names)}.")
        return names

    def log_density(self, X: Any) -> Array:
        """ln of the density of every row. A row with missing values has the density of the values it has.

        A Spark or Dask frame comes back with a column of that name.
        """
        densities: Array = self._beside(X, self._log_density, (0,), "log_density")
        return densities

    def density(self, X: Any) -> Array:
        """The density of every row: how probable values near it are, per unit of every column."""
        densities: Array = self._beside(X, self._density, (0,), "density")
        return densities

    def _density(self, batch: Batch) -> Array:
        return np.exp(self._log_density(batch))

    def score_samples(self, X: Any) -> Array:
        """ln of the density of every row, under scikit-learn's name."""
        return self.log_density(X)

    def score(self, X: Any, y: Any = None) -> float:
        """The log-likelihood of a table: the sum over its rows."""
        return float(self._of_rows(X, self._log_density, (0,)).sum())

    def sample(self, n: int = 1, random_state: Any = None) -> Any:
        """New rows, in the kind of frame it was learned from, else PyArrow."""
        model = self._fitted()
        drawn: Drawn = model.draw(n, require_draws(n, random_state))
        return as_frame(record_table(model.schema, drawn), self.frame_kind_)

    # Reading ----------------------------------------------------------------------------------------------------

    def describe(self, full: bool = False) -> str:
        """The density as text; of more than 12 columns no correlations, unless `full`."""
        return density_text(self._fitted(), type(self).__name__, Extent.of(full))

    def plot(self, columns: Any = None) -> DensityPicture:
        """A curve for one column; for more, a curve for each and a map for each pair, as SVG.

        Of more than five columns the first five are drawn; `columns` chooses others.
        """
        schema = self.schema_
        names = [column_name(name, schema.names) for name in column_names(columns)] or list(schema.names)
        require_columns("column of the density", names, schema.names)
        return density_picture(self._fitted().schema, self._log_density_of(), self._look(), names, type(self).__name__)

    def _log_density_of(self) -> Callable[[Array], Array]:
        """The density of rows of numbers, NaN where any value will do."""
        schema = self.schema_

        def of(numbers: Array) -> Array:
            return self._log_density(Batch(schema, numbers, np.empty((0, len(numbers)), dtype=np.int32)))

        return of

    def _look(self) -> tuple[Array, Array]:
        """From where to where each column is drawn."""
        drawn = self._fitted().draw(2_000, np.random.default_rng(0)).numeric
        low, high = np.quantile(drawn, [0.001, 0.999], axis=0)
        return low - 0.05 * (high - low), high + 0.05 * (high - low)

    # Files ------------------------------------------------------------------------------------------------------

    def _content(self) -> dict[str, Any]:
        return {"model": self._fitted(), "statistic": self.statistic_}

    def _state(self) -> dict[str, Any]:
        return columns_for_file(self)

    @classmethod
    def _restored(cls, content: Mapping[str, Any]) -> Self:
        require_a("model", content["model"], cls._holds)
        estimator = cls(**content["settings"])
        estimator._require_settings()
        estimator.model_ = content["model"]
        estimator.statistic_ = cls._statistic_of(content)
        schema = estimator.schema_
        require_same("classes of rows", schema.target, EVERY_RECORD)
        require_same("columns", len(schema.numeric), len(schema.columns))
        require_same("schema and statistic", estimator.statistic_.schema, schema)
        if not schema.columns:
            raise ValueError("it has no column")
        restore_columns(estimator, content["state"], schema)
        return estimator

    @classmethod
    def _statistic_of(cls, content: Mapping[str, Any]) -> Any:
        require_a("statistic", content["statistic"], cls._kept_statistic)
        return content["statistic"]

    def _require_settings(self) -> None:
        """Settings from a file must be such as `fit` would have taken."""
        require_plain_settings(self, "columns", "missing_values")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


def _as_table(X: Any) -> Any:
    """A series as a frame of one column; anything else as it is."""
    return X.to_frame() if is_series(X) and hasattr(X, "to_frame") else X


def require_variation(schema: Schema, varies: Any, rows: float) -> None:
    """Rows that are too few, or a column without variation, have no density."""
    if rows <= 1:
        raise TableError(
            f"There is no density of one sample: the rows weigh {rows:g} in all, where a weight of 1 is a row, and at "
            "least two are needed. Give more rows, or weights that count them."
        )
    constant = [column.name for column, is_one in zip(schema.columns, varies, strict=True) if not is_one]
    if constant:
        others = [name for name in schema.names if name not in constant]
        advice = f"Leave it out: columns={others!r}." if others else "Give a column whose values differ."
        raise TableError(f"Column {quoted(constant)} has the same value in every row, so it has no density. {advice}")
