"""Newton's full steps on few rows lead where passes over the rows do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.solve.logistic import newton_in_memory


def raw(classes: int, rows: int = 150, gap: float = 1.0) -> pd.DataFrame:
    """Numbers, levels and gaps."""
    random = np.random.default_rng(classes)
    y = random.integers(0, classes, rows)
    table = pd.DataFrame(random.normal(size=(rows, 4)), columns=list("abcd"))
    table["a"] += gap * y
    table["level"] = random.choice(["p", "q", "r", None], rows)
    table.loc[::9, "b"] = np.nan
    return table.assign(y=np.array(["one", "two", "three", "four"])[y])


def on_few_and_by_passes(
    monkeypatch: pytest.MonkeyPatch, table: pd.DataFrame, weights: Any = None, **settings: Any
) -> tuple[sf.LogisticRegression, sf.LogisticRegression]:
    few = sf.LogisticRegression(**settings).fit(table, "y", sample_weight=weights)
    monkeypatch.setattr(newton_in_memory, "MOST_ROWS", 0)
    return few, sf.LogisticRegression(**settings).fit(table, "y", sample_weight=weights)


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize(
    "settings", [{}, {"l2": 1.0}, {"l2": 0}, {"l2": 0.1, "degree": 2}, {"class_weight": "balanced"}, {"max_iter": 2}]
)
@pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")
def test_the_model_its_path_and_its_errors_are_the_same(
    monkeypatch: pytest.MonkeyPatch, classes: int, settings: dict[str, Any]
) -> None:
    few, passes = on_few_and_by_passes(monkeypatch, raw(classes), **settings)
    assert few.l2_ == passes.l2_
    np.testing.assert_allclose(few.coef_, passes.coef_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(few.model_.covariance, passes.model_.covariance, rtol=1e-6, atol=1e-10)
    assert few.n_iter_ == passes.n_iter_
    np.testing.assert_allclose(few.path_.objective, passes.path_.objective, rtol=1e-10)
    np.testing.assert_allclose(few.path_.weights, passes.path_.weights, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("kind", ["copies", "no counts", "zero"])
def test_rows_with_weights_too(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    random = np.random.default_rng(0)
    weights = {"copies": random.integers(1, 4, 150) * 1.0, "no counts": random.random(150), "zero": np.ones(150)}[kind]
    weights[::5] *= 0.0 if kind == "zero" else 1.0
    few, passes = on_few_and_by_passes(monkeypatch, raw(3), weights)
    assert few.l2_ == passes.l2_
    np.testing.assert_allclose(few.coef_, passes.coef_, rtol=1e-7, atol=1e-9)


@pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")
@pytest.mark.parametrize("case", ["separable", "collinear", "far", "one row each"])
def test_where_a_step_cannot_be_taken_passes_go_on(monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    table = raw(2, gap=50.0 if case == "separable" else 1.0)
    if case == "collinear":
        table["e"] = 2.0 * table["a"] - 1.0
    if case == "far":  # a Newton step from the shares of the classes overshoots
        table["a"] = np.where(np.arange(150) == 7, 1e6, table["a"])
    if case == "one row each":
        table = table[:2].assign(y=["one", "two"])
    few, passes = on_few_and_by_passes(monkeypatch, table, l2=0 if case != "one row each" else 1.0)
    assert few.model_.separation == passes.model_.separation
    np.testing.assert_allclose(few.predict_proba(table), passes.predict_proba(table), rtol=1e-6, atol=1e-6)


def test_no_room_is_made_for_steps_that_are_not_taken() -> None:
    model = sf.LogisticRegression(l2=1.0, max_iter=10**12).fit(raw(2), "y")
    assert model.n_iter_[0] < 20


def test_more_steps_than_are_taken_at_once_go_on_by_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = sf.LogisticRegression(l2=0.01).fit(raw(3), "y")
    monkeypatch.setattr(newton_in_memory, "MOST_AT_ONCE", 2)
    model = sf.LogisticRegression(l2=0.01).fit(raw(3), "y")
    assert model.n_iter_ == expected.n_iter_
    np.testing.assert_allclose(model.coef_, expected.coef_, rtol=1e-9)


def test_few_are_rows_that_take_little_work() -> None:
    assert newton_in_memory.are_few(5_000, (1, 17))
    assert not newton_in_memory.are_few(5_001, (1, 2))
    assert newton_in_memory.are_few(100, (4, 30))
    assert not newton_in_memory.are_few(100, (5, 30))
    assert newton_in_memory.are_few(2, (1, 150))
    assert not newton_in_memory.are_few(2, (1, 151))
