"""The joint-table Bayes classifier as users meet it: settings, intervals, missing values, more and fewer rows."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import ForgetError, MergeError, SettingError, SufficeWarning

SETTINGS: list[dict[str, Any]] = [{}, {"smoothing": 0.5}, {"priors": "uniform"}, {"bins": 3, "smoothing": 1.0}]
every_setting = pytest.mark.parametrize("settings", SETTINGS, ids=str)
FRAMES = {"pandas": lambda table: table, "polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas}


def games(rows: int = 150, seed: int = 0) -> pd.DataFrame:
    """Levels and truth values with missing cells."""
    random = np.random.default_rng(seed)
    won = random.choice(["no", "yes", "draw"], rows)
    table = pd.DataFrame(
        {
            "ground": random.choice(["home", "away", "neutral"], rows),
            "rain": random.random(rows) < 0.4,
            "coach": np.where(won == "yes", random.choice(["old", "new"], rows, p=[0.2, 0.8]), "old"),
            "won": won,
        }
    )
    table.loc[random.random(rows) < 0.1, "coach"] = None
    return table


def measured(rows: int = 150, seed: int = 0) -> pd.DataFrame:
    """The same with a number that has missing cells too."""
    random = np.random.default_rng(seed + 100)
    table = games(rows, seed)
    table.insert(1, "distance", random.gamma(2.0, 100.0, rows))
    table.loc[random.random(rows) < 0.1, "distance"] = np.nan
    return table


@cache
def kept_model(kind: str = "pandas", **settings: Any) -> sf.JointBayes:
    """Of all games in a kind of frame. It is shared, so that what changes it has to change a copy."""
    return sf.JointBayes(**settings).fit(FRAMES[kind](games()), "won")


def assert_same(first: sf.JointBayes, second: sf.JointBayes, table: Any) -> None:
    """The same table, exactly."""
    assert first.schema_.columns == second.schema_.columns
    assert first.classes_.tolist() == second.classes_.tolist()
    np.testing.assert_array_equal(first.model_.counts.cells, second.model_.counts.cells)
    np.testing.assert_array_equal(first.model_.counts.table, second.model_.counts.table)
    np.testing.assert_array_equal(first.predict_log_joint(table), second.predict_log_joint(table))


# Settings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"smoothing": -0.1}, "smoothing must be a number of at least 0"),
        ({"smoothing": None}, "smoothing must be a number of at least 0"),
        ({"bins": 1}, "bins must be a whole number of at least 2, not 1"),
        ({"bins": 2.5}, "bins must be a whole number"),
        ({"bins": True}, "bins must be a whole number"),
        ({"priors": [1.0]}, "one number for each of the 3 classes"),
    ],
    ids=str,
)
def test_a_wrong_setting_is_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        sf.JointBayes(**settings).fit(games(), "won")


def test_probabilities_are_the_shares_of_whole_rows() -> None:
    table = games().dropna()
    model = sf.JointBayes().fit(table, "won")
    own = table[table["won"] == "yes"]
    row = table.iloc[0]
    matching = (own[["ground", "rain", "coach"]] == row[["ground", "rain", "coach"]]).all(axis=1).sum()
    expected = matching / len(own) * len(own) / len(table)
    joint = np.exp(model.predict_log_joint(table[:1])[0])
    assert joint[model.classes_.tolist().index("yes")] == pytest.approx(expected, rel=1e-12)


def test_smoothing_adds_to_every_possible_cell() -> None:
    table = games().dropna()
    model = sf.JointBayes(smoothing=0.5).fit(table, "won")
    cells = 3 * 2 * 2
    assert model.model_.cell_count == cells
    grid = pd.MultiIndex.from_product([["home", "away", "neutral"], [False, True], ["old", "new"]]).to_frame()
    grid.columns = ["ground", "rain", "coach"]
    likelihood = np.exp(model.predict_log_joint(grid)) / model.model_.priors
    np.testing.assert_allclose(likelihood.sum(axis=0), 1.0, rtol=1e-12)


def test_missing_is_a_level_of_its_own() -> None:
    table = games()
    spelled = table.assign(coach=table["coach"].fillna("nobody"))
    model, with_level = sf.JointBayes().fit(table, "won"), sf.JointBayes().fit(spelled, "won")
    np.testing.assert_allclose(model.predict_proba(table), with_level.predict_proba(spelled), rtol=1e-14)
    assert model.parameter_count == with_level.parameter_count == 3 * 2 * 3 * 3 + 2


@pytest.mark.parametrize("bins", [2, 4, 7])
def test_numbers_are_cut_at_quantiles(bins: int) -> None:
    x = np.arange(140.0)[:, None]
    model = sf.JointBayes(bins=bins).fit(x, np.arange(140) % 2)
    (cuts,) = model.model_.counts.cuts
    np.testing.assert_array_equal(cuts, np.ceil(140 * np.arange(1, bins) / bins) - 1)
    counts = model.model_.counts.table.sum(axis=1)
    assert counts.max() - counts.min() <= 1
    assert model.parameter_count == bins * 2 + 1


def test_intervals_read_as_such() -> None:
    model = sf.JointBayes(bins=3).fit(np.arange(9.0)[:, None], np.arange(9) % 2)
    labels = [model.explain([value]).factors[1].value for value in (-5.0, 2.0, 2.5, 5.0, 6.0, 99.0)]
    assert labels == ["≤ 2", "≤ 2", "(2, 5]", "(2, 5]", "> 5", "> 5"]


def test_a_number_with_few_values_has_fewer_intervals() -> None:
    model = sf.JointBayes(bins=4).fit(np.array([0.0, 1.0] * 20)[:, None], np.arange(40) % 4 // 2)
    assert [len(cuts) for cuts in model.model_.counts.cuts] == [1]


def test_a_combination_never_seen_gets_the_priors() -> None:
    table = pd.DataFrame({"a": ["p", "q", "p", "q"], "b": ["u", "v", "u", "v"], "y": [0, 1, 0, 0]})
    model = sf.JointBayes().fit(table, "y")
    with pytest.warns(SufficeWarning, match=r"combinations never seen in training \(1 row\)"):
        found = model.predict_proba(pd.DataFrame({"a": ["p"], "b": ["v"]}))
    np.testing.assert_allclose(found, [[0.75, 0.25]], rtol=1e-14)
    given = sf.JointBayes(priors=[0.1, 0.9]).fit(table, "y").predict_proba(pd.DataFrame({"a": ["p"], "b": ["v"]}))
    np.testing.assert_allclose(given, [[0.1, 0.9]], rtol=1e-14)


def test_a_level_never_seen_is_read_as_missing_and_counted() -> None:
    model = sf.JointBayes().fit(games(), "won")
    with pytest.warns(SufficeWarning, match=r"'ground' \(150 rows\)"):
        found = model.predict_proba(games().assign(ground="moon"))
    np.testing.assert_allclose(found, np.tile(model.model_.priors, (150, 1)), rtol=1e-14)


def test_no_numerical_warning_on_impossible_rows(recwarn: pytest.WarningsRecorder) -> None:
    model = sf.JointBayes().fit(np.arange(12.0).reshape(4, 3), [0, 1, 0, 1])
    model.predict_proba(np.array([[0.0, 10.0, 2.0]]))
    assert not [warning for warning in recwarn.list if issubclass(warning.category, RuntimeWarning)]


def test_more_cells_than_a_float_can_count() -> None:
    random = np.random.default_rng(1)
    x, y = random.normal(size=(30, 700)), np.arange(30) % 2
    model = sf.JointBayes(smoothing=1.0).fit(x, y)
    assert model.parameter_count == 4**700 * 2 + 1
    assert "about 10^422 parameters" in model.describe()
    np.testing.assert_allclose(model.predict_proba(x)[np.arange(30), y], 2 / 3, rtol=1e-9)  # (1+1) against (0+1)
    np.testing.assert_allclose(model.explain(x[0]).posterior, model.predict_proba(x)[0], atol=1e-12)


# More rows, fewer rows ---------------------------------------------------------------------------------------------


@every_setting
@pytest.mark.parametrize("kind", FRAMES)
def test_update_is_a_fit_on_all_rows(settings: dict[str, Any], kind: str) -> None:
    table, frame = games(), FRAMES[kind]
    model = sf.JointBayes(**settings).fit(frame(table[:60]), "won")
    assert model.update(frame(table[60:100]), "won").update(frame(table[100:]), "won") is model
    assert_same(model, kept_model(kind, **settings), frame(table))


@every_setting
def test_merge_is_a_fit_on_the_rows_of_both(settings: dict[str, Any]) -> None:
    table = games()
    first, second = (sf.JointBayes(**settings).fit(part, "won") for part in (table[:70], table[70:]))
    assert first.merge(second) is first
    assert_same(first, kept_model(**settings), table)


@every_setting
@pytest.mark.parametrize("kind", FRAMES)
def test_forget_is_a_fit_on_the_other_rows(settings: dict[str, Any], kind: str) -> None:
    table, frame = games(), FRAMES[kind]
    model = copy.copy(kept_model(kind, **settings)).forget(frame(table[:40]), "won")
    rest = frame(table[40:].reset_index(drop=True))
    assert_same(model, sf.JointBayes(**settings).fit(rest, "won"), rest)


def test_new_levels_and_new_classes_arrive_in_update_and_merge() -> None:
    table = games()
    is_late = (table["won"] == "draw") | (table["ground"] == "home")
    early, late = table[~is_late], table[is_late]
    whole = sf.JointBayes().fit(table, "won")
    assert_same(sf.JointBayes().fit(early, "won").update(late, "won"), whole, table)
    assert_same(sf.JointBayes().fit(early, "won").merge(sf.JointBayes().fit(late, "won")), whole, table)


def test_levels_and_classes_that_reach_zero_vanish() -> None:
    table = games()
    is_gone = (table["won"] == "draw") | (table["ground"] == "home")
    model = sf.JointBayes().fit(table, "won").forget(table[is_gone], "won")
    assert model.classes_.tolist() == ["no", "yes"]
    assert model.schema_.nominal[0].levels == ("away", "neutral")
    assert_same(model, sf.JointBayes().fit(table[~is_gone], "won"), table[~is_gone])


def test_arrays_are_updated_and_forgotten_within_the_first_intervals() -> None:
    random = np.random.default_rng(2)
    x, y = random.normal(size=(90, 2)), np.arange(90) % 3
    model = sf.JointBayes().fit(x[:60], y[:60])
    cuts, before = model.model_.counts.cuts, model.predict_log_joint(x)
    model.update(x[60:], y[60:])
    assert model.model_.counts.table.sum() == 90
    assert model.model_.counts.cuts is cuts or all(map(np.array_equal, model.model_.counts.cuts, cuts))
    model.forget(x[60:], y[60:])
    np.testing.assert_array_equal(model.predict_log_joint(x), before)


def test_merge_refuses_other_intervals() -> None:
    first, second = (sf.JointBayes().fit(measured(seed=seed), "won") for seed in (0, 1))
    with pytest.raises(MergeError, match="cut column 'distance' into different intervals"):
        first.merge(second)


@pytest.mark.parametrize("change", [{"ground": "moon"}, {"won": "perhaps"}, {"coach": "new", "won": "no"}], ids=str)
def test_rows_that_were_never_there_are_refused_and_nothing_changes(change: dict[str, Any]) -> None:
    table = games()
    model = sf.JointBayes().fit(table, "won")
    before = model.predict_proba(table)
    with pytest.raises(ForgetError):
        model.forget(table.assign(**change), "won")
    np.testing.assert_array_equal(model.predict_proba(table), before)


# Explanations and samples ------------------------------------------------------------------------------------------


@every_setting
def test_the_factors_add_up_to_the_posterior(settings: dict[str, Any]) -> None:
    table, strange = measured(), measured(seed=5)
    model = sf.JointBayes(**settings).fit(table, "won")
    for frame in (table, strange):
        joint, posterior = model.predict_log_joint(frame), model.predict_proba(frame)
        for row, cells in enumerate(frame[:40].drop(columns="won").to_dict("records")):
            explanation = model.explain(cells)
            total = np.sum([factor.log for factor in explanation.factors], axis=0)
            np.testing.assert_allclose(total, joint[row], rtol=1e-12)
            np.testing.assert_allclose(explanation.posterior, posterior[row], rtol=0, atol=1e-12)


def test_an_explanation_says_when_no_row_had_the_combination() -> None:
    model = sf.JointBayes().fit(games(), "won")
    assert model.explain({"ground": "moon"}).notes == (
        "no training row has this combination; the class priors are used",
        "level never seen in training, read as missing: ground",
    )


@every_setting
@pytest.mark.parametrize("kind", FRAMES)
def test_samples_come_in_the_kind_of_frame_trained_on(settings: dict[str, Any], kind: str) -> None:
    frame = FRAMES[kind](measured())
    model = sf.JointBayes(**settings).fit(frame, "won")
    drawn = model.sample(300, random_state=0)
    assert type(drawn) is type(frame)
    assert list(pa.table(drawn).column_names) == ["ground", "distance", "rain", "coach", "won"]
    assert np.isfinite(model.predict_log_joint(drawn).max(axis=1)).all()  # only combinations that occurred


def test_a_class_named_without_rows_can_still_be_drawn() -> None:
    x, y = np.array([[0], [1], [0], [1]]), np.array([0, 1, 0, 1])
    model = sf.JointBayes(priors="uniform", nominal=["x0"]).partial_fit(x, y, classes=[0, 1, 2])
    assert set(model.sample(100, random_state=0)["class"].to_pylist()) == {0, 1, 2}


def test_a_long_table_is_cut_in_the_description() -> None:
    random = np.random.default_rng(3)
    table = pd.DataFrame(random.choice(list("vwxyz"), (400, 3)), columns=["a", "b", "c"]).assign(y=[0, 1] * 200)
    model = sf.JointBayes().fit(table, "y")
    count = len(model.model_.counts.cells)
    assert f"… {count - 60} more" in model.describe()
    assert f"{count} of 125 combinations occur" in model.describe()
