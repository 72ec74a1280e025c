"""In every classifier a class weight is a weight of rows: the same model as with sample weights multiplied by it."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SettingError
from suffice.estimators.class_factors import class_factors
from suffice.sources import gathered
from suffice.statistics.class_weights import ClassWeights

GENERATIVE: dict[str, Any] = {
    "naive Bayes": lambda **more: sf.NaiveBayes(**more),
    "kernel densities": lambda **more: sf.NaiveBayes("kde", **more),
    "counts": lambda **more: sf.NaiveBayes({"visits": "poisson"}, shared_variance=True, **more),
    "joint table": lambda **more: sf.JointBayes(smoothing=0.5, **more),
    "LDA": lambda **more: sf.LDA(**more),
    "LDA, unbiased": lambda **more: sf.LDA(unbiased=True, **more),
    "LDA, Ledoit and Wolf": lambda **more: sf.LDA(shrinkage="ledoit_wolf", **more),
    "QDA": lambda **more: sf.QDA(**more),
    "QDA, given priors": lambda **more: sf.QDA(priors={"a": 0.2, "b": 0.3, "c": 0.5}, **more),
}
OTHERS: dict[str, Any] = {
    # Whole sample weights are copies, class weights are not: where rows are left out to choose a prior, that matters.
    "logistic": lambda **more: sf.LogisticRegression(l2=1.0, **more),
    "C4.5": lambda **more: sf.c45(**more),
    "CART": lambda **more: sf.cart(prune=None, max_depth=2, **more),
}
WEIGHTS: list[Any] = [{"a": 3.0, "c": 0.25}, "balanced", {"b": 0.5, "a": 1.0, "c": 2.0}]


@cache
def table(seed: int = 0, rows: int = 120) -> pd.DataFrame:
    """Numbers, counts and levels with gaps, more than thirty levels among them, and three classes; not to change."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["a", "b", "c"], rows, p=[0.6, 0.3, 0.1])
    shift = np.select([y == "a", y == "b"], [0.0, 1.0], 2.0)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=rows) + shift,
            "visits": rng.poisson(1 + shift).astype(float),
            "colour": rng.choice(["red", "green", "blue"], rows),
            "town": [f"town {code}" for code in rng.integers(0, 35, rows)],
            "y": y,
        }
    )
    frame.loc[rng.random(rows) < 0.1, "size"] = np.nan
    frame.loc[rng.random(rows) < 0.1, "colour"] = None
    return frame


def multiplied(class_weight: Any, frame: pd.DataFrame, weights: np.ndarray) -> np.ndarray:
    classes = ("a", "b", "c")
    totals = np.array([weights[frame["y"] == label].sum() for label in classes])
    factors = class_factors(class_weight, classes, totals)
    return weights * factors[np.searchsorted(classes, frame["y"])]


@pytest.mark.parametrize("make", [*GENERATIVE.values(), *OTHERS.values()], ids=[*GENERATIVE, *OTHERS])
def test_a_class_weight_multiplies_the_weights_of_rows(make: Any) -> None:
    frame, weights = table(), np.random.default_rng(1).uniform(0.5, 2.0, 120)
    plain = make().fit(frame, "y", weights).predict_proba(frame)
    for class_weight in WEIGHTS:
        weighed = make(class_weight=class_weight).fit(frame, "y", weights).predict_proba(frame)
        expected = make().fit(frame, "y", multiplied(class_weight, frame, weights)).predict_proba(frame)
        np.testing.assert_allclose(weighed, expected, rtol=1e-7, atol=1e-9, err_msg=str(class_weight))
        assert not np.allclose(weighed, plain, rtol=1e-3, atol=0.0), class_weight


@pytest.mark.parametrize("class_weight", WEIGHTS, ids=["some", "balanced", "all"])
def test_a_perceptron_corrects_and_counts_by_weight(class_weight: Any) -> None:
    frame = table()
    estimator = sf.Perceptron(max_epochs=20, class_weight=class_weight)
    batch = gathered(estimator._opened(frame, "y", None).table())
    factors = class_factors(class_weight, batch.schema.classes, ClassWeights.of(batch).weight)
    heavier = replace(batch, weights=batch.row_weights() * factors[batch.class_codes()])
    weighed, expected = estimator._fold_model(batch), sf.Perceptron(max_epochs=20)._fold_model(heavier)
    np.testing.assert_array_equal(weighed.weights, expected.weights)
    assert not np.allclose(weighed.weights, sf.Perceptron(max_epochs=20)._fold_model(batch).weights)


