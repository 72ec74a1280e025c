"""L34, deck 000: a regression tree for Hours Played, by reduction of standard deviation or of variance."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf

TARGET = "Hours Played"
REDUCTIONS = {"Outlook": "1.8048", "Temp.": "0.6514", "Windy": "0.3021", "Humidity": "0.1849"}
LEAVES = {"Overcast": "49.25", "Rainy": "35.6", "Sunny": "41.8"}


@pytest.fixture(scope="module")
def hours() -> pd.DataFrame:
    return sf.datasets.load("hours_played").to_pandas()


def regressor(criterion: str = "standard_deviation", **settings: object) -> sf.DecisionTreeRegressor:
    return sf.DecisionTreeRegressor(criterion, splits="multiway", **settings)


def test_the_rows_the_mean_and_the_standard_deviation(hours: pd.DataFrame) -> None:
    tree = regressor().fit(hours, TARGET)
    weight, mean, squares = tree.model_.nodes.statistic[0]
    assert weight == 14
    assert f"{mean:.3f}" == "41.714"
    assert f"{np.sqrt(squares / weight):.4f}" == "11.6031"
    assert f"{tree.best_splits(hours, TARGET).impurity:.4f}" == "11.6031"


@pytest.mark.parametrize(("column", "reduction"), REDUCTIONS.items())
def test_the_reductions_of_the_standard_deviation(hours: pd.DataFrame, column: str, reduction: str) -> None:
    work = regressor().fit(hours, TARGET).best_splits(hours, TARGET)
    assert f"{work[column].gain:.4f}" == reduction
    assert work.best == "Outlook"


@pytest.mark.parametrize("column", REDUCTIONS)
def test_the_reductions_of_the_variance(hours: pd.DataFrame, column: str) -> None:
    work = regressor("variance").fit(hours, TARGET).best_splits(hours, TARGET)
    within = hours.groupby(column)[TARGET].transform(lambda part: part.var(ddof=0)).mean()
    assert work[column].gain == pytest.approx(hours[TARGET].var(ddof=0) - within, rel=1e-12)
    assert work.impurity == pytest.approx(hours[TARGET].var(ddof=0), rel=1e-12)


@pytest.mark.parametrize("make", [lambda: regressor(max_depth=1), lambda: sf.id3(criterion="variance", max_depth=1)])
def test_the_leaves_predict_the_means(hours: pd.DataFrame, make: object) -> None:
    tree = make().fit(hours, TARGET)  # type: ignore[operator]
    for outlook, mean in LEAVES.items():
        value = tree.explain({"Outlook": outlook}).value
        assert f"{value:g}" == mean
    lines = tree.describe().split("\n\n")[1].splitlines()
    assert [line.split(" (")[0] for line in lines] == [f"Outlook = {name}: {mean}" for name, mean in LEAVES.items()]


def test_the_whole_tree_gives_every_day_its_hours(hours: pd.DataFrame) -> None:
    for criterion in ("standard_deviation", "variance"):
        tree = regressor(criterion).fit(hours, TARGET)
        np.testing.assert_allclose(tree.predict(hours), hours[TARGET], atol=1e-9)
        assert tree.score(hours, TARGET) == pytest.approx(1.0, abs=1e-12)


def test_an_empty_branch_predicts_the_mean_of_the_node_above_it(hours: pd.DataFrame) -> None:
    tree = regressor().fit(hours, TARGET)
    [calm, windy] = [
        tree.explain({"Outlook": "Sunny", "Temp.": "Hot", "Humidity": "High", "Windy": windy}).value
        for windy in ("False", "True")
    ]
    assert calm == pytest.approx((46 + 62 + 48) / 3, rel=1e-12)
    assert windy == pytest.approx((23 + 30) / 2, rel=1e-12)


def test_r_squared_is_the_share_of_the_variance_that_the_outlook_explains(hours: pd.DataFrame) -> None:
    tree = regressor(max_depth=1).fit(hours, TARGET)
    means = hours.groupby("Outlook")[TARGET].transform("mean")
    expected = 1 - ((hours[TARGET] - means) ** 2).sum() / ((hours[TARGET] - hours[TARGET].mean()) ** 2).sum()
    assert tree.score(hours, TARGET) == pytest.approx(expected, rel=1e-12)
