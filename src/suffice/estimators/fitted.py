"""What every fitted estimator has: a model, its schema, and how many numbers it consists of."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from suffice.estimators.scikit import check_is_fitted
from suffice.schema import Schema

T_co = TypeVar("T_co", covariant=True)


class Having(Protocol[T_co]):
    """What has a model of some kind."""

    @property
    def model_(self) -> T_co:
        """The model."""
        ...


class Fitted:
    """An estimator whose model says what the columns are."""

    model_: Any

    def _fitted(self: Having[T_co]) -> T_co:
        """The model, as the class says what it is; an error where nothing was fitted yet."""
        if "model_" not in self.__dict__:  # to ask scikit-learn takes longer than to answer for a row
            check_is_fitted(self, "model_")
        return self.model_

    @property
    def parameter_count(self) -> int:
        """How many numbers the model consists of."""
        count: int = self._fitted().parameter_count
        return count

    @property
    def schema_(self) -> Schema:
        """What the columns are, and the classes where it has some."""
        schema: Schema = self._fitted().schema
        return schema
