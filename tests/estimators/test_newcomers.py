"""What people try first: wrong orders, classes for estimators, names from elsewhere. They are told what to do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import suffice as sf
from suffice import estimators
from suffice.errors import SettingError, TableError

IRIS: pd.DataFrame = sf.datasets.load("iris").to_pandas()
X, Y = IRIS.drop(columns="species"), IRIS["species"]


@pytest.mark.parametrize("make", [sf.NaiveBayes, sf.cart, sf.LogisticRegression])
def test_a_target_that_is_still_in_the_table_is_refused(make: Any) -> None:
    with pytest.raises(TableError, match=r"'species' is a column of the table too.*fit\(table, 'species'\)"):
        make().fit(IRIS, Y)
    with pytest.raises(TableError, match="would read the answer"):
        make().fit(pl.from_pandas(IRIS), pl.from_pandas(IRIS)["species"])
    with pytest.raises(TableError, match="would read the answer"):
        sf.compare(IRIS, Y)


def test_a_column_of_the_target_s_name_that_is_not_the_target_is_a_column() -> None:
    frame = pd.DataFrame({"price": np.arange(30.0), "size": np.arange(30.0) % 7})
    later = frame["price"].shift(-1).fillna(0.0)
    assert sf.DecisionTreeRegressor(max_depth=2).fit(frame, later).n_features_in_ == 2


def test_the_table_comes_first() -> None:
    with pytest.raises(TableError, match="takes the table first"):
        sf.NaiveBayes().fit(Y, X)
    with pytest.raises(TableError, match="takes the table first"):
        sf.NaiveBayes().fit(Y.to_numpy(), X.to_numpy())


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: sf.compare(IRIS, "species", models=["tree"]), "Did you mean 'c45' or 'cart'"),
        (lambda: sf.compare(IRIS, "species", models=["logistic_regression"]), "Did you mean 'logistic'"),
        (lambda: sf.compare(IRIS, "species", models=[sf.LDA]), r"LDA is a class\. Give an estimator: sf\.LDA\(\)"),
        (lambda: sf.compare(IRIS, "species", models=sf.LDA), r"sf\.LDA\(\)"),
        (lambda: sf.cross_validate(sf.LDA, IRIS, "species"), r"sf\.LDA\(\)"),
        (lambda: sf.cross_validate(IRIS, "species", sf.LDA()), "type DataFrame is no model.*Give an estimator first"),
        (lambda: sf.cross_validate("lda", IRIS, "species"), "sf.compare also takes names"),
        (lambda: sf.cross_validate(sf.LDA(), IRIS, "species").mean("f1"), "no metric 'f1'.*accuracy"),
    ],
)
def test_what_was_meant_is_said(ask: Callable[[], Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        ask()


def test_one_estimator_need_not_stand_in_a_list() -> None:
    assert [row.model for row in sf.compare(IRIS, "species", models=sf.LDA()).rows] == ["LDA()", "majority"]


def test_a_model_of_columns_and_labels_can_be_scored_by_the_name_of_the_target() -> None:
    model = sf.LDA().fit(X, Y)
    assert model.score(IRIS, "species") == model.score(X, Y)


def test_every_public_name_says_what_it_is() -> None:
    for name in sf.__all__:
        public = getattr(sf, name)
        assert name == "__version__" or public.__doc__
        if isinstance(public, type):
            members = [member for member in dir(public) if not member.startswith("_") and member != "metadata_routing"]
            assert all(getattr(public, member).__doc__ for member in members if member not in public.__annotations__)


@pytest.mark.parametrize("module", [sf, estimators], ids=lambda module: module.__name__)
def test_what_type_checkers_see_is_what_is_given_out(module: Any) -> None:
    seen = re.findall(r" import (\w+) as \1\n", Path(module.__file__).read_text())
    assert {*seen, "load"} == set(module.__all__)


@pytest.mark.parametrize(
    ("name", "ours"), [("GaussianNB", "NaiveBayes"), ("J48", "c45"), ("DecisionTreeRegresor", "DecisionTreeRegressor")]
)
def test_a_model_by_another_name_is_answered_with_ours(name: str, ours: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}'. Did you mean '{ours}'"):
        getattr(sf, name)
    assert not hasattr(sf, "nothing_of_the_kind")
