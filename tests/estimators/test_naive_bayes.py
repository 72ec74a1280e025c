"""Naive Bayes as users meet it: its settings, mixed likelihoods, more rows, fewer rows, explanations, samples."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError

import suffice as sf
from suffice.errors import ForgetError, MergeError, SettingError, SufficeWarning, TableError

MIXED = {"weight": "kde", "visits": "poisson", "member": "bernoulli"}
SETTINGS: list[dict[str, Any]] = [
    {},
    {"smoothing": 0},
    {"smoothing": 2.5, "smoothing_prior": "marginal"},
    {"shared_variance": True},
    {"likelihoods": "kde"},
    {"likelihoods": MIXED},
    {"priors": "uniform"},
    {"priors": {"low": 0.2, "middle": 0.3, "high": 0.5}},
]
every_setting = pytest.mark.parametrize("settings", SETTINGS, ids=str)
FRAMES = {"pandas": lambda table: table, "polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas}


def people(seed: int = 0) -> pd.DataFrame:
    """A table with a bit of everything: numbers, counts, levels, truth values, missing cells."""
    return drawn_people(seed).copy()


@cache
def drawn_people(seed: int) -> pd.DataFrame:
    rows = 120
    random = np.random.default_rng(seed)
    risk = random.choice(["low", "middle", "high"], rows, p=[0.5, 0.3, 0.2])
    shift = pd.Series(risk).map({"low": 0.0, "middle": 1.0, "high": 3.0}).to_numpy()
    table = pd.DataFrame(
        {
            "height": random.normal(170.0 + shift, 9.0),
            "weight": random.gamma(4.0, 18.0, rows) + 5 * shift,
            "visits": random.poisson(1.0 + shift),
            "town": random.choice(["Ulm", "Bonn", "Kiel", "Jena"], rows),
            "member": random.random(rows) < 0.3 + 0.1 * shift,
            "risk": risk,
        }
    )
    table.loc[random.random(rows) < 0.15, "height"] = np.nan
    table.loc[random.random(rows) < 0.15, "town"] = None
    return table


KEPT: dict[str, sf.NaiveBayes] = {}


def kept_model(settings: dict[str, Any], kind: str = "pandas") -> sf.NaiveBayes:
    """Of all people in a kind of frame. It is shared, so that what changes it has to change a copy."""
    key = f"{kind} {settings}"
    if key not in KEPT:
        KEPT[key] = sf.NaiveBayes(**settings).fit(FRAMES[kind](people()), "risk")
    return KEPT[key]


def assert_same(first: sf.NaiveBayes, second: sf.NaiveBayes, table: Any, exactly: bool = False) -> None:
    """The same schema and, up to rounding or exactly, the same joint probabilities."""
    assert first.schema_.columns == second.schema_.columns
    assert first.classes_.tolist() == second.classes_.tolist()
    mine, theirs = first.predict_log_joint(table), second.predict_log_joint(table)
    if exactly:
        np.testing.assert_array_equal(mine, theirs)
    else:
        np.testing.assert_allclose(mine, theirs, rtol=1e-11, atol=1e-11)


# Settings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"smoothing": -1}, "smoothing must be a number of at least 0, not -1"),
        ({"smoothing": "much"}, "smoothing must be a number"),
        ({"smoothing": float("nan")}, "smoothing must be a number"),
        ({"smoothing": True}, "smoothing must be a number"),
        ({"smoothing_prior": "flat"}, "smoothing_prior must be one of 'uniform', 'marginal', not 'flat'"),
        ({"priors": "equal"}, "priors='equal' is not known"),
        ({"priors": [0.5, 0.5]}, "one number for each of the 3 classes"),
        ({"priors": [0.5, 0.6, 0.1]}, "add up to 1; these add up to 1.2"),
        ({"priors": [-0.5, 1.0, 0.5]}, "at least 0"),
        ({"priors": {"low": 0.5, "high": 0.5}}, "no entry for the class 'middle'"),
        ({"likelihoods": "normal"}, "likelihood 'normal' for 'height' is not known; there are categorical"),
        ({"likelihoods": {"height": "normal"}}, "likelihood 'normal' for 'height' is not known"),
        ({"likelihoods": {"hight": "kde"}}, "'hight', which is no column"),
        ({"likelihoods": {"town": "kde"}}, "Column 'town' holds levels, so it cannot be kde"),
        ({"likelihoods": {"town": "bernoulli"}}, "Column 'town' has more than two levels"),
    ],
    ids=str,
)
def test_a_wrong_setting_is_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        sf.NaiveBayes(**settings).fit(people(), "risk")


@pytest.mark.parametrize("setting", ["nominal", "keep"])
def test_a_column_that_is_not_there_is_named(setting: str) -> None:
    with pytest.raises(TableError, match=r"'hight' in the table\. Did you mean 'height'"):
        sf.NaiveBayes(**{setting: ["hight"]}).fit(people(), "risk")


def test_a_poisson_column_must_hold_counts() -> None:
    with pytest.raises(TableError, match=r"'weight' is to be Poisson, but .* is no count"):
        sf.NaiveBayes({"weight": "poisson"}).fit(people(), "risk")


@pytest.mark.parametrize("number", [np.int64(2), np.float32(2), np.float64(2)], ids=repr)
def test_numpys_numbers_are_numbers(number: Any) -> None:
    given, plain = (sf.NaiveBayes(smoothing=smoothing).fit(people(), "risk") for smoothing in (number, 2))
    assert_same(given, plain, people(), exactly=True)


def test_a_fit_that_fails_leaves_the_old_model() -> None:
    model = sf.NaiveBayes().fit(people(), "risk")
    before = model.predict_proba(people())
    model.set_params(smoothing=-1)
    with pytest.raises(SettingError):
        model.fit(people(seed=1), "risk")
    np.testing.assert_array_equal(model.predict_proba(people()), before)


@pytest.mark.parametrize(
    "call",
    [
        lambda model: model.predict(people()),
        lambda model: model.describe(),
        lambda model: model.explain({"height": 1.0}),
        lambda model: model.sample(3),
        lambda model: model.forget(people(), "risk"),
        lambda model: model.merge(sf.NaiveBayes()),
        lambda model: model.save("nowhere"),
        lambda model: model.logistic_weights(),
        lambda model: model.parameter_count,
    ],
)
def test_without_a_model_nothing_can_be_asked(call: Any) -> None:
    with pytest.raises(NotFittedError, match="not fitted yet"):
        call(sf.NaiveBayes())


def test_numbers_named_nominal_are_levels() -> None:
    model = sf.NaiveBayes(nominal=["visits"]).fit(people(), "risk")
    column = next(column for column in model.schema_.nominal if column.name == "visits")
    assert column.levels == tuple(sorted(set(people()["visits"])))


def test_a_categorical_likelihood_makes_a_column_nominal() -> None:
    by_likelihood = sf.NaiveBayes({"visits": "categorical"}).fit(people(), "risk")
    by_setting = sf.NaiveBayes(nominal=["visits"]).fit(people(), "risk")
    assert_same(by_likelihood, by_setting, people(), exactly=True)


def test_an_array_column_is_chosen_by_its_number() -> None:
    table = people().dropna()
    x, y = table[["height", "visits"]].to_numpy(), table["risk"].to_numpy()
    by_number = sf.NaiveBayes({1: "poisson"}).fit(x, y)
    by_name = sf.NaiveBayes({"visits": "poisson"}).fit(table[["height", "visits", "risk"]], "risk")
    np.testing.assert_array_equal(by_number.predict_proba(x), by_name.predict_proba(table))


def test_every_column_of_an_array_may_be_categorical() -> None:
    random = np.random.default_rng(0)
    x, y = random.integers(0, 3, (60, 2)), np.arange(60) % 2
    model = sf.NaiveBayes("categorical").fit(x, y)
    assert [column.levels for column in model.schema_.nominal] == [(0, 1, 2), (0, 1, 2)]


def test_an_identifier_is_left_out_and_named() -> None:
    table = people().assign(passport=[f"P{row}" for row in range(120)])
    with pytest.warns(SufficeWarning, match="'passport' is left out"):
        model = sf.NaiveBayes().fit(table, "risk")
    assert "passport" not in model.schema_.names
    assert "left out: passport (looks like an identifier: 120 levels in 120 rows)" in model.describe()
    kept = sf.NaiveBayes(keep=["passport"]).fit(table, "risk")
    assert "passport" in kept.schema_.names


def test_further_spellings_of_missing_are_read_in_training_and_prediction() -> None:
    table = people().dropna()
    spelled = table.assign(town=table["town"].where(table.index % 3 > 0, "?"))
    blank = table.assign(town=table["town"].where(table.index % 3 > 0, None))
    with_setting = sf.NaiveBayes(missing_values=["?"]).fit(spelled, "risk")
    plain = sf.NaiveBayes().fit(blank, "risk")
    np.testing.assert_array_equal(with_setting.predict_proba(spelled), plain.predict_proba(blank))


# Mixed likelihoods -------------------------------------------------------------------------------------------------


def test_a_mixed_model_is_the_product_of_its_columns() -> None:
    table = people()
    whole = kept_model({"likelihoods": MIXED})
    total = np.log(whole.model_.priors)
    for name in whole.schema_.names:
        kind = {name: MIXED[name]} if name in MIXED else None
        alone = sf.NaiveBayes(kind).fit(table[[name, "risk"]], "risk")
        total = total + alone.predict_log_joint(table) - np.log(alone.model_.priors)
    np.testing.assert_allclose(whole.predict_log_joint(table), total, rtol=1e-12)


def test_a_mixed_model_describes_each_column_in_its_own_way() -> None:
    text = kept_model({"likelihoods": MIXED}).describe()
    for heading in ("height (Gaussian)", "weight (kernel density)", "visits (Poisson)", "P(town | ·)", "P(member | ·)"):
        assert heading in text
    places = [text.index(name) for name in ("height", "weight", "visits", "town", "member")]
    assert places == sorted(places)


@every_setting
def test_a_missing_value_leaves_its_factor_out(settings: dict[str, Any]) -> None:
    table = people()
    whole = kept_model(settings)
    blank = table.assign(town=pd.Series([None] * len(table), dtype=object), visits=np.nan)
    without = dict(settings)
    if isinstance(settings.get("likelihoods"), dict):
        without["likelihoods"] = {"weight": "kde", "member": "bernoulli"}
    fewer = sf.NaiveBayes(**without).fit(table.drop(columns=["town", "visits"]), "risk")
    np.testing.assert_allclose(whole.predict_log_joint(blank), fewer.predict_log_joint(table), rtol=1e-12)


def test_a_row_without_any_value_gets_the_priors() -> None:
    model = kept_model({})
    np.testing.assert_allclose(model.explain({}).posterior, model.model_.priors, rtol=1e-14)


def test_a_level_never_seen_is_read_as_missing_and_counted() -> None:
    model = kept_model({})
    strange = people().assign(town="Rome")
    with pytest.warns(SufficeWarning, match=r"'town' \(120 rows\)"):
        found = model.predict_proba(strange)
    blank = strange.assign(town=pd.Series([None] * 120, dtype=object))
    np.testing.assert_array_equal(found, model.predict_proba(blank))


# More rows ---------------------------------------------------------------------------------------------------------


@every_setting
@pytest.mark.parametrize("kind", FRAMES)
def test_update_is_a_fit_on_all_rows(settings: dict[str, Any], kind: str) -> None:
    table, frame = people(), FRAMES[kind]
    model = sf.NaiveBayes(**settings).fit(frame(table[:50]), "risk")
    assert model.update(frame(table[50:90]), "risk").update(frame(table[90:]), "risk") is model
    assert_same(model, kept_model(settings, kind), frame(table))


def test_update_of_counts_is_exact() -> None:
    table = people()[["town", "member", "visits", "risk"]]
    model = sf.NaiveBayes({"visits": "poisson"}).fit(table[:50], "risk").update(table[50:], "risk")
    assert_same(model, sf.NaiveBayes({"visits": "poisson"}).fit(table, "risk"), table, exactly=True)


@every_setting
def test_update_with_arrays(settings: dict[str, Any]) -> None:
    table = people().drop(columns=["town", "member"]).fillna(170.0)
    settings = {**settings, "likelihoods": None} if isinstance(settings.get("likelihoods"), dict) else settings
    x, y = table.drop(columns="risk").to_numpy(float), table["risk"].to_numpy()
    model = sf.NaiveBayes(**settings).fit(x[:60], y[:60]).update(x[60:], y[60:])
    assert_same(model, sf.NaiveBayes(**settings).fit(x, y), x)


def test_update_with_weights() -> None:
    table = people()
    weight = np.random.default_rng(3).uniform(0.5, 2.0, 120)
    features = table.drop(columns="risk")
    model = sf.NaiveBayes().fit(features[:70], table["risk"][:70], sample_weight=weight[:70])
    model.update(features[70:], table["risk"][70:], sample_weight=weight[70:])
    assert_same(model, sf.NaiveBayes().fit(features, table["risk"], sample_weight=weight), features)


@pytest.mark.parametrize("kind", FRAMES)
def test_new_levels_and_new_classes_arrive_in_update(kind: str) -> None:
    table, frame = people(), FRAMES[kind]
    is_late = (table["risk"] == "high") | (table["town"] == "Kiel")
    model = sf.NaiveBayes().fit(frame(table[~is_late].reset_index(drop=True)), "risk")
    assert model.classes_.tolist() == ["low", "middle"]
    model.update(frame(table[is_late].reset_index(drop=True)), "risk")
    assert model.classes_.tolist() == ["high", "low", "middle"]
    assert_same(model, kept_model({}, kind), frame(table))


def test_update_reads_columns_by_name_and_ignores_others() -> None:
    table = people()
    model = sf.NaiveBayes().fit(table[:60], "risk")
    model.update(table[60:][table.columns[::-1]].assign(remark="x"), "risk")
    assert_same(model, kept_model({}), table)


def test_update_of_an_unfitted_estimator_is_fit() -> None:
    assert_same(sf.NaiveBayes().update(people(), "risk"), sf.NaiveBayes().fit(people(), "risk"), people(), exactly=True)


def test_update_may_bring_a_single_class() -> None:
    table = people()
    model = sf.NaiveBayes().fit(table[:60], "risk")
    rest = table[60:]
    for label in ("low", "middle", "high"):
        model.update(rest[rest["risk"] == label], "risk")
    assert_same(model, kept_model({}), table)


def test_a_bernoulli_column_refuses_a_third_level_and_stays_as_it_was() -> None:
    table = people().assign(member=lambda t: t["member"].map({True: "yes", False: "no"}))
    model = sf.NaiveBayes({"member": "bernoulli"}).fit(table, "risk")
    before = model.predict_proba(table)
    with pytest.raises(SettingError, match="more than two levels"):
        model.update(table.assign(member="maybe"), "risk")
    np.testing.assert_array_equal(model.predict_proba(table), before)


# Other models ------------------------------------------------------------------------------------------------------


@every_setting
def test_merge_is_a_fit_on_the_rows_of_both(settings: dict[str, Any]) -> None:
    table = people()
    first = sf.NaiveBayes(**settings).fit(table[:70], "risk")
    second = sf.NaiveBayes(**settings).fit(table[70:], "risk")
    assert first.merge(second) is first
    assert_same(first, kept_model(settings), table)


def test_merge_unites_levels_and_classes() -> None:
    table = people()
    is_first = table["town"].isin(["Ulm", "Bonn"]) & (table["risk"] != "high")
    first = sf.NaiveBayes().fit(table[is_first], "risk")
    second = sf.NaiveBayes().fit(table[~is_first], "risk")
    assert_same(first.merge(second), kept_model({}), table)


def test_merge_does_not_depend_on_the_order() -> None:
    table = people()
    parts = [table[:40], table[40:80], table[80:]]
    forward, backward = (sf.NaiveBayes().fit(order[0], "risk") for order in (parts, parts[::-1]))
    for part in parts[1:]:
        forward.merge(sf.NaiveBayes().fit(part, "risk"))
    for part in parts[-2::-1]:
        backward.merge(sf.NaiveBayes().fit(part, "risk"))
    assert_same(forward, backward, table)


def test_merge_leaves_the_other_model_as_it_was() -> None:
    table = people()
    other = sf.NaiveBayes().fit(table[70:], "risk")
    before = other.predict_proba(table)
    sf.NaiveBayes().fit(table[:70], "risk").merge(other)
    np.testing.assert_array_equal(other.predict_proba(table), before)


def test_merge_refuses_another_kind_of_model() -> None:
    table = people()
    with pytest.raises(MergeError, match="A NaiveBayes cannot take in a JointBayes"):
        sf.NaiveBayes().fit(table, "risk").merge(sf.JointBayes().fit(table, "risk"))


def test_merge_refuses_other_columns() -> None:
    table = people()
    with pytest.raises(MergeError, match="do not have the same columns: 'town'"):
        sf.NaiveBayes().fit(table, "risk").merge(sf.NaiveBayes().fit(table.drop(columns="town"), "risk"))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [({"visits": "poisson"}, {"calls": "poisson"}), ({"visits": "kde"}, {"calls": "kde"}), ({"visits": "kde"}, None)],
)
def test_merge_refuses_other_likelihoods(mine: Any, theirs: Any) -> None:
    """What one side summed or tallied, the other does not know."""
    table = people().assign(calls=np.arange(120) % 7)
    with pytest.raises(MergeError):
        sf.NaiveBayes(mine).fit(table, "risk").merge(sf.NaiveBayes(theirs).fit(table, "risk"))


# Fewer rows --------------------------------------------------------------------------------------------------------


@every_setting
@pytest.mark.parametrize("kind", FRAMES)
def test_forget_is_a_fit_on_the_other_rows(settings: dict[str, Any], kind: str) -> None:
    table, frame = people(), FRAMES[kind]
    model = copy.copy(kept_model(settings, kind))
    assert model.forget(frame(table[:30]), "risk") is model
    rest = frame(table[30:].reset_index(drop=True))
    assert_same(model, sf.NaiveBayes(**settings).fit(rest, "risk"), rest)


def test_forgetting_counts_is_exact() -> None:
    table = people()[["town", "member", "risk"]]
    model = sf.NaiveBayes().fit(table, "risk").forget(table[:30], "risk")
    assert_same(model, sf.NaiveBayes().fit(table[30:], "risk"), table[30:], exactly=True)


def test_forget_with_arrays() -> None:
    random = np.random.default_rng(4)
    x, y = random.normal(size=(80, 3)), np.arange(80) % 3
    model = sf.NaiveBayes().fit(x, y).forget(x[:20], y[:20])
    assert_same(model, sf.NaiveBayes().fit(x[20:], y[20:]), x)


def test_levels_and_classes_that_reach_zero_vanish() -> None:
    table = people()[["town", "member", "risk"]]
    is_gone = (table["town"] == "Jena") | (table["risk"] == "high")
    model = sf.NaiveBayes().fit(table, "risk").forget(table[is_gone], "risk")
    assert model.classes_.tolist() == ["low", "middle"]
    assert model.schema_.nominal[0].levels == ("Bonn", "Kiel", "Ulm")
    assert_same(model, sf.NaiveBayes().fit(table[~is_gone], "risk"), table[~is_gone], exactly=True)


def test_declared_levels_stay_when_their_rows_are_gone() -> None:
    table = people()[["town", "risk"]].dropna()
    table["town"] = pd.Categorical(table["town"], ["Ulm", "Bonn", "Kiel", "Jena", "Rome"])
    is_gone = table["town"] == "Jena"
    model = sf.NaiveBayes().fit(table, "risk").forget(table[is_gone], "risk")
    assert model.schema_.nominal[0].levels == ("Ulm", "Bonn", "Kiel", "Jena", "Rome")
    assert_same(model, sf.NaiveBayes().fit(table[~is_gone], "risk"), table, exactly=True)


def test_what_was_added_can_be_forgotten_again() -> None:
    table = people()[["town", "member", "risk"]]
    model = sf.NaiveBayes().fit(table[:80], "risk")
    before = model.predict_proba(table[:80])
    model.update(table[80:], "risk").forget(table[80:], "risk")
    np.testing.assert_array_equal(model.predict_proba(table[:80]), before)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"town": "Rome"}, "never seen"),
        ({"risk": "none"}, "'none', which the model does not know"),
        ({"town": "Ulm", "member": True, "risk": "high"}, "never in the model"),
    ],
    ids=str,
)
def test_rows_that_were_never_there_are_refused_and_nothing_changes(change: dict[str, Any], message: str) -> None:
    table = people()[["town", "member", "risk"]]
    model = sf.NaiveBayes().fit(table, "risk")
    before = model.predict_proba(table)
    with pytest.raises(ForgetError, match=message):
        model.forget(table.assign(**change), "risk")
    np.testing.assert_array_equal(model.predict_proba(table), before)


def test_the_last_two_classes_must_stay() -> None:
    table = people()[["town", "risk"]]
    model = sf.NaiveBayes().fit(table, "risk")
    with pytest.raises(ForgetError, match="fewer than two classes"):
        model.forget(table[table["risk"] != "low"], "risk")


def test_moments_refuse_to_lose_their_digits() -> None:
    x = np.array([[1e9], [1.0], [1.1], [0.0], [5.0], [7.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    model = sf.NaiveBayes().fit(x, y)
    with pytest.raises(ForgetError, match="more than 8 digits of the spread of column 'x0'"):
        model.forget(x[:1], y[:1])


@pytest.mark.parametrize("likelihood", ["poisson", "kde"])
def test_only_gaussian_columns_have_digits_to_lose(likelihood: str) -> None:
    """Counts and tallies are exact, whatever spread is left."""
    table = pd.DataFrame({"visits": [0, 0, 0, 5, 1, 2, 3, 4], "y": [0, 0, 0, 0, 1, 1, 1, 1]})
    model = sf.NaiveBayes({"visits": likelihood}).fit(table, "y").forget(table[3:4], "y")
    rest = table.drop(index=3)
    assert_same(model, sf.NaiveBayes({"visits": likelihood}).fit(rest, "y"), rest, exactly=True)


# Explanations ------------------------------------------------------------------------------------------------------


@every_setting
def test_the_factors_add_up_to_the_posterior(settings: dict[str, Any]) -> None:
    table = people()
    model = kept_model(settings)
    joint, posterior, features = model.predict_log_joint(table), model.predict_proba(table), table.drop(columns="risk")
    patterns = features.isna().groupby(list(features)).indices.values()
    assert len(patterns) == 4
    for row in np.concatenate([rows[:5] for rows in patterns]):
        cells = features.iloc[row]
        explanation = model.explain(cells.to_dict())
        total = np.sum([factor.log for factor in explanation.factors], axis=0)
        np.testing.assert_allclose(total, joint[row], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(explanation.posterior, posterior[row], rtol=0, atol=1e-12)
        assert explanation.prediction == model.predict(table[row : row + 1])[0]
        assert [factor.name for factor in explanation.factors] == ["prior", *cells.index[cells.notna()]]


def test_a_row_is_a_mapping_a_sequence_a_series_or_a_frame() -> None:
    table = people().dropna().reset_index(drop=True)
    features = table.drop(columns="risk")
    model = sf.NaiveBayes().fit(features, table["risk"])
    expected = model.predict_proba(features)[0]
    for row in (features.iloc[0].to_dict(), features.iloc[0].tolist(), features.iloc[0], features[:1]):
        np.testing.assert_allclose(model.explain(row).posterior, expected, atol=1e-12)


def test_an_explanation_says_what_is_missing_and_what_is_new() -> None:
    explanation = kept_model({}).explain({"town": "Rome", "height": 180.0})
    assert explanation.notes == (
        "missing, so left out: weight, visits, member",
        "level never seen in training, read as missing: town",
    )


def test_an_impossible_row_gets_the_priors_and_says_so() -> None:
    table = pd.DataFrame({"a": ["p", "q"] * 3, "b": ["u", "v"] * 3, "y": [0, 1] * 3})
    model = sf.NaiveBayes(smoothing=0).fit(table, "y")
    explanation = model.explain({"a": "p", "b": "v"})
    assert explanation.posterior.tolist() == [0.5, 0.5]
    assert explanation.notes == ("the row is impossible in every class; the class priors are used",)


def test_an_explanation_is_a_table_in_a_notebook() -> None:
    table = people().assign(town=lambda t: t["town"].replace("Ulm", "<Ulm>"))
    html = sf.NaiveBayes().fit(table, "risk").explain({"town": "<Ulm>"})._repr_html_()
    assert "&lt;Ulm&gt;" in html
    assert "<Ulm>" not in html
    assert html.count("<tr>") == 1 + 4  # the heading, prior, town, joint, posterior


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"hight": 1.0}, "None of 'hight' is a column"),
        ([1.0, 2.0], "The row has 2 values, the model 5 columns"),
        ("tall", "A row is a mapping"),
        ({"height": "tall"}, "Column 'height' holds numbers, but here it has the value 'tall'"),
    ],
    ids=str,
)
def test_a_row_that_cannot_be_read_is_refused(row: Any, message: str) -> None:
    with pytest.raises(TableError, match=message):
        kept_model({}).explain(row)


# Samples -----------------------------------------------------------------------------------------------------------


@every_setting
@pytest.mark.parametrize("kind", FRAMES)
def test_samples_come_in_the_kind_of_frame_trained_on(settings: dict[str, Any], kind: str) -> None:
    model = kept_model(settings, kind)
    drawn = model.sample(200, random_state=0)
    assert type(drawn) is type(FRAMES[kind](people()))
    assert drawn.shape == (200, 6)
    assert list(pa.table(drawn).column_names) == list(people().columns)
    refitted = sf.NaiveBayes(**settings).fit(drawn, "risk")
    assert refitted.schema_.columns == model.schema_.columns
    assert refitted.classes_.tolist() == model.classes_.tolist()


def test_samples_of_arrays_and_files_are_arrow_tables(tmp_path: Any) -> None:
    random = np.random.default_rng(5)
    drawn = sf.NaiveBayes().fit(random.normal(size=(20, 2)), np.arange(20) % 2).sample(5, random_state=1)
    assert isinstance(drawn, pa.Table)
    assert drawn.column_names == ["x0", "x1", "class"]
    people().to_csv(tmp_path / "people.csv", index=False)
    assert isinstance(sf.NaiveBayes().fit(tmp_path / "people.csv", "risk").sample(5), pa.Table)


@pytest.mark.parametrize("kind", FRAMES)
def test_a_column_called_class_does_not_clash_with_the_classes(kind: str) -> None:
    frame = FRAMES[kind](pd.DataFrame({"class": [1.0, 2.0, 3.0, 4.0], "z": [0.5, 0.1, 0.9, 0.3]}))
    drawn = sf.NaiveBayes().fit(frame, [0, 1, 0, 1]).sample(3, random_state=0)
    assert list(pa.table(drawn).column_names) == ["class", "z", "class_"]


@pytest.mark.parametrize("count", [-1, 2.5, "3", True])
def test_only_whole_numbers_of_rows_can_be_drawn(count: Any) -> None:
    with pytest.raises(SettingError, match="must be a whole number of at least 0"):
        kept_model({}).sample(count)


def test_no_rows_can_be_drawn() -> None:
    assert kept_model({}).sample(0).shape == (0, 6)


@pytest.mark.parametrize("labels", [["no", "yes"], [0, 1], [False, True]], ids=str)
def test_drawn_classes_have_the_type_of_the_labels(labels: list[Any]) -> None:
    table = people().assign(risk=[labels[row % 2] for row in range(120)])
    model = sf.NaiveBayes().fit(table, "risk")
    assert {type(label) for label in model.sample(50, 0)["risk"].tolist()} == {type(labels[0])}
    assert {type(label) for label in model.predict(table).tolist()} == {type(labels[0])}


def test_columns_without_evidence_are_named_and_keep_their_value() -> None:
    table = people().assign(constant=7.5, only="x", nothing=np.nan)
    model = sf.NaiveBayes().fit(table, "risk")
    assert model.model_.without_evidence == ("constant", "only", "nothing")
    assert "without evidence (no variation, or all missing): constant, only, nothing" in model.describe()
    plain = kept_model({})
    np.testing.assert_array_equal(model.predict_log_joint(table), plain.predict_log_joint(people()))
    drawn = model.sample(20, random_state=0)
    assert set(drawn["constant"]) == {7.5}
    assert set(drawn["only"]) == {"x"}
    assert drawn["nothing"].isna().all()


def test_whole_numbers_past_the_reach_of_floats_stay_apart() -> None:
    large = 2**60
    labels = [large, large + 1, large, large + 1]
    model = sf.NaiveBayes().fit([[1.0], [5.0], [1.5], [5.5]], labels)
    assert model.classes_.tolist() == [large, large + 1]
    named = sf.NaiveBayes().fit(pd.DataFrame({"x": [1.0, 5.0, 1.5, 5.5], "y": labels}), "y")
    assert named.predict(pd.DataFrame({"x": [1.2, 5.2]})).tolist() == [large, large + 1]


def test_models_of_different_targets_do_not_merge() -> None:
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "a": ["p", "q", "p", "q"], "b": ["r", "s", "r", "s"]})
    first = sf.NaiveBayes().fit(table[["x", "a"]], "a")
    with pytest.raises(MergeError, match=r"'a'.*'b'"):
        first.merge(sf.NaiveBayes().fit(table[["x", "b"]], "b"))


def test_forgetting_under_other_settings_is_refused() -> None:
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["p", "q", "p", "q"]})
    model = sf.NaiveBayes().fit(table, "y").set_params(likelihoods="kde")
    with pytest.raises(MergeError, match="different settings"):
        model.forget(table[:1], "y")


def test_an_explanation_takes_exactly_one_row() -> None:
    table = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["p", "q", "p", "q"]})
    model = sf.NaiveBayes().fit(table, "y")
    for rows in (table[:0], table[:2]):
        with pytest.raises(TableError, match="exactly one row"):
            model.explain(rows)


def test_integer_names_of_a_frame_are_names() -> None:
    frame = pd.DataFrame({0: [1, 2, 1, 2], 1: [0.1, 0.4, 0.2, 0.3]})
    model = sf.NaiveBayes(likelihoods={0: "categorical"}).fit(frame, ["a", "b", "a", "b"])
    assert [column.name for column in model.schema_.nominal] == ["0"]
