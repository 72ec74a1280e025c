"""Suspected leaks are named, and what is merely telling is not."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.evaluation.comparison.single_columns import single_columns
from suffice.sources import Reading, gathered, read_table

SHARED = Path(__file__).parents[3].parent / "shared" / "data"


def passengers(rows: int = 600) -> pd.DataFrame:
    """Age and sex tell something of who lived; the boat was written down afterwards, as was the body."""
    random = np.random.default_rng(0)
    lived = random.random(rows) < 0.4
    is_female = np.where(lived, random.random(rows) < 0.6, random.random(rows) < 0.25)
    boat = np.where(lived & (random.random(rows) < 0.97), random.integers(1, 9, rows).astype(str), None)
    body = np.where(~lived & (random.random(rows) < 0.2), random.integers(1, 400, rows), np.nan)
    return pd.DataFrame(
        {
            "sex": np.where(is_female, "female", "male"),
            "age": random.normal(30, 10, rows).round(1),
            "boat": boat,
            "body": body,
            "lived": np.where(lived, "yes", "no"),
        }
    )


def test_what_was_written_down_after_the_outcome_is_suspected_and_can_be_dropped() -> None:
    result = sf.compare(passengers(), "lived", models=["naive_bayes", "logistic"], folds=3)
    assert [leak.column for leak in result.leaks] == ["boat", "body"]
    boat, body = map(str, result.leaks)
    assert "alone it explains" in boat
    assert "drop=['boat']" in boat
    assert "it is known in" in body
    assert "all of them of the class 'no'" in body
    without = sf.compare(passengers(), "lived", models=["naive_bayes", "logistic"], drop=["boat", "body"], folds=3)
    assert without.leaks == ()
    assert without.rows[0].accuracy < result.rows[0].accuracy - 0.1


def test_a_copy_of_the_target_is_suspected_however_many_copies_there_are() -> None:
    table = passengers()[["sex", "age", "lived"]]
    table = table.assign(first=table["lived"].str.upper(), second=(table["lived"] == "yes").astype(int))
    assert {leak.column for leak in sf.compare(table, "lived", models=["c45"], folds=3).leaks} == {"first", "second"}


def test_a_quantity_has_leaks_too() -> None:
    random = np.random.default_rng(0)
    weight, price = random.normal(size=400), random.normal(size=400)
    table = pd.DataFrame({"weight": weight + price, "paid": price * 1.1 + 0.01 * weight, "price": price})
    assert [leak.column for leak in sf.compare(table, "price", models=["cart"], folds=3).leaks] == ["paid"]


@pytest.mark.parametrize("name", ["iris", "wine", "play_tennis"])
def test_columns_that_are_strong_among_others_are_no_leaks(name: str) -> None:
    target = {"iris": "species", "wine": "cultivar", "play_tennis": "PlayTennis"}[name]
    models = ["naive_bayes", "lda", "c45"]
    assert sf.compare(sf.datasets.load(name), target, models=models, folds=7).leaks == ()


def test_a_mark_that_few_rows_of_one_class_have_is_no_leak() -> None:
    random = np.random.default_rng(0)
    steel = random.random(500) < 0.2
    table = pd.DataFrame(
        {"x": random.normal(size=500) + steel, "mark": np.where(steel & (random.random(500) < 0.5), "Y", None)}
    )
    assert sf.compare(table.assign(y=steel), "y", models=["naive_bayes"], folds=3).leaks == ()


@pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the real tables of ../shared/data")
@pytest.mark.parametrize(
    ("file", "target", "leaks"),
    [
        ("titanic3.csv", "survived", {"boat", "body"}),
        ("boston-median.csv", "high_price", {"MEDV"}),
        ("mushroom.csv", "class", set()),
        ("iris.csv", "class", set()),
        ("vote.csv", "Class", set()),
        ("anneal.csv", "class", set()),
    ],
)
def test_real_tables(file: str, target: str, leaks: set[str]) -> None:
    found = sf.compare(str(SHARED / file), target, models=["naive_bayes", "c45"], folds=3).leaks
    assert {leak.column for leak in found} == leaks


def test_what_a_column_explains_alone_is_what_a_model_of_it_alone_explains() -> None:
    """Counts without a fold are the counts of the other rows: the plain way gives the same numbers."""
    table = passengers(150)
    batch = gathered(read_table(table, "lived"), by_column=True)
    fold = (np.arange(batch.rows) % 3).astype(np.int32)
    found = {column.name: column.explained for column in single_columns(batch, fold)}
    sex, lived = table["sex"].to_numpy(), table["lived"].to_numpy()
    loss = plain = 0.0
    for k in range(3):
        for s, y in zip(sex[fold == k], lived[fold == k], strict=True):
            others = lived[fold != k]
            prior = np.mean(others == y)
            alike = others[sex[fold != k] == s]
            loss -= np.log((np.sum(alike == y) + prior) / (len(alike) + 1))
            plain -= np.log((np.sum(others == y) + prior) / (len(others) + 1))
    assert found["sex"] == pytest.approx(1 - loss / plain)


def test_the_mean_of_a_level_explains_a_quantity() -> None:
    level = np.repeat(["a", "b"], 50)
    price = np.where(level == "a", 1.0, 3.0) + np.linspace(0, 0.1, 100)
    table = pd.DataFrame({"level": level, "constant": 1.0, "price": price})
    source = read_table(table, "price", reading=Reading(numeric_target=True))
    fold = (np.arange(100) % 5).astype(np.int32)
    found = {column.name: column.explained for column in single_columns(gathered(source), fold)}
    assert found["level"] > 0.99
    assert abs(found["constant"]) < 0.01


def test_a_model_that_one_column_spoils_makes_no_leaks_of_the_others() -> None:
    """A tree with a branch for every name learns next to nothing: with or without the weight, which tells a lot."""
    random = np.random.default_rng(0)
    weight = random.normal(size=400)
    names = [f"car {number}" for number in random.integers(0, 500, 400)]
    table = pd.DataFrame({"weight": weight, "name": names, "price": weight + 0.3 * random.normal(size=400)})
    result = sf.compare(table, "price", models=["id3"], folds=3)
    assert result.own["id3"].schema_.names == ("weight", "name")
    assert result.leaks == ()
