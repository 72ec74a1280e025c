"""The linear baseline of quantities: ridge least squares, in every leaderboard of numbers."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from sklearn.linear_model import Ridge

import suffice as sf
from suffice.errors import SettingError
from suffice.evaluation.contestants.linear_baseline import MOST_LEVELS, LinearBaseline, Products, Terms
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.sources import gathered, read_table
from suffice.sources.reading import Reading

NUMBERS = Reading(numeric_target=True)
BASELINE = LinearBaseline(sf.DecisionTreeRegressor())


def line_table(rows: int = 120, seed: int = 0) -> pa.Table:
    chance = np.random.default_rng(seed)
    x, z = chance.normal(50, 10, rows), chance.normal(0, 1, rows)
    colour = chance.choice(["red", "green", "blue"], rows)
    y = 3 * x - 20 * z + np.where(colour == "red", 40, 0) + chance.normal(0, 1, rows)
    return pa.table({"x": x, "z": z, "colour": colour, "y": y})


def test_it_is_ridge_regression_on_standardised_columns_and_levels() -> None:
    table = line_table()
    fit = BASELINE.fitted_on(gathered(read_table(table, "y", reading=NUMBERS)))
    batch = gathered(read_table(table, "y", reading=NUMBERS))
    design = Terms.of(batch).matrix(batch)
    scaled = (design - design.mean(axis=0)) / design.std(axis=0)
    expected = Ridge(alpha=1.0).fit(scaled, batch.responses()).predict(scaled)
    np.testing.assert_allclose(fit.predict(batch), expected, rtol=1e-9)
    assert fit.parameter_count == 6


def test_the_model_without_a_fold_is_that_of_the_other_rows() -> None:
    table = line_table()
    source = read_table(table, "y", reading=NUMBERS)
    result = BASELINE.cross_validated(source, Dealing(5)).result
    batch = gathered(source)
    for k in range(5):
        rows, others = np.flatnonzero(result.fold == k), np.flatnonzero(result.fold != k)
        terms = Terms.of(batch)
        part = batch.take(others)
        fit = Products.of(terms.matrix(part), part.responses(), part.row_weights()).solved(terms)
        np.testing.assert_allclose(result.predicted[rows], fit.predict(batch.take(rows)), rtol=1e-9)


def test_weights_count_as_so_many_rows() -> None:
    table = line_table(40)
    weights = np.arange(40) % 3 + 1
    repeated = table.take(np.repeat(np.arange(40), weights))
    once = BASELINE.fitted_on(gathered(read_table(table, "y", weights.astype(float), NUMBERS)))
    many = BASELINE.fitted_on(gathered(read_table(repeated, "y", reading=NUMBERS)))
    batch = gathered(read_table(table, "y", reading=NUMBERS))
    # the means that stand in for missing values differ; there are none here
    np.testing.assert_allclose(once.predict(batch), many.predict(batch), rtol=1e-9)


def test_missing_values_many_levels_and_columns_that_do_not_vary_are_no_trouble() -> None:
    chance = np.random.default_rng(1)
    x = [None if number > 1 else float(number) for number in chance.normal(size=200)]
    word = [f"w{number}" for number in chance.integers(0, 60, 200)]
    table = pa.table({"x": x, "word": word, "one": [1.0] * 200, "empty": pa.array([None] * 200, pa.float64())})
    table = table.append_column("y", pa.array(np.arange(200.0)))
    fit = BASELINE.fitted_on(gathered(read_table(table, "y", reading=NUMBERS)))
    assert np.isfinite(fit.predict(gathered(read_table(table, "y", reading=NUMBERS)))).all()
    assert len(fit.weights) == 3 + MOST_LEVELS


def test_it_stands_in_every_leaderboard_of_numbers_and_marks_what_is_below() -> None:
    result = sf.compare(line_table(), "y", models=["cart"], folds=3)
    rows = {row.model: row for row in result.rows}
    assert list(rows) == ["least_squares", "cart", "mean"]
    assert rows["cart"].below == "least_squares"
    assert result.leader == "cart"
    assert "No model is better than least_squares: a weighted sum of the column" in str(result)
    assert "least_squares" not in {
        row.model for row in sf.compare(line_table(), "colour", models=["lda"], folds=3).rows
    }
    assert "least_squares" not in {
        row.model for row in sf.compare(line_table(), "y", skip="least_squares", folds=3).rows
    }


def test_alone_with_the_mean_it_is_no_leader() -> None:
    assert sf.compare(line_table(), "y", models=["mean"]).leader == "mean"


def test_it_is_tested_on_another_table() -> None:
    result = sf.compare(line_table(), "y", models=["cart"], test=line_table(50, 1))
    assert result.rows[0].model == "least_squares"
    assert result.rows[0].rmse < 1.5


def test_it_has_a_line_but_no_chapter_in_the_report(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sf.compare(line_table(), "y", models=["cart"], folds=3).report(tmp_path / "report.html")
    assert "least_squares" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_its_name_is_taken_and_it_is_no_model_to_train() -> None:
    with pytest.raises(SettingError, match="'least_squares' is the name of a baseline"):
        sf.compare(line_table(), "y", models={"least_squares": sf.cart(criterion="variance")})
    from suffice.evaluation import make_model

    with pytest.raises(SettingError, match="least_squares is a baseline, which takes part in every comparison"):
        make_model("least_squares", "regression")
