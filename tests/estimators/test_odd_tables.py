"""What a table may look like, and what then happens: the design's table, row by row."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import multivariate_normal

import suffice as sf
from mixed_table import assert_sound, kept_model, mixed_table
from suffice import persist
from suffice.errors import ForgetError, ModelFileError, SettingError, SufficeError, SufficeWarning, TableError

Make = Callable[..., Any]
EVERY = [sf.NaiveBayes, sf.JointBayes, sf.LDA, sf.QDA, sf.GaussianDiscriminant]
GAUSSIAN = [sf.LDA, sf.QDA, sf.GaussianDiscriminant]
TREES = [sf.id3, sf.c45, sf.cart]
LINEAR = [sf.LogisticRegression]
every_model = pytest.mark.parametrize("make", EVERY, ids=lambda make: make.__name__)
every_classifier = pytest.mark.parametrize("make", [*EVERY, *TREES, *LINEAR], ids=lambda make: make.__name__)
every_gaussian = pytest.mark.parametrize("make", GAUSSIAN, ids=lambda make: make.__name__)


# Missing values -----------------------------------------------------------------------------------------------------


def test_naive_bayes_leaves_the_factor_of_a_missing_value_out() -> None:
    table = mixed_table()
    model = kept_model(sf.NaiveBayes)
    for name in ("height", "city"):
        without = sf.NaiveBayes().fit(table.drop(columns=name), "y")
        gaps = table.assign(**{name: None})
        np.testing.assert_allclose(model.predict_proba(gaps), without.predict_proba(table), rtol=1e-9)


def test_naive_bayes_counts_a_missing_value_for_nothing_in_training() -> None:
    table = mixed_table()
    gaps = table.copy()
    gaps.loc[::3, ["height", "city"]] = None
    model = sf.NaiveBayes(priors="uniform").fit(gaps, "y")
    known = sf.NaiveBayes(priors="uniform").fit(gaps.dropna(), "y")
    probe = table[["height", "city"]].assign(weight=None, diet=None)
    np.testing.assert_allclose(model.predict_proba(probe), known.predict_proba(probe), rtol=1e-9)


def test_joint_bayes_takes_missing_for_a_level_of_its_own() -> None:
    table = pd.DataFrame({"a": ["x", "x", None, None, None, "x"], "y": ["p", "q", "p", "p", "q", "q"]})
    model = sf.JointBayes().fit(table, "y")
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame({"a": [None, "x"]})), [[2 / 3, 1 / 3], [1 / 3, 2 / 3]])


@every_gaussian
def test_gaussian_discriminants_integrate_a_missing_value_out(make: Make) -> None:
    table = mixed_table()[["height", "weight", "y"]]
    model = model_of_two_numbers(make)
    found = model.predict_proba(table.assign(height=None))
    covariance = np.broadcast_to(model.model_.covariance, (2, 2, 2))
    joint = np.stack(
        [
            model.priors_[k] * multivariate_normal(model.means_[k, 1], covariance[k, 1, 1]).pdf(table["weight"])
            for k in range(2)
        ],
        axis=1,
    )
    np.testing.assert_allclose(found, joint / joint.sum(axis=1, keepdims=True), rtol=1e-8)


@every_gaussian
def test_gaussian_discriminants_learn_from_rows_with_gaps(make: Make) -> None:
    random = np.random.default_rng(5)
    y = np.arange(2000) % 2
    x = random.multivariate_normal([0, 0], [[1, 0.8], [0.8, 1]], 2000) + np.stack([2.0 * y, y], axis=1)
    gaps = np.where(random.random(x.shape) < [0.4, 0.0], np.nan, x)
    whole, model = make().fit(x, y), make().fit(gaps, y)
    np.testing.assert_allclose(model.means_, whole.means_, atol=0.1)
    np.testing.assert_allclose(model.covariance_, whole.covariance_, atol=0.15)
    assert "expectation–maximisation" in model.describe()
    assert_sound(model, gaps)


@every_model
def test_a_row_of_which_nothing_is_known_gets_a_prediction(make: Make) -> None:
    model = kept_model(make)
    nothing = pd.DataFrame([[None] * 4], columns=["height", "weight", "city", "diet"])
    np.testing.assert_allclose(model.predict_proba(nothing), [model.model_.priors], rtol=1e-9)


@every_classifier
def test_the_text_na_is_a_level_unless_it_is_named_a_spelling_of_missing(make: Make) -> None:
    table = pd.DataFrame({"a": ["NA", "x", "NA", "x", "z", "z"] * 4, "y": ["p", "q", "p", "q", "q", "p"] * 4})
    assert make().fit(table, "y").schema_.nominal[0].levels == ("NA", "x", "z")
    assert make(missing_values=["NA"]).fit(table, "y").schema_.nominal[0].levels == ("x", "z")


@every_classifier
def test_every_spelling_of_missing_predicts_the_same(make: Make) -> None:
    table = mixed_table()
    model = make(missing_values=["?", -999]).fit(table, "y")
    row = {"height": 171.0, "weight": 70.0, "city": "Oslo", "diet": "meat"}
    found = [
        model.predict_proba(pd.DataFrame({**row, "weight": [number], "city": pd.Series([text], dtype=object)}))[0]
        for number, text in [(None, None), (np.nan, np.nan), (-999.0, "?"), (pd.NA, pd.NA), (pd.NaT, pd.NaT)]
    ]
    np.testing.assert_allclose(found, [found[0]] * len(found), rtol=1e-12)


# Levels never seen --------------------------------------------------------------------------------------------------


@every_classifier
def test_a_level_never_seen_is_read_as_missing_and_counted_in_a_warning(make: Make) -> None:
    table = mixed_table()
    model = kept_model(make)
    new = table.head(6).assign(city=["Rome", "Oslo", "Rome", "Paris", "Bonn", None], diet=["air", *["fish"] * 5])
    with pytest.warns(SufficeWarning, match=r"read as missing: 'city' \(3 rows\), 'diet' \(1 row\)") as caught:
        found = model.predict_proba(new)
    assert len([warning for warning in caught if "read as missing" in str(warning.message)]) == 1
    as_missing = new.assign(city=[None, "Oslo", None, None, "Bonn", None], diet=[None, *["fish"] * 5])
    np.testing.assert_allclose(found, model.predict_proba(as_missing), rtol=1e-12)


@every_classifier
def test_an_explanation_says_that_a_level_was_never_seen(make: Make) -> None:
    explanation = kept_model(make).explain({"height": 170.0, "city": "Rome"})
    assert any("never seen in training" in note and "city" in note for note in explanation.notes)


# Columns that say nothing -------------------------------------------------------------------------------------------


@every_model
@pytest.mark.parametrize(
    "column",
    [["same"] * 120, [3.0] * 120, [None] * 120, [np.nan] * 120, ["same", None] * 60, [1e12 + 0.1] * 120],
    ids=["one level", "one number", "nothing", "nan", "one level or nothing", "one large number"],
)
def test_a_column_without_variation_is_named_and_changes_nothing(make: Make, column: list[Any]) -> None:
    if make in (sf.JointBayes, *GAUSSIAN) and column[0] is not None and column[1] is None:
        pytest.skip("in joint Bayes and Gaussian discriminants missing is a level, so this column varies")
    table = mixed_table()
    wider = table.assign(flat=column)
    model = make().fit(wider, "y")
    [line] = [line for line in model.describe().splitlines() if line.startswith("without evidence")]
    assert line == "without evidence (no variation, or all missing): flat"
    np.testing.assert_allclose(model.predict_proba(wider), kept_model(make).predict_proba(table), rtol=1e-9)


@pytest.mark.parametrize("make", [sf.NaiveBayes, *GAUSSIAN], ids=lambda make: make.__name__)
def test_a_table_in_which_nothing_varies_gives_the_priors(make: Make) -> None:
    table = pd.DataFrame({"a": [1.0] * 6, "b": ["x"] * 6, "y": list("ppppqq")})
    model = make().fit(table, "y")
    np.testing.assert_allclose(model.predict_proba(table), [[4 / 6, 2 / 6]] * 6, rtol=1e-9)


# Columns like identifiers -------------------------------------------------------------------------------------------


@every_classifier
def test_an_identifier_is_left_out_with_a_warning_that_says_how_to_keep_it(make: Make) -> None:
    table = mixed_table(30)
    named = table.assign(name=[f"person {i}" for i in range(30)])
    with pytest.warns(SufficeWarning) as caught:
        model = make().fit(named, "y")
    [warning] = caught
    text = str(warning.message)
    assert text == (
        "Column 'name' is left out: it looks like an identifier: 30 levels in 30 rows. keep=['name'] uses it after all."
    )
    assert warning.filename == __file__
    assert "left out: name (looks like an identifier" in model.describe()
    np.testing.assert_allclose(model.predict_proba(named), kept_model(make, 30).predict_proba(table), rtol=1e-12)


@every_classifier
def test_keep_uses_an_identifier_after_all(make: Make) -> None:
    table = mixed_table(30).assign(name=[f"person {i}" for i in range(30)])
    model = make(keep=["name"]).fit(table, "y")
    assert "name" in model.schema_.names
    assert_sound(model, table)


@pytest.mark.parametrize(("rows", "levels"), [(19, 19), (40, 35), (20, 17)])
def test_few_rows_or_repeated_levels_make_no_identifier(rows: int, levels: int) -> None:
    table = mixed_table(rows).assign(name=[f"n{i % levels}" for i in range(rows)])
    assert "name" in sf.NaiveBayes().fit(table, "y").schema_.names


def test_missing_values_do_not_make_a_column_less_of_an_identifier() -> None:
    cells = [f"n{i}" if i % 2 else None for i in range(60)]
    with pytest.warns(SufficeWarning, match="'name' is left out.*30 levels in 30 rows"):
        sf.NaiveBayes().fit(mixed_table(60).assign(name=cells), "y")


@every_classifier
def test_a_numeric_identifier_is_used_and_mentioned_in_the_notes(make: Make) -> None:
    table = mixed_table(30).assign(number=np.arange(1000, 1030))
    model = make().fit(table, "y")
    assert "number" in model.schema_.names
    assert model.schema_.notes == (
        "'number' looks like an identifier (30 values in 30 rows); drop=['number'] leaves it out.",
    )
    assert "note: 'number' looks like an identifier" in model.describe()


def test_a_table_of_identifiers_only_is_an_error_that_says_how_to_keep_them() -> None:
    table = pd.DataFrame({"name": [f"n{i}" for i in range(30)], "y": ["p", "q"] * 15})
    with pytest.raises(TableError, match=r"no column is left to learn from\. .* looks like an identifier.*keep="):
        sf.NaiveBayes().fit(table, "y")


# Joint Bayes --------------------------------------------------------------------------------------------------------


def test_joint_bayes_cuts_numeric_columns_at_quantiles() -> None:
    table = pd.DataFrame({"n": np.arange(100.0), "y": np.where(np.arange(100) < 50, "low", "high")})
    model = sf.JointBayes(bins=4).fit(table, "y")
    [cuts] = model.statistic_.parts["joint"].cuts
    assert cuts.tolist() == [24.0, 49.0, 74.0]
    assert model.predict(pd.DataFrame({"n": [-1e9, 49.0, 49.5, 1e9]})).tolist() == ["low", "low", "high", "high"]


def test_a_combination_never_seen_gets_the_priors_and_says_so() -> None:
    table = pd.DataFrame({"a": list("xxzz"), "b": list("uuvv"), "y": list("pqqq")})
    model = sf.JointBayes().fit(table, "y")
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame({"a": ["x"], "b": ["v"]})), [[0.25, 0.75]])
    explanation = model.explain({"a": "x", "b": "v"})
    assert "no training row has this combination; the class priors are used" in str(explanation)
    assert "one never seen gets the class priors" in model.describe()


# Nominal columns in Gaussian discriminants --------------------------------------------------------------------------


def many_levels(levels: int = 45, rows: int = 900) -> pd.DataFrame:
    random = np.random.default_rng(1)
    chosen = np.minimum(random.geometric(0.06, rows) - 1, levels - 1)
    y = np.where(random.random(rows) < 0.2 + 0.6 * (chosen % 2), "yes", "no")
    return pd.DataFrame({"place": [f"p{place:02}" for place in chosen], "n": random.normal(size=rows), "y": y})


@every_gaussian
def test_past_thirty_levels_the_rare_ones_are_pooled(make: Make) -> None:
    table = many_levels()
    model = make().fit(table, "y")
    frequent = set(table["place"].value_counts().index[:30])
    [kept] = model.model_.indicators.kept
    assert set(kept) == frequent
    rare = sorted(set(table["place"]) - frequent)
    assert len(rare) > 2
    found = model.predict_proba(pd.DataFrame({"place": rare, "n": 0.0}))
    np.testing.assert_allclose(found, [found[0]] * len(rare), rtol=1e-12)
    assert_sound(model, table)


@every_gaussian
def test_up_to_thirty_levels_each_has_its_indicator(make: Make) -> None:
    table = many_levels(levels=30)
    model = make().fit(table, "y")
    assert model.model_.indicators.kept == (model.schema_.nominal[0].levels,)


# Dates, times, nested columns ---------------------------------------------------------------------------------------


@every_classifier
def test_dates_are_seconds_and_the_description_notes_it(make: Make) -> None:
    days = pd.date_range("2020-01-01", periods=60).to_series(index=range(60))
    table = pd.DataFrame({"day": days, "y": np.where(np.arange(60) < 30, "early", "late")})
    model = make().fit(table, "y")
    assert model.schema_.numeric[0].is_time
    assert "note: 'day' is a time; it is read as seconds (dates: since 1970)." in model.describe()
    assert model.predict(pd.DataFrame({"day": [pd.Timestamp("2020-01-02"), pd.Timestamp("2020-02-25")]})).tolist() == [
        "early",
        "late",
    ]


@every_classifier
def test_a_nested_column_is_an_error_that_names_it(make: Make) -> None:
    table = mixed_table(10).assign(address=[["street", "town"]] * 10)
    with pytest.raises(TableError, match=r"Column 'address' has a cell of type list .*Take nested values apart"):
        make().fit(table, "y")


# What cannot be used ------------------------------------------------------------------------------------------------


@every_classifier
def test_one_class_only_is_an_error_that_names_it(make: Make) -> None:
    for label in ("p", 1, True):
        with pytest.raises(TableError, match=rf"one class only, {label!r}\. A classifier needs .* at least 2 classes"):
            make().fit(mixed_table(10).assign(y=label), "y")


@every_classifier
def test_one_class_only_among_the_rows_that_count_is_an_error_too(make: Make) -> None:
    table = mixed_table(10).assign(w=[1.0, 0.0] * 5)
    with pytest.raises(TableError, match="one class only, 'no'"):
        make().fit(table, "y", sample_weight="w")


@every_classifier
def test_no_rows_is_an_error_that_says_where_to_look(make: Make) -> None:
    with pytest.raises(TableError, match=r"0 sample.*the table has no rows\. Check the file, the filter"):
        make().fit(mixed_table(10).head(0), "y")
    with pytest.raises(ValueError, match="0 sample"):
        make().fit(np.empty((0, 3)), [])


@every_classifier
def test_no_columns_is_an_error(make: Make) -> None:
    with pytest.raises(TableError, match=r"no column is left to learn from\. Give a table with columns beside"):
        make().fit(mixed_table(10)[["y"]], "y")


@every_classifier
def test_an_unknown_target_is_an_error_that_suggests_the_near_name(make: Make) -> None:
    table = mixed_table(10).rename(columns={"y": "survived"})
    with pytest.raises(TableError, match=r"There is no target 'survive' in the table\. Did you mean 'survived'\?"):
        make().fit(table, "survive")


@every_classifier
def test_a_table_of_the_wrong_type_is_an_error_that_lists_the_right_ones(make: Make) -> None:
    for table in (42, {"a": [1, 2]}, None, {1, 2}):
        with pytest.raises(TableError, match=r"A table cannot be read from .*Give an array, a data frame .*DuckDB"):
            make().fit(table, [0, 1])


@every_classifier
def test_no_target_is_an_error_that_says_how_to_give_one(make: Make) -> None:
    with pytest.raises(TableError, match=r"the target y is None.*as the name of the target column"):
        make().fit(mixed_table(10))


@every_classifier
def test_a_continuous_target_is_an_error_that_says_what_to_do(make: Make) -> None:
    with pytest.raises(TableError, match=r"the target has fractions.*cut it into intervals first"):
        make().fit(mixed_table(10), "height")


@every_classifier
def test_duplicate_column_names_are_an_error_that_names_them(make: Make) -> None:
    table = mixed_table(10)
    table.columns = ["height", "height", "city", "diet", "y"]
    with pytest.raises(TableError, match=r"Several columns are called 'height'\. Give every column its own name"):
        make().fit(table, "y")


@every_classifier
def test_an_infinite_value_is_an_error_that_names_its_column_and_row(make: Make) -> None:
    table = mixed_table(30)
    for infinite in (np.inf, -np.inf):
        table.loc[7, "weight"] = infinite
        with pytest.raises(
            TableError, match=r"Column 'weight' contains infinity .*row 8 \(the first is 1\)\. Replace infinite values"
        ):
            make().fit(table, "y")


@every_classifier
def test_a_negative_weight_is_an_error_that_names_its_row(make: Make) -> None:
    weights = np.ones(30)
    weights[3] = -0.5
    table = mixed_table(30).assign(w=weights)
    for given in (weights, "w"):
        with pytest.raises(
            TableError, match=r"Weights must be numbers of at least 0; row 4 \(the first is 1\) has -0\.5"
        ):
            make().fit(table, "y", sample_weight=given)


@every_classifier
def test_weights_that_are_all_zero_are_an_error(make: Make) -> None:
    table = mixed_table(30).assign(w=0.0)
    for given in (np.zeros(30), "w"):
        with pytest.raises(TableError, match="All weights are zero, so no row counts"):
            make().fit(table, "y", sample_weight=given)


@every_classifier
def test_a_class_the_model_does_not_know_is_an_error_that_says_what_to_do(make: Make) -> None:
    model = kept_model(make, 30)
    with pytest.raises(TableError, match=r"the class 'maybe', which the model does not know .*learned, by `update`"):
        model.score(mixed_table(30).assign(y="maybe"), "y")


@every_classifier
def test_a_column_that_is_gone_is_an_error_that_names_it(make: Make) -> None:
    model = kept_model(make, 30)
    with pytest.raises(TableError, match=r"lacks the column 'city', which the model reads"):
        model.predict(mixed_table(30).drop(columns="city"))


# Rows without a class -----------------------------------------------------------------------------------------------


@every_classifier
def test_rows_without_a_class_are_left_out_with_a_warning_that_counts_them(make: Make) -> None:
    table = mixed_table(60)
    gaps = table.copy()
    gaps.loc[[0, 7, 30], "y"] = None
    with pytest.warns(
        SufficeWarning, match=r"^3 of 60 rows have no class \('y' is missing there\) and are left out"
    ) as caught:
        model = make().fit(gaps, "y")
    assert len(caught) == 1
    expected = make().fit(gaps.dropna(), "y")
    np.testing.assert_allclose(model.predict_proba(table), expected.predict_proba(table), rtol=1e-12)


# Singular covariances and zero variances ----------------------------------------------------------------------------


@cache
def singular_tables() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    random = np.random.default_rng(2)
    y = np.arange(40) % 2
    x = random.normal(size=(40, 3)) + y[:, None]
    lone = np.r_[1, np.zeros(39, dtype=int)]
    return {
        "a constant column": (np.c_[x, np.full(40, 7.0)], y),
        "a duplicated column": (np.c_[x, x[:, 0]], y),
        "a column in other units": (np.c_[x, 1000 * x[:, 0] + 3], y),
        "a sum of columns": (np.c_[x, x[:, 0] + x[:, 1]], y),
        "fewer rows than columns": (random.normal(size=(10, 25)), np.arange(10) % 2),
        "a class with one row": (x, lone),
        "one row a class": (x[:2], y[:2]),
        "a class without spread": (np.c_[np.where(y == 0, 5.0, x[:, 0]), x[:, 1]], y),
        "a column that is the class": (np.c_[y.astype(float), x], y),
        "only the class": (y[:, None].astype(float), y),
        "no variation at all": (np.ones((6, 2)), np.arange(6) % 2),
    }


@every_classifier
@pytest.mark.parametrize("name", singular_tables())
def test_a_singular_covariance_never_raises(make: Make, name: str) -> None:
    x, y = singular_tables()[name]
    model = make().fit(x, y)
    assert_sound(model, x)
    assert_sound(model, 10.0 * x - 3.0)
    assert model.describe()
    explanation = model.explain(x[0])
    np.testing.assert_allclose(explanation.posterior, model.predict_proba(x[:1])[0], atol=1e-6)


@every_gaussian
def test_a_well_conditioned_covariance_is_not_shrunk_at_all(make: Make) -> None:
    assert not model_of_two_numbers(make).model_.shrinkage.any()


@every_gaussian
def test_a_singular_covariance_is_shrunk_and_the_description_says_by_how_much(make: Make) -> None:
    x, y = singular_tables()["a duplicated column"]
    model = make().fit(x, y)
    assert (model.model_.shrinkage > 0).all()
    assert "shrunk by" in model.describe()


def test_a_class_variance_of_zero_is_given_a_floor_when_it_is_solved_not_when_it_is_measured() -> None:
    table = pd.DataFrame({"n": [5.0, 5.0, 5.0, 1.0, 9.0, 4.0], "y": list("pppqqq")})
    model = sf.NaiveBayes(smoothing=0).fit(table, "y")
    assert model.statistic_.parts["moments"].scatter[0, 0] == 0.0
    [gaussian] = model.model_.likelihoods
    pooled = np.var(table["n"])
    np.testing.assert_allclose(gaussian.variance[0, 0], 1e-9 * pooled, rtol=1e-9)
    [smoothed] = sf.NaiveBayes().fit(table, "y").model_.likelihoods
    within = 3 * np.var(table["n"][3:]) / 6
    np.testing.assert_allclose(smoothed.variance[0, 0], within / 4, rtol=1e-9)
    assert model.predict(pd.DataFrame({"n": [5.0, 5.1]})).tolist() == ["p", "q"]
    assert_sound(model, table)


def test_the_floor_goes_with_the_unit_of_the_column() -> None:
    table = pd.DataFrame({"n": [5.0, 5.0, 5.0, 1.0, 9.0, 4.0], "y": list("pppqqq")})
    expected = sf.NaiveBayes().fit(table, "y").predict_proba(table)
    for unit in (1e-9, 1e9):
        other = table.assign(n=table["n"] * unit)
        np.testing.assert_allclose(sf.NaiveBayes().fit(other, "y").predict_proba(other), expected, rtol=1e-6)


# Large and small ----------------------------------------------------------------------------------------------------


@every_classifier
def test_scales_as_different_as_can_be_change_nothing(make: Make) -> None:
    random = np.random.default_rng(3)
    y = np.arange(200) % 3
    x = random.normal(size=(200, 3)) + y[:, None] * [1.0, 0.5, 0.2]
    smallest = 1.0 if make is sf.c45 else 2.0**-40  # C4.5 cuts only where there is a gap of 1e-5
    units = np.array([2.0**40, smallest, 1.0])  # about 1e12 and 1e-12
    settings = {"prune": None} if make is sf.cart else {}  # in other units rows are dealt to other folds
    expected = make(**settings).fit(x, y).predict_proba(x)
    model = make(**settings).fit(x * units, y)
    np.testing.assert_allclose(model.predict_proba(x * units), expected, atol=1e-6)


@pytest.mark.parametrize("make", [sf.NaiveBayes, *GAUSSIAN, *LINEAR], ids=lambda make: make.__name__)
def test_a_large_offset_does_not_swallow_the_spread(make: Make) -> None:
    random = np.random.default_rng(3)
    y = np.arange(200) % 2
    x = random.normal(size=(200, 2)) + y[:, None]
    expected = make().fit(x, y).predict_proba(x)
    model = make().fit(x + 1e8, y)
    np.testing.assert_allclose(model.predict_proba(x + 1e8), expected, atol=1e-5)


@every_classifier
def test_a_row_far_away_gets_sound_probabilities(make: Make) -> None:
    model = kept_model(make)
    far = mixed_table(4).assign(height=[1e6, -1e6, 1e100, 0.0])
    assert_sound(model, far)


@cache
def model_of_two_numbers(make: Make) -> Any:
    return make().fit(mixed_table()[["height", "weight", "y"]], "y")


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("value", [1e160, 1e200, -1e300, 1.7e308, -1.7e308])
@every_classifier
def test_a_row_as_far_away_as_numbers_reach_is_derived_as_it_is_predicted(make: Make, value: float) -> None:
    model = model_of_two_numbers(make)
    row = {"height": value, "weight": 60.0}
    explanation = model.explain(row)
    assert str(explanation)
    frame = pd.DataFrame([row])
    assert explanation.prediction == model.predict(frame)[0]
    if hasattr(model, "predict_proba"):
        np.testing.assert_allclose(explanation.posterior, model.predict_proba(frame)[0], atol=1e-12)
    elif hasattr(model, "decision_function"):
        assert np.isfinite(model.decision_function(frame)).all()


def test_a_thousand_columns_do_not_underflow() -> None:
    random = np.random.default_rng(4)
    y = np.arange(60) % 2
    numeric = random.normal(size=(60, 1000)) + 0.3 * y[:, None]
    model = sf.NaiveBayes().fit(numeric, y)
    assert (model.predict_log_joint(numeric).max(axis=1) < -1000).all()
    assert_sound(model, numeric)
    assert model.score(numeric, y) == 1.0
    levels = np.where(random.random((60, 1250)) < 0.3 + 0.3 * y[:, None], "u", "v")
    model = sf.NaiveBayes().fit(levels, y)
    assert (model.predict_log_joint(levels).max(axis=1) < -700).all()
    assert_sound(model, levels)
    assert model.score(levels, y) == 1.0


@pytest.mark.parametrize("make", [sf.JointBayes, *GAUSSIAN, *LINEAR], ids=lambda make: make.__name__)
def test_hundreds_of_columns_do_not_underflow_elsewhere(make: Make) -> None:
    random = np.random.default_rng(4)
    y = np.arange(60) % 2
    x = random.normal(size=(60, 200)) + y[:, None]
    model = make().fit(x, y)
    assert_sound(model, x)
    assert_sound(model, x + 0.1)


# Nothing breaks halfway ---------------------------------------------------------------------------------------------


def failing_fits() -> dict[str, Callable[[Any], Any]]:
    table = mixed_table(30)
    infinite = table.assign(height=[*table["height"][:-1], np.inf])
    return {
        "one class": lambda model: model.fit(table.assign(y="no"), "y"),
        "no such target": lambda model: model.fit(table, "z"),
        "an infinite value": lambda model: model.fit(infinite, "y"),
        "a nested column": lambda model: model.fit(table.assign(city=[[1]] * 30), "y"),
        "a wrong setting": lambda model: model.set_params(priors="equal").fit(table, "y"),
        "weights": lambda model: model.fit(table, "y", sample_weight=np.zeros(30)),
        "a bad update": lambda model: model.update(infinite, "y"),
        "a bad forget": lambda model: model.forget(table.assign(city="Rome"), "y"),
    }


@every_model
@pytest.mark.parametrize("name", failing_fits())
def test_a_failed_fit_leaves_the_estimator_as_it_was(make: Make, name: str) -> None:
    table = mixed_table()
    model = copy.copy(kept_model(make))
    before, expected = dict(vars(model)), model.predict_proba(table)
    with pytest.raises(SufficeError):
        failing_fits()[name](model)
    after = {key: value for key, value in vars(model).items() if key != "priors"}
    assert after.keys() == before.keys() - {"priors"}
    assert all(after[key] is before[key] for key in after)
    np.testing.assert_array_equal(model.predict_proba(table), expected)


@every_classifier
def test_a_failed_first_fit_leaves_the_estimator_unfitted(make: Make) -> None:
    model = make()
    before = dict(vars(model))
    with pytest.raises(TableError):
        model.fit(mixed_table().assign(height=np.inf), "y")
    assert vars(model) == before


@every_classifier
def test_a_failed_save_leaves_the_old_file_whole(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = mixed_table()
    path = tmp_path / "model.json"
    model = kept_model(make)
    model.save(path)
    before = path.read_bytes()

    def fails(*_: object) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(persist.os, "replace", fails)
        with pytest.raises(ModelFileError, match="the disk is full"):
            kept_model(make, 40).save(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["model.json"]
    np.testing.assert_array_equal(sf.load(path).predict_proba(table), model.predict_proba(table))


@every_model
@pytest.mark.parametrize(
    ("times", "changes"),
    [(1, {"city": "Rome"}), (1, {"y": "maybe"}), (200, {"y": "no"}), (1, {"height": np.inf}), (0, {})],
    ids=["level", "class", "too many", "infinite", "none"],
)
def test_forgetting_rows_that_were_never_there_is_an_error(make: Make, times: int, changes: dict[str, Any]) -> None:
    table = mixed_table()
    model = copy.copy(kept_model(make))
    expected = model.predict_proba(table)
    strange = pd.concat([table.head(1).assign(**changes)] * times) if times else table.head(0)
    with pytest.raises(ForgetError):
        model.forget(strange, "y")
    np.testing.assert_array_equal(model.predict_proba(table), expected)


def test_the_error_says_that_the_model_is_unchanged_and_what_to_do() -> None:
    table = mixed_table()
    model = copy.copy(kept_model(sf.NaiveBayes))
    with pytest.raises(ForgetError, match=r"never in the model.*Forget only rows the model was trained on.*unchanged"):
        model.forget(pd.concat([table] * 2), "y")


@every_model
@pytest.mark.parametrize(
    "wrong",
    [
        lambda model, table: model.update(table.drop(columns="city"), "y"),
        lambda model, table: model.update(table.assign(height="tall"), "y"),
        lambda model, table: model.update(table.assign(height=np.inf), "y"),
        lambda model, table: model.update(table.head(0), "y"),
        lambda model, table: model.merge(type(model)().fit(table.drop(columns="city"), "y")),
        lambda model, table: model.merge(sf.LogisticRegression()),
        lambda model, table: model.merge(type(model)()),
    ],
    ids=["lacks a column", "words", "infinite", "no rows", "other columns", "another kind", "not fitted"],
)
def test_rows_that_cannot_be_added_leave_the_model_as_it_was(make: Make, wrong: Callable[[Any, Any], Any]) -> None:
    table = mixed_table()
    model = copy.copy(kept_model(make))
    before, expected = dict(vars(model)), model.predict_proba(table)
    with pytest.raises(ValueError, match=r"."):
        wrong(model, table)
    assert all(vars(model)[name] is value for name, value in before.items())
    np.testing.assert_array_equal(model.predict_proba(table), expected)


# Classes of every type ----------------------------------------------------------------------------------------------


@every_classifier
@pytest.mark.parametrize(
    "labels",
    [("no", "yes"), (0, 1), (-5, 70_000), (False, True), ("1", "2"), (np.int8(3), np.int8(4))],
    ids=["text", "integers", "far apart", "truth", "digits", "small integers"],
)
def test_classes_may_be_text_integers_or_truth_values(make: Make, labels: tuple[Any, Any], tmp_path: Path) -> None:
    table = mixed_table()
    y = np.array(labels)[(table["y"] == "yes").to_numpy().astype(int)]
    x = table[["height", "weight"]].to_numpy()
    model = make().fit(x, y)
    assert model.classes_.tolist() == [np.asarray(label).item() for label in labels]
    assert model.classes_.dtype.kind == y.dtype.kind
    predicted = model.predict(x)
    assert predicted.dtype.kind == y.dtype.kind
    assert np.mean(predicted == y) > 0.7
    assert type(model.explain(x[0]).prediction) is type(y[0].item())
    model.save(tmp_path / "model.json")
    loaded = sf.load(tmp_path / "model.json")
    assert loaded.classes_.tolist() == model.classes_.tolist()
    np.testing.assert_array_equal(loaded.predict(x), predicted)
    named = make().fit(pd.DataFrame(x, columns=["a", "b"]).assign(y=y), "y")
    np.testing.assert_array_equal(named.predict(pd.DataFrame(x, columns=["a", "b"])), predicted)


@every_classifier
def test_whole_numbers_in_floats_are_classes(make: Make) -> None:
    table = mixed_table()
    model = make().fit(table.assign(y=np.where(table["y"] == "yes", 2.0, 1.0)), "y")
    assert model.classes_.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("setting", "value"), [("smoothing", -1.0), ("smoothing_prior", "flat"), ("likelihoods", "beta")]
)
def test_a_wrong_setting_is_an_error_that_names_it(setting: str, value: object) -> None:
    with pytest.raises(SettingError, match=f"{setting.removesuffix('s')}.*{value}"):
        sf.NaiveBayes(**{setting: value}).fit(mixed_table(), "y")


@every_classifier
def test_a_value_in_a_column_that_was_empty_in_training_is_unseen(make: Make) -> None:
    table = mixed_table().assign(empty=None)
    model = make().fit(table, "y")
    rows = table.drop(columns="y")
    expected = model.predict_proba(rows)
    for late in (["fish", None, "meat"] * 40, np.arange(120.0)):
        with pytest.warns(SufficeWarning, match=r"never seen in training were read as missing: 'empty' \("):
            np.testing.assert_array_equal(model.predict_proba(rows.assign(empty=late)), expected)


def test_a_column_that_was_empty_is_one_of_numbers_once_numbers_come() -> None:
    table = mixed_table()
    model = sf.NaiveBayes().fit(table[:60].assign(height=np.nan), "y")
    model.update(table[60:], "y")
    with pytest.raises(TableError, match="'height' holds numbers"):
        model.predict(table.drop(columns="y").assign(height="tall"))


def wide(columns: int, prefix: str = "x") -> pd.DataFrame:
    cells = {f"{prefix}{j}": ["a", "b"] * 10 for j in range(columns)}
    return pd.DataFrame({**cells, "y": ["no", "yes"] * 10})


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.predict_proba(wide(3000).replace("a", "new").drop(columns="y")),
        lambda model: model.explain({"z0": 1}),
        lambda model: model.explain(["a", "b"]),
        lambda model: model.merge(sf.NaiveBayes().fit(wide(3000, "z"), "y")),
        lambda model: sf.NaiveBayes().fit(pd.concat([wide(3000)] * 2, axis=1), "y"),
    ],
    ids=["levels never seen", "a row of other columns", "a short row", "a model of other columns", "names given twice"],
)
@pytest.mark.filterwarnings("error")
def test_of_many_columns_a_message_names_a_few(ask: Any) -> None:
    model = sf.NaiveBayes().fit(wide(3000), "y")
    with pytest.raises((SufficeError, SufficeWarning)) as caught:
        ask(model)
    assert len(str(caught.value)) < 1000
