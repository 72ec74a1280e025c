"""Models as they are drawn: whatever was given, over two columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from suffice.errors import Message, Setting, SettingError
from suffice.estimators import GenerativeClassifier, LogisticRegression, NaiveBayes, Predictor, contract
from suffice.estimators.capabilities import has_probabilities
from suffice.estimators.feature_names import feature_names
from suffice.models.generative import GenerativeModel
from suffice.models.likelihoods.poisson import Poisson
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.models.posterior import softmax
from suffice.plot.geometry import Scores
from suffice.schema import Array, Batch, Schema
from suffice.sources import Rows
from suffice.sources.reading import column_name

P = TypeVar("P", bound=Predictor)


@dataclass(frozen=True)
class Drawable:
    """A model over the two columns: ln P(class | x), ln P(x | class) if it is generative, and which axes are counts."""

    name: str
    log_posterior: Scores
    log_density: Scores | None = None
    are_counts: tuple[bool, bool] = (False, False)


def drawable_of(name: str, model: Any, table: Rows) -> Drawable:
    """A model fitted on the table's two columns, ready to be drawn."""
    if isinstance(model, GenerativeClassifier):
        return _of_generative(name, _solved(model, table), table.schema.names)
    if isinstance(model, Predictor) and feature_names(model) != table.schema.names:
        model = _narrowed(model, table.schema.names)
    return _of_any(name, model, table)


def _solved(estimator: GenerativeClassifier, table: Rows) -> GenerativeModel:
    known: GenerativeModel | None = getattr(estimator, "model_", None)
    if known is not None and _is_same(known.schema, table.schema):
        return known
    narrowed = _narrowed(estimator, table.schema.names)
    return contract.solved(narrowed, table.measure(contract.measurement(narrowed, table)))


def _is_same(known: Schema, wanted: Schema) -> bool:
    return set(known.columns) == set(wanted.columns) and known.classes == wanted.classes


def _narrowed(estimator: P, names: tuple[str, ...]) -> P:
    """A clone whose settings speak of the two columns only."""
    from suffice.estimators.scikit import clone

    reading = contract.reading(estimator)
    as_levels = [name for name in names if reading.all_nominal or name in reading.nominal]
    if as_levels:
        raise SettingError(
            Message(
                f"{type(estimator).__name__} reads column {as_levels[0]!r} as nominal, so it has no axis. "
                "Choose other columns, or leave it out of ",
                Setting("nominal"),
                " and ",
                Setting("likelihoods"),
                ".",
            )
        )
    settings: dict[str, Any] = {"nominal": None, "keep": None, "drop": None}
    if isinstance(estimator, NaiveBayes) and isinstance(estimator.likelihoods, Mapping):
        by_name = {column_name(column, names): kind for column, kind in estimator.likelihoods.items()}
        settings["likelihoods"] = {name: by_name[name] for name in names if name in by_name}
    if isinstance(estimator, LogisticRegression) and isinstance(estimator.l2, Mapping):
        settings["l2"] = {name: estimator.l2[name] for name in names if name in estimator.l2}
    narrowed: P = clone(estimator).set_params(**settings)
    return narrowed


def _of_generative(name: str, model: GenerativeModel, names: tuple[str, ...]) -> Drawable:
    order = [names.index(column) for column in model.schema.names]

    def batch(points: Array) -> Batch:
        numeric = np.ascontiguousarray(points[:, order])
        return Batch(model.schema, numeric, np.empty((0, len(points)), dtype=np.int32))

    def log_density(points: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return model.log_joint(batch(points)) - np.log(model.priors)

    parts = model.likelihoods if isinstance(model, NaiveBayesModel) else ()
    counts = {column for part in parts if isinstance(part, Poisson) for column in part.columns}
    return Drawable(
        name,
        lambda points: model.log_posterior(batch(points)),
        log_density,
        (names[0] in counts, names[1] in counts),
    )


def _of_any(name: str, model: Any, table: Rows) -> Drawable:
    """Any other classifier, fitted on the rows that know both values."""
    from suffice.estimators.scikit import clone

    names, classes = table.schema.names, table.schema.classes
    if feature_names(model) != names or list(getattr(model, "classes_", ())) != list(classes):
        batches = list(table.batches())
        x = np.concatenate([batch.numeric for batch in batches])
        labels = np.array(classes)[np.concatenate([batch.class_codes() for batch in batches])]
        is_known = np.isfinite(x).all(axis=1)
        model = clone(model, safe=False).fit(_frame(x[is_known], names), labels[is_known])
    found = list(model.classes_)
    where = [found.index(label) for label in classes if label in found]

    def log_posterior(points: Array) -> Array:
        posterior = np.zeros((len(points), len(classes)))
        posterior[:, [label in found for label in classes]] = _scores(model, _frame(points, names))[:, where]
        with np.errstate(divide="ignore"):
            return np.log(posterior)

    return Drawable(name, log_posterior)


def _scores(model: Any, points: Any) -> Array:
    """Probabilities, or without them what decides, on the same scale: its softmax."""
    if has_probabilities(model):
        probabilities: Array = model.predict_proba(points)
        return probabilities
    decided = np.asarray(model.decision_function(points), dtype=np.float64)
    every = np.stack([np.zeros_like(decided), decided], axis=1) if decided.ndim == 1 else decided
    return softmax(every)[0]


def _frame(x: Array, names: tuple[str, ...]) -> Any:
    """Two columns with their names, for classifiers that look at names."""
    import pyarrow as pa

    return pa.table(list(x.T), names=list(names))
