"""Cross-validation of one estimator: in one pass where statistics of folds can be merged, else by refitting."""

from __future__ import annotations

from typing import Any, overload

from suffice.errors import SettingError
from suffice.estimators import Classifier, DecisionTreeRegressor, GenerativeClassifier, Predictor, contract
from suffice.estimators.enough_memory import require_memory
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.one_pass import one_pass_trial
from suffice.evaluation.cross_validation.refitting import refitting_trial
from suffice.evaluation.cross_validation.results import CrossValidation, RegressionCrossValidation, Result
from suffice.evaluation.cross_validation.scikit_learn_models import ScikitLearnModel
from suffice.evaluation.cross_validation.trial import Trial, require_folds
from suffice.evaluation.models import Model, reading_as
from suffice.sources import Rows


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
    the other models read all rows and are fitted anew for every fold. Folds are stratified by class and depend on
    `random_state` only. Columns named in `drop` are left out. An estimator of scikit-learn is judged on the same folds.

    >>> import suffice as sf
    >>> result = sf.cross_validate(sf.LDA(), sf.datasets.load("iris"), "species")
    >>> round(result.mean("accuracy"), 2)
    0.98
    >>> result = sf.cross_validate(sf.cart(criterion="variance"), sf.datasets.load("iris"), "petal_width")
    >>> round(result.mean("r2"), 1)
    0.9
    """
    require_folds(folds, random_state)
    if not isinstance(estimator, (Predictor, type, str)) and hasattr(estimator, "fit"):
        foreign = ScikitLearnModel.of(estimator)
        reader = reading_as(foreign.reader, {"drop": drop})
        opened = contract.training_table(reader, table, target, sample_weight)
        return foreign.cross_validated(opened, Dealing(folds, random_state))[1]
    require_model(estimator)
    estimator = reading_as(estimator, {"drop": drop})
    opened = contract.training_table(estimator, table, target, sample_weight)
    require_memory(estimator, opened, folds)
    return tried(estimator, opened, Dealing(folds, random_state)).result


def require_model(model: Any) -> None:
    """Only estimators of suffice can be cross-validated here."""
    if isinstance(model, Predictor):
        return
    if isinstance(model, type) and issubclass(model, Predictor):
        raise SettingError(f"{model.__name__} is a class. Give an estimator: sf.{model.__name__}().")
    shown = repr(model) if isinstance(model, str) else f"An object of type {type(model).__name__}"
    raise SettingError(
        f"{shown} is no model of suffice. Give an estimator first, as in cross_validate(sf.LDA(), table, target); "
        "sf.compare also takes names of models, and scikit-learn's own cross_validate any estimator."
    )


def tried(estimator: Model, table: Rows, dealing: Dealing) -> Trial:
    """An estimator's trial on a table that is open already."""
    if isinstance(estimator, GenerativeClassifier):
        return one_pass_trial(estimator, table, dealing)
    return refitting_trial(estimator, table, dealing)
