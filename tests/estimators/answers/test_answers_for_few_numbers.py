"""A few rows of numbers take a short way: the answers and the complaints are those of the long one."""

from __future__ import annotations

import cProfile
import pstats
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

import suffice as sf
from suffice.errors import SufficeWarning, TableError

X, Y = load_iris(return_X_y=True)
FRAME = pd.DataFrame(X, columns=["a", "b", "c", "d"])
MODELS = {
    "naive_bayes": sf.NaiveBayes(),
    "joint_bayes": sf.JointBayes(),
    "lda": sf.LDA(),
    "qda": sf.QDA(),
    "logistic": sf.LogisticRegression(),
    "perceptron": sf.Perceptron(max_epochs=5),
    "c45": sf.c45(),
    "cart": sf.cart(),
    "regression": sf.DecisionTreeRegressor(max_depth=3),
}
MOST_CALLS = 250  # of functions; by the long way there are more than 350


def _asked(model: Any) -> Any:
    return next(
        getattr(model, name) for name in ("predict_proba", "decision_function", "predict") if hasattr(model, name)
    )


@pytest.fixture(params=MODELS)
def model(request: pytest.FixtureRequest) -> Any:
    return MODELS[request.param]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["array", "frame", "named"])
def test_one_row_gets_the_answer_it_gets_among_many(model: Any, kind: str) -> None:
    table = X if kind == "array" else FRAME
    model.fit(FRAME.assign(y=Y), "y") if kind == "named" else model.fit(table, Y)
    ask = _asked(model)
    of_all = ask(table)
    for row in (0, 60, 149):
        alone = table[row : row + 1]
        np.testing.assert_allclose(ask(alone), of_all[row : row + 1], rtol=1e-12)
        np.testing.assert_array_equal(model.predict(alone), model.predict(table)[row : row + 1])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["array", "frame"])
def test_one_row_costs_few_calls(model: Any, kind: str) -> None:
    table = X if kind == "array" else FRAME
    ask = _asked(model.fit(table, Y))
    row = table[:1]
    ask(row)
    profile = cProfile.Profile()
    profile.enable()
    ask(row)
    profile.disable()
    assert pstats.Stats(profile).total_calls < MOST_CALLS  # type: ignore[attr-defined]


def test_whole_numbers_and_mixed_types_of_numbers_are_read_too() -> None:
    model = sf.LDA().fit(FRAME, Y)
    row = pd.DataFrame({"a": [6], "b": np.array([3.0], dtype=np.float32), "c": [4], "d": [1.5]})
    np.testing.assert_allclose(model.predict_proba(row), sf.LDA().fit(X, Y).predict_proba([[6, 3.0, 4, 1.5]]))


def test_missing_values_are_missing_in_one_row_too() -> None:
    model = sf.NaiveBayes().fit(X, Y)
    row = np.array([[np.nan, 3.0, np.nan, 1.5]])
    np.testing.assert_allclose(model.predict_proba(row), model.predict_proba(np.repeat(row, 100, axis=0))[:1])
    coded = sf.NaiveBayes(missing_values=[-9]).fit(X, Y)
    np.testing.assert_allclose(coded.predict_proba(np.array([[-9.0, 3.0, -9.0, 1.5]])), model.predict_proba(row))


def test_strict_rules_hold_for_one_row() -> None:
    by_name, by_place = sf.LDA().fit(FRAME, Y), sf.LDA().fit(X, Y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        by_name.predict_proba(X[:1])
    with pytest.raises(ValueError, match="feature names should match"):
        by_name.predict_proba(FRAME[["b", "a", "c", "d"]][:1])
    with pytest.raises(ValueError, match="expecting 4 features"):
        by_place.predict_proba(X[:1, :3])
    with pytest.raises(ValueError, match="0 sample"):
        by_place.predict_proba(X[:0])
    with pytest.raises(ValueError, match="2D array"):
        by_place.predict_proba(X[0])
    with pytest.raises(ValueError, match="infin"):
        by_place.predict_proba(np.array([[np.inf, 1.0, 1.0, 1.0]]))


def test_rows_never_seen_are_counted_in_a_warning() -> None:
    model = sf.JointBayes().fit(X, Y)
    with pytest.warns(SufficeWarning, match="combinations never seen"):
        model.predict_proba(np.array([[-100.0, 100.0, -100.0, 100.0]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict_proba(X[:1])


@pytest.mark.parametrize("rows", [1, 100])
def test_numbers_where_times_or_nothing_were_known_are_told(rows: int) -> None:
    table = FRAME[["a", "b"]].assign(when=pd.Timestamp("2020-03-01") + pd.to_timedelta(range(len(X)), "D"))
    seconds = table.assign(when=1.5e9)
    with pytest.raises(TableError, match=r"'when' holds times .*, but here it holds numbers"):
        sf.NaiveBayes().fit(table, Y).predict(seconds[:rows])
    empty = sf.NaiveBayes().fit(table[["a", "b"]].assign(b=np.nan), Y)
    with pytest.warns(SufficeWarning, match=rf"'b' \({rows} row"):
        empty.predict(FRAME[["a", "b"]][:rows])
