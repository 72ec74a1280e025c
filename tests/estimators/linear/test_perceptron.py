"""The perceptron: right on every row of separable classes, and honest about all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice as sf
from sklearn_checks import require_checks_hold
from suffice.errors import ConvergenceWarning, SettingError, SufficeError, SufficeWarning, TableError


def separable(classes: int = 2, rows: int = 120) -> pd.DataFrame:
    random = np.random.default_rng(0)
    y = np.arange(rows) % classes
    angle = 2 * np.pi * y / max(classes, 2) + random.uniform(-0.7, 0.7, rows)
    return pd.DataFrame(
        {
            "a": 10 * np.cos(angle) + 3,
            "b": 500 * np.sin(angle),
            "city": random.choice(["Oslo", "Rome"], rows),
            "y": np.array(["no", "yes", "maybe", "never"])[y],
        }
    )


def overlapping() -> pd.DataFrame:
    table = separable()
    table.loc[:6, "y"] = "yes"
    return table


@pytest.mark.filterwarnings("ignore::suffice.errors.ConvergenceWarning")  # most of their classes are not separable
@pytest.mark.parametrize("estimator", [sf.Perceptron(), sf.Perceptron(max_epochs=20, random_state=3)], ids=repr)
def test_scikit_learns_own_checks_hold(estimator: Any) -> None:
    require_checks_hold(estimator)


@pytest.mark.parametrize("classes", [2, 3])
def test_it_converges_on_separable_classes(classes: int) -> None:
    table = separable(classes)
    model = sf.Perceptron().fit(table, "y")
    assert model.is_separating_
    assert model.score(table, "y") == 1.0
    assert 1 <= model.n_iter_ < 1000
    assert "every training row is on its own side" in model.describe()


@pytest.mark.parametrize("seed", range(4))
def test_it_converges_whatever_the_order_of_the_rows(seed: int) -> None:
    assert sf.Perceptron(random_state=seed).fit(separable(3), "y").is_separating_


def test_setosa_is_told_from_the_other_irises() -> None:
    x, y = load_iris(return_X_y=True)
    assert sf.Perceptron().fit(x, y == 0).is_separating_


def test_it_says_when_it_does_not_converge_and_keeps_the_best_weights() -> None:
    table = overlapping()
    with pytest.warns(ConvergenceWarning, match=r"After 60 epochs \d+ of 120 rows are still on the wrong side"):
        model = sf.Perceptron(max_epochs=60).fit(table, "y")
    assert not model.is_separating_
    assert model.n_iter_ == 60
    wrong = int((model.predict(table) != table["y"]).sum())
    assert model.model_.mistakes == wrong > 0
    assert f"{wrong} of 120 training rows are on the wrong side" in model.describe()
    with pytest.warns(ConvergenceWarning):
        shorter = sf.Perceptron(max_epochs=5).fit(table, "y")
    assert shorter.model_.mistakes >= model.model_.mistakes


def test_xor_never_converges() -> None:
    table = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": [0, 1, 1, 0]})
    with pytest.warns(ConvergenceWarning, match="not linearly separable"):
        assert sf.Perceptron(max_epochs=50).fit(table, "y").score(table, "y") < 1.0


def test_it_has_no_probabilities() -> None:
    model = sf.Perceptron().fit(separable(), "y")
    for name in ("predict_proba", "predict_log_proba", "conditional_log_likelihood"):
        assert not hasattr(model, name)


@pytest.mark.parametrize("classes", [2, 3])
def test_its_decision_function_is_theta_times_x_in_the_tables_units(classes: int) -> None:
    table = separable(classes)
    model = sf.Perceptron().fit(table, "y")
    x = np.column_stack([table["a"], table["b"], table["city"] == "Oslo", table["city"] == "Rome"]).astype(float)
    expected = model.intercept_ + x @ model.coef_.T
    found = model.decision_function(table)
    np.testing.assert_allclose(found, expected[:, 0] if classes == 2 else expected, rtol=1e-9, atol=1e-8)
    if classes == 2:
        np.testing.assert_array_equal(model.predict(table), np.where(found > 0, "yes", "no"))
    else:
        np.testing.assert_array_equal(model.predict(table), model.classes_[found.argmax(axis=1)])


def test_missing_values_and_unseen_levels_are_taken() -> None:
    table = separable(3)
    model = sf.Perceptron().fit(table, "y")
    strange = table.assign(a=np.nan, city="Lima")
    with pytest.warns(SufficeWarning, match="never seen in training"):
        assert set(model.predict(strange)) <= set(model.classes_)
    gaps = table.assign(city=[None, *table["city"][1:]])
    gaps.loc[3, "b"] = np.nan
    assert np.isfinite(sf.Perceptron().fit(gaps, "y").decision_function(gaps)).all()


def test_every_form_of_table_gives_the_same_model(tmp_path: Any) -> None:
    table = separable(3)
    expected = sf.Perceptron().fit(table, "y")
    table.to_csv(tmp_path / "table.csv", index=False)
    for other in (pl.from_pandas(table), tmp_path / "table.csv"):
        np.testing.assert_allclose(sf.Perceptron().fit(other, "y").coef_, expected.coef_, rtol=1e-9)


def test_in_a_pipeline_and_cross_validated() -> None:
    x, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), sf.Perceptron()).fit(x, y == 0)
    assert pipeline.score(x, y == 0) == 1.0
    assert cross_val_score(sf.Perceptron(), x, y == 0, cv=3).mean() > 0.95


def test_a_clone_has_the_settings_and_no_model() -> None:
    again = clone(sf.Perceptron(max_epochs=7, random_state=2).fit(separable(), "y"))
    assert repr(again) == repr(sf.Perceptron(max_epochs=7, random_state=2))
    assert not hasattr(again, "model_")


def test_the_tags_are_truthful() -> None:
    tags = sf.Perceptron().__sklearn_tags__()
    assert tags.input_tags.allow_nan
    assert tags.input_tags.string
    table = np.array([[1.0, "a"], [np.nan, "b"], [3.0, None], [1.5, "a"]] * 4, dtype=object)
    model = sf.Perceptron().fit(table, ["x", "y", "y", "x"] * 4)
    assert model.score(table, ["x", "y", "y", "x"] * 4) == 1.0


@pytest.mark.parametrize(
    ("setting", "value"),
    [("max_epochs", 0), ("max_epochs", 2.5), ("max_epochs", "many"), ("random_state", -1), ("random_state", "x")],
)
def test_a_wrong_setting_is_an_error_that_names_it(setting: str, value: Any) -> None:
    with pytest.raises(SettingError, match=f"{setting} must be"):
        sf.Perceptron(**{setting: value}).fit(separable(), "y")


@pytest.mark.parametrize("setting", ["max_epochs", "random_state"])
def test_a_truth_value_is_no_number(setting: str) -> None:
    with pytest.raises(SettingError, match=f"{setting} must be"):
        sf.Perceptron(**{setting: True}).fit(separable(), "y")


def test_one_class_and_infinite_values_are_errors() -> None:
    table = separable()
    with pytest.raises(TableError, match="class"):
        sf.Perceptron().fit(table.assign(y="no"), "y")
    with pytest.raises(TableError, match="Column 'a' contains infinity"):
        sf.Perceptron().fit(table.assign(a=[np.inf, *table["a"][1:]]), "y")
    model = sf.Perceptron().fit(table, "y")
    with pytest.raises(TableError, match="Column 'a' contains infinity"):
        model.predict(table.assign(a=np.inf))


def test_columns_without_variation_carry_no_evidence() -> None:
    table = separable().assign(same=3.0, word="x", gone=np.nan)
    model = sf.Perceptron().fit(table, "y")
    assert set(model.model_.without_evidence) == {"same", "word", "gone"}
    np.testing.assert_array_equal(model.predict(table), sf.Perceptron().fit(separable(), "y").predict(separable()))


def test_a_failed_fit_leaves_the_estimator_as_it_was() -> None:
    table = separable()
    model = sf.Perceptron().fit(table, "y")
    before = dict(vars(model))
    with pytest.raises(SufficeError):
        model.fit(table.assign(a=np.inf), "y")
    assert all(vars(model)[key] is before[key] for key in before)
    assert vars(model).keys() == before.keys()
