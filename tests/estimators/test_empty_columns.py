"""Columns without a value in some rows: whichever part of the rows comes first, the model is that of all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import MergeError, TableError

EMPTY = pd.DataFrame({"x": [0, 1, 2, 3, 7] * 4, "z": ["s", "t"] * 10, "k": [None] * 20, "y": ["p", "q"] * 10})
LEVELS = EMPTY.assign(k=["u", "v", "u", "u", None] * 4)
NUMBERS = EMPTY.assign(k=[1, 2, 5, None] * 5)
CLASSIFIERS = [
    sf.NaiveBayes(),
    sf.NaiveBayes(likelihoods="kde"),
    sf.NaiveBayes(likelihoods="poisson"),
    sf.NaiveBayes(likelihoods={"x": "gaussian"}),
    sf.LDA(),
    sf.QDA(),
    sf.LDA(shrinkage="ledoit_wolf"),
    sf.JointBayes(nominal=["x"]),
]


def fitted(model: Any, table: Any) -> Any:
    return type(model)(**model.get_params()).fit(table, "y")


def require_same(one: Any, other: Any) -> None:
    assert one.schema_.columns == other.schema_.columns
    rows = LEVELS if "k" in one.schema_.nominal_position else NUMBERS
    np.testing.assert_allclose(one.predict_proba(rows), other.predict_proba(rows), rtol=1e-9, atol=1e-12)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
class TestLevelsAfterNothing:
    whole = pd.concat([EMPTY, LEVELS], ignore_index=True)

    def test_updating_is_fitting_all_rows(self, model: Any) -> None:
        require_same(fitted(model, EMPTY).update(LEVELS, "y"), fitted(model, self.whole))

    def test_nothing_after_levels_is_the_same(self, model: Any) -> None:
        require_same(fitted(model, LEVELS).update(EMPTY, "y"), fitted(model, self.whole))

    def test_merging_is_fitting_all_rows_in_either_order(self, model: Any) -> None:
        require_same(fitted(model, EMPTY).merge(fitted(model, LEVELS)), fitted(model, self.whole))
        require_same(fitted(model, LEVELS).merge(fitted(model, EMPTY)), fitted(model, self.whole))

    def test_a_table_of_nothing_but_levels_may_begin_so(self, model: Any) -> None:
        model = type(model)(**{**model.get_params(), "nominal": None})
        if getattr(model, "likelihoods", None) == {"x": "gaussian"}:
            model.set_params(likelihoods=None)
        first, second = EMPTY.drop(columns="x"), LEVELS.drop(columns="x")
        whole = fitted(model, pd.concat([first, second], ignore_index=True))
        require_same(fitted(model, first).update(second, "y"), whole)
        require_same(fitted(model, second).merge(fitted(model, first)), whole)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_numbers_after_nothing_are_numbers(model: Any) -> None:
    whole = pd.concat([EMPTY.astype({"k": float}), NUMBERS], ignore_index=True)
    require_same(fitted(model, EMPTY).update(NUMBERS, "y"), fitted(model, whole))
    require_same(fitted(model, EMPTY).merge(fitted(model, NUMBERS)), fitted(model, whole))
    require_same(fitted(model, NUMBERS).merge(fitted(model, EMPTY)), fitted(model, whole))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("weight", [None, "balanced"])
def test_joint_bayes_cuts_a_column_at_the_first_rows_that_have_values(weight: Any) -> None:
    model = sf.JointBayes(nominal=["x"], class_weight=weight)
    rest = NUMBERS.assign(k=np.arange(20.0) ** 2).drop(index=[0, 2])
    whole = fitted(model, pd.concat([EMPTY.astype({"k": float}), rest], ignore_index=True))
    parts = (fitted(model, EMPTY).update(rest, "y"), fitted(model, EMPTY).merge(fitted(model, EMPTY)).update(rest, "y"))
    for part in parts:
        np.testing.assert_array_equal(part.statistic_.parts["joint"].cuts, whole.statistic_.parts["joint"].cuts)
    require_same(parts[0], whole)
    again = parts[0].forget(rest, "y")
    assert again.schema_ == fitted(model, EMPTY).schema_
    require_same(again.update(rest, "y"), whole)


@pytest.mark.parametrize("model", CLASSIFIERS[:-1], ids=repr)
def test_whole_numbers_stay_whole_where_rows_without_a_value_are_added(model: Any) -> None:
    updated = fitted(model, NUMBERS).update(EMPTY, "y")
    assert updated.schema_.columns == fitted(model, NUMBERS).schema_.columns


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
def test_a_column_of_numbers_of_which_none_is_left_is_empty(model: Any) -> None:
    left = fitted(model, EMPTY).update(NUMBERS, "y").forget(NUMBERS, "y")
    assert left.schema_ == fitted(model, EMPTY).schema_
    require_same(left.update(LEVELS, "y"), fitted(model, pd.concat([EMPTY, LEVELS], ignore_index=True)))


def test_amounts_after_nothing_keep_their_unit() -> None:
    amounts = EMPTY.assign(k=["10 %", "20 %"] * 10)
    model = fitted(sf.NaiveBayes(), EMPTY).update(amounts, "y")
    assert model.schema_.columns == fitted(sf.NaiveBayes(), amounts).schema_.columns
    assert model.explain({"k": "15 %"}).prediction in ("p", "q")


def test_partial_fit_takes_levels_after_nothing() -> None:
    model = sf.NaiveBayes().partial_fit(EMPTY, "y").partial_fit(LEVELS, "y")
    require_same(model, fitted(sf.NaiveBayes(), pd.concat([EMPTY, LEVELS], ignore_index=True)))


def test_rows_that_were_learned_after_nothing_can_be_forgotten() -> None:
    model = fitted(sf.NaiveBayes(), EMPTY).update(LEVELS, "y").forget(LEVELS, "y")
    np.testing.assert_allclose(
        model.predict_proba(EMPTY), fitted(sf.NaiveBayes(), EMPTY).predict_proba(EMPTY), rtol=1e-9
    )


@pytest.mark.parametrize("kind", ["csv", "arrow"])
def test_files_and_arrow_tables_may_begin_so(kind: str, tmp_path: Path) -> None:
    def table(frame: pd.DataFrame, name: str) -> Any:
        if kind == "arrow":
            return pa.Table.from_pandas(frame, preserve_index=False)
        frame.to_csv(tmp_path / name, index=False)
        return tmp_path / name

    whole = pd.concat([EMPTY, LEVELS], ignore_index=True)
    model = fitted(sf.NaiveBayes(), table(EMPTY, "a.csv")).update(table(LEVELS, "b.csv"), "y")
    require_same(model, fitted(sf.NaiveBayes(), table(whole, "both.csv")))


def test_text_after_nothing_is_an_error_that_says_so() -> None:
    words = [f"the {number} words of a long enough text {number}" for number in range(20)]
    texts = EMPTY.assign(k=words)
    with pytest.raises(
        TableError, match=r"'k' had no value in the rows before, and here it holds text\..* text=\['k'\]"
    ):
        fitted(sf.NaiveBayes(), EMPTY).update(texts, "y")
    with pytest.raises(MergeError, match="'k' has no value in one and is text in the other"):
        fitted(sf.NaiveBayes(), EMPTY).merge(fitted(sf.NaiveBayes(), texts))
    model = sf.NaiveBayes(text=["k"]).fit(EMPTY, "y").update(texts, "y")
    assert model.schema_.text
