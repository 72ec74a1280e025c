"""Of many columns those that matter most are shown, and the rest as one; it still adds up, and quickly."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from command_line import invoke
from suffice.errors import SettingError

TENNIS = sf.datasets.load("play_tennis")
MODELS: dict[str, Any] = {
    "naive Bayes": sf.NaiveBayes,
    "LDA": sf.LDA,
    "QDA": sf.QDA,
    "logistic": sf.LogisticRegression,
    "perceptron": lambda: sf.Perceptron(max_epochs=5),
}


def wide(columns: int, classes: int = 2, rows: int = 60) -> pd.DataFrame:
    """Columns of noise, of which the eighth tells the classes apart."""
    rng = np.random.default_rng(0)
    y = np.arange(rows) % classes
    x = rng.normal(size=(rows, columns))
    x[:, 7] += 8 * y
    return pd.DataFrame(x, columns=[f"c{j}" for j in range(columns)]).assign(y=y)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_the_most_telling_column_comes_first_and_the_rest_is_summed_up(make: Any, classes: int) -> None:
    table = wide(40, classes)
    model = make().fit(table, "y")
    row = table.iloc[0].to_dict()
    rows = model.explain(row, top=3).rows()
    assert [line[0] for line in rows[:1]] in (["prior"], ["intercept"])
    assert rows[1][0] == "c7"
    assert rows[4][0] == "37 others"
    assert rows[5][0].startswith("=")
    everything = model.explain(row, top=None).rows()
    assert [line[0] for line in everything[1:41]] == [f"c{j}" for j in range(40)]
    assert everything[-1] == rows[-1]


@pytest.mark.parametrize("make", [sf.LogisticRegression, sf.NaiveBayes])
def test_what_is_shown_adds_up(make: Any) -> None:
    table = wide(40)
    model = make().fit(table, "y")
    explanation = model.explain(table.iloc[1].to_dict(), top=5)
    lines = explanation.rows()
    if make is sf.LogisticRegression:
        assert sum(float(line[2]) for line in lines[:7]) == pytest.approx(float(lines[7][2]), abs=5e-4)
        assert explanation.total[0] == pytest.approx(model.decision_function(table.iloc[1:2])[0])
    else:
        logs = [np.log(float(line[2].split(" = ")[-1])) for line in lines[:8]]
        assert sum(logs[:7]) == pytest.approx(logs[7], abs=5e-3)
    assert len(explanation.rows()) == (8 if make is sf.LogisticRegression else 9)


def test_a_small_table_is_shown_whole_and_in_its_order() -> None:
    model = sf.NaiveBayes().fit(TENNIS, "PlayTennis")
    names = [line[0] for line in model.explain(TENNIS.slice(0, 1)).rows()]
    assert names == ["prior", "Outlook", "Temperature", "Humidity", "Wind", "= joint", "posterior"]
    assert "others" not in str(model.explain(TENNIS.slice(0, 1)))


def test_twenty_columns_are_shown_unless_asked_otherwise() -> None:
    table = wide(25)
    model = sf.NaiveBayes().fit(table, "y")
    explanation = model.explain(table.iloc[0].to_dict())
    assert "5 others" in str(explanation)
    assert "5 others" in explanation._repr_html_()
    assert len(explanation.factors) == 26
    assert "1 other " in str(model.explain(table.iloc[0].to_dict(), top=24))


@pytest.mark.parametrize("top", [0, -1, 2.5, "all", True])
def test_a_top_that_is_none_is_an_error(top: Any) -> None:
    model = sf.NaiveBayes().fit(TENNIS, "PlayTennis")
    with pytest.raises(SettingError, match="top must be a whole number"):
        model.explain(TENNIS.slice(0, 1), top=top)


def test_many_missing_columns_are_not_all_named() -> None:
    table = wide(60)
    for model in (sf.NaiveBayes().fit(table, "y"), sf.LogisticRegression().fit(table, "y")):
        note = model.explain({"c0": 1.0}).notes[0]
        assert "(59 in all)" in note
        assert "c40" not in note


def calls_of_explaining(model: Any, row: dict[str, float]) -> int:
    """How many Python functions and steps of generators one explanation takes."""
    count = 0

    def heard(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call"

    model.explain(row)
    sys.setprofile(heard)
    try:
        str(model.explain(row))
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["naive Bayes", "logistic", "perceptron"])
def test_the_work_grows_as_the_columns_do_not_as_their_square(name: str) -> None:
    few, many = wide(150), wide(600)
    work = [calls_of_explaining(MODELS[name]().fit(table, "y"), table.iloc[0].to_dict()) for table in (few, many)]
    assert work[1] < 6 * work[0]


def test_the_command_line_has_it_too(tmp_path: Path) -> None:
    table = wide(25)
    table.to_csv(tmp_path / "wide.csv", index=False)
    sf.NaiveBayes().fit(tmp_path / "wide.csv", "y").save(tmp_path / "model.json")

    def explained(*arguments: str) -> str:
        result = invoke("explain", tmp_path / "model.json", tmp_path / "wide.csv", *arguments)
        assert result.exit_code == 0
        return result.stdout

    assert "5 others" in explained()
    assert "23 others" in explained("--top", "2")
    assert "others" not in explained("--top", "0")
    assert '"c24"' in explained("--top", "2", "--json")