def test_a_heavy_class_is_missed_less_often_by_a_perceptron() -> None:
    frame = table()[["size", "visits", "y"]].dropna()
    rare = frame["y"] == "c"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        plain = sf.Perceptron(max_epochs=30).fit(frame, "y")
        heavy = sf.Perceptron(max_epochs=30, class_weight={"c": 50.0}).fit(frame, "y")
    missed = [np.count_nonzero(model.predict(frame)[rare] != "c") for model in (plain, heavy)]
    assert missed[1] < missed[0]


@pytest.mark.parametrize("class_weight", WEIGHTS, ids=["some", "balanced", "all"])
@pytest.mark.parametrize("make", GENERATIVE.values(), ids=GENERATIVE)
def test_rows_come_and_go_as_they_are(make: Any, class_weight: Any) -> None:
    frame = table().drop(columns="town")  # its rare levels are pooled as they come
    first, second = frame[:80], frame[80:]
    whole = make(class_weight=class_weight).fit(frame, "y")
    updated = make(class_weight=class_weight).fit(first, "y")
    before = updated.predict_proba(first)
    updated.update(second, "y")
    if "bins" not in whole.get_params():  # a joint table keeps the intervals of its first rows
        np.testing.assert_allclose(updated.predict_proba(frame), whole.predict_proba(frame), rtol=1e-6, atol=1e-9)
    kept = updated.forget(second, "y").predict_proba(first)
    np.testing.assert_allclose(kept, before, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("make", [*GENERATIVE.values(), *OTHERS.values()], ids=[*GENERATIVE, *OTHERS])
def test_cross_validation_weighs_the_rows_it_learns_from(make: Any) -> None:
    frame, class_weight = table(), {"a": 3.0, "c": 0.25}
    weighed = sf.cross_validate(make(class_weight=class_weight), frame, "y", folds=3)
    expected = sf.cross_validate(
        make(), frame, "y", folds=3, sample_weight=multiplied(class_weight, frame, np.ones(len(frame)))
    )
    np.testing.assert_array_equal(weighed.fold, expected.fold)
    np.testing.assert_allclose(weighed.posterior, expected.posterior, rtol=1e-7, atol=1e-9)
    assert np.all(weighed.accuracy <= 1)


@pytest.mark.parametrize("make", GENERATIVE.values(), ids=GENERATIVE)
def test_a_class_that_counts_for_nothing_is_never_predicted(make: Any) -> None:
    frame = table()
    if make().get_params()["priors"] is not None:
        pytest.skip("given priors are priors whatever the rows")
    model = make(class_weight={"a": 0.0}).fit(frame, "y")
    posterior = model.predict_proba(frame)
    assert np.isfinite(posterior).all()
    assert not posterior[:, 0].any()


@pytest.mark.parametrize("make", [sf.NaiveBayes, sf.JointBayes, sf.LDA, sf.QDA, sf.Perceptron, sf.cart])
def test_a_weight_of_an_unknown_class_is_an_error(make: Any) -> None:
    with pytest.raises(SettingError, match="There is no class 'd' for `class_weight`"):
        make(class_weight={"d": 2.0}).fit(table(), "y")


def test_class_weights_are_saved(tmp_path: Path) -> None:
    frame = table()
    model = sf.QDA(class_weight={"a": 2.0, "b": 0.5}).fit(frame, "y")
    model.save(tmp_path / "model.json")
    loaded = sf.load(tmp_path / "model.json")
    assert loaded.class_weight == {"a": 2.0, "b": 0.5}
    more = table(5, 40)
    np.testing.assert_allclose(
        loaded.update(more, "y").predict_proba(frame), model.update(more, "y").predict_proba(frame), rtol=1e-9
    )
