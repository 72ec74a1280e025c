"""Cross-validation of one estimator: in one pass where statistics of folds can be merged, else by refitting."""

from __future__ import annotations

from typing import Any, overload

from suffice.errors import SettingError
from suffice.estimators import Classifier, DecisionTreeRegressor
from suffice.estimators.enough_memory import require_memory
from suffice.evaluation.cross_validation.contestant_of import contestant_of
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.results import CrossValidation, RegressionCrossValidation, Result
from suffice.evaluation.cross_validation.trial import require_folds


@overload
def cross_validate(
    estimator: Classifier,
    table: Any,
    target: Any,
    folds: int = ...,
    random_state: int = ...,
    sample_weight: Any = ...,
    drop: Any = ...,
) -> CrossValidation: ...


@overload
def cross_validate(
    estimator: DecisionTreeRegressor,
    table: Any,
    target: Any,
    folds: int = ...,
    random_state: int = ...,
    sample_weight: Any = ...,
    drop: Any = ...,
) -> RegressionCrossValidation: ...


def cross_validate(
    estimator: Any,
    table: Any,
    target: Any,
    folds: int = 10,
    random_state: int = 0,
    sample_weight: Any = None,
    drop: Any = None,
) -> Result:
    """Cross-validate on a table: the model of a fold is that of all other rows, under the whole table's schema.

    Generative classifiers take one pass to measure all folds, whose statistics are merged, and one to predict them;
    the other models, and LDA and QDA of few rows and many columns, read all rows and are fitted anew for every fold.
    Folds are stratified by class and depend on `random_state` only. Columns named in `drop` are left out. An estimator
    of scikit-learn is judged on the same folds.

    >>> import suffice as sf
    >>> result = sf.cross_validate(sf.LDA(), sf.datasets.load("iris"), "species")
    >>> round(result.mean("accuracy"), 2)
    0.98
    >>> result = sf.cross_validate(sf.cart(criterion="variance"), sf.datasets.load("iris"), "petal_width")
    >>> round(result.mean("r2"), 1)
    0.9
    """
    require_folds(folds, random_state)
    contestant = contestant_of(estimator)
    if contestant is None:
        raise _no_model(estimator)
    contestant = contestant.reading_as({"drop": drop})
    opened = contestant.opened(table, target, sample_weight)
    if contestant.own is not None:
        require_memory(contestant.own, opened, folds)
    return contestant.cross_validated(opened, Dealing(folds, random_state)).result


def _no_model(given: object) -> SettingError:
    shown = repr(given) if isinstance(given, str) else f"An object of type {type(given).__name__}"
    return SettingError(
        f"{shown} is no model of suffice. Give an estimator first, as in cross_validate(sf.LDA(), table, target); "
        "sf.compare also takes names of models, and scikit-learn's own cross_validate any estimator."
    )
