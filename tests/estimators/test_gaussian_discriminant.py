"""Gaussian discriminants as users meet them: settings, missing values, more and fewer rows, explanations, samples."""

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

SETTINGS: list[dict[str, Any]] = [
    {"covariance": "shared"},
    {"covariance": "per_class"},
    {"covariance": "diagonal"},
    {"covariance": "shared", "unbiased": True, "priors": "uniform"},
    {"covariance": "per_class", "shrinkage": "oas"},
    {"covariance": "shared", "shrinkage": "ledoit_wolf"},
    {"covariance": "shared", "shrinkage": 0.3},
]
every_setting = pytest.mark.parametrize("settings", SETTINGS, ids=str)
every_covariance = pytest.mark.parametrize("covariance", ["shared", "per_class", "diagonal"])
FRAMES = {"pandas": lambda table: table, "polars": pl.from_pandas, "pyarrow": pa.Table.from_pandas}


def leaves(rows: int = 240, with_gaps: bool = True) -> pd.DataFrame:
    """Correlated numbers and a nominal column, some of it missing."""
    return drawn_leaves(rows, with_gaps).copy()


@cache
def drawn_leaves(rows: int, with_gaps: bool) -> pd.DataFrame:
    random = np.random.default_rng(0)
    tree = random.choice(["ash", "beech", "cedar"], rows, p=[0.4, 0.4, 0.2])
    shift = pd.Series(tree).map({"ash": 0.0, "beech": 1.5, "cedar": -2.0}).to_numpy()
    length = random.normal(10.0 + shift, 1.0)
    table = pd.DataFrame(
        {
            "length": length,
            "width": 0.6 * length + random.normal(0.5 * shift, 0.7),
            "soil": random.choice(["clay", "loam", "sand"], rows),
            "height": random.normal(2000.0 - 300.0 * shift, 400.0),
            "tree": tree,
        }
    )
    if with_gaps:
        for name in ("width", "height"):
            table.loc[random.random(rows) < 0.15, name] = np.nan
        table.loc[random.random(rows) < 0.1, "soil"] = None
    return table


def fitted(table: Any, target: str = "tree", **settings: Any) -> sf.GaussianDiscriminant:
    return sf.GaussianDiscriminant(**settings).fit(table, target)


@cache
def kept_model(kind: str = "pandas", **settings: Any) -> sf.GaussianDiscriminant:
    """Of all leaves in a kind of frame. It is shared, so that what changes it has to change a copy."""
    return fitted(FRAMES[kind](leaves()), **settings)


@cache
def model_of_the_rest(**settings: Any) -> sf.GaussianDiscriminant:
    return fitted(leaves()[40:], **settings)


def assert_same(first: sf.GaussianDiscriminant, second: sf.GaussianDiscriminant, table: Any) -> None:
    """The same schema and, up to rounding, the same joint probabilities."""
    assert first.schema_.columns == second.schema_.columns
    assert first.classes_.tolist() == second.classes_.tolist()
    np.testing.assert_allclose(first.predict_log_joint(table), second.predict_log_joint(table), rtol=1e-7, atol=1e-7)


# Settings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"covariance": "full"}, "covariance must be one of 'shared', 'per_class', 'diagonal', not 'full'"),
        ({"shrinkage": 1.5}, "shrinkage must be a number from 0 to 1"),
        ({"missing": "mean"}, "missing must be one of 'level', 'ignored', not 'mean'"),
        ({"shrinkage": -0.1}, "shrinkage must be a number from 0 to 1"),
        ({"shrinkage": "strong"}, "one of evidence, as_needed, ledoit_wolf, oas"),
        ({"shrinkage": "auto"}, "here it is 'ledoit_wolf'"),
        ({"shrinkage": None}, "here it is 0, or 'as_needed'"),
        ({"shrinkage": True}, "shrinkage must be a number from 0 to 1"),
        ({"priors": [0.5, 0.5]}, "one number for each of the 3 classes"),
    ],
    ids=str,
)
def test_a_wrong_setting_is_named(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        fitted(leaves(), **settings)


@pytest.mark.parametrize("number", [np.int64(1), np.float32(0.5), np.float64(0.5)], ids=repr)
def test_numpys_numbers_are_numbers(number: Any) -> None:
    assert_same(fitted(leaves(), shrinkage=number), fitted(leaves(), shrinkage=float(number)), leaves())


@pytest.mark.parametrize(("short", "covariance"), [(sf.LDA, "shared"), (sf.QDA, "per_class")])
def test_lda_and_qda_are_short_for_a_covariance(short: type, covariance: str) -> None:
    assert_same(short().fit(leaves(), "tree"), kept_model(covariance=covariance), leaves())


def test_nothing_is_shrunk_where_the_covariance_is_well_conditioned() -> None:
    assert (fitted(leaves(), shrinkage="as_needed").model_.shrinkage == 0).all()
    assert (fitted(leaves(), covariance="per_class", shrinkage="as_needed").model_.shrinkage == 0).all()


@every_covariance
def test_a_singular_covariance_is_shrunk_as_far_as_needed(covariance: str) -> None:
    table = leaves(with_gaps=False).assign(double=lambda t: 2 * t["length"])
    model = fitted(table, covariance=covariance)
    assert np.isfinite(model.predict_log_joint(table)).all()
    assert (model.model_.shrinkage > 0).any() == (covariance != "diagonal")
    if covariance != "diagonal":
        assert "shrunk by" in model.describe()


def test_more_columns_than_rows_are_no_obstacle() -> None:
    random = np.random.default_rng(1)
    y = np.arange(12) % 2
    x = random.normal(size=(12, 40)) + 2 * y[:, None]
    for covariance in ("shared", "per_class"):
        assert sf.GaussianDiscriminant(covariance).fit(x, y).score(x, y) == 1.0


def test_units_do_not_matter() -> None:
    table = leaves()
    scaled = table.assign(length=table["length"] * 1e6, height=table["height"] / 1e6 + 5)
    for settings in SETTINGS:
        mine, theirs = kept_model(**settings), fitted(scaled, **settings)
        np.testing.assert_allclose(mine.predict_proba(table), theirs.predict_proba(scaled), atol=1e-7)


@pytest.mark.parametrize("kind", ["shared", "per_class", "ledoit_wolf"])
def test_however_many_levels_come_no_more_than_thirty_have_indicators(kind: str) -> None:
    settings: dict[str, Any] = {"shrinkage": kind} if kind == "ledoit_wolf" else {"covariance": kind}
    frequent = [f"f{level}" for level in range(20)] * 6
    parts = [
        leaves(240, with_gaps=False).assign(soil=np.resize([*frequent, *(f"{part}{k}" for k in range(40))], 240))
        for part in ("early", "late")
    ]
    model = fitted(parts[0], **settings).update(parts[1], "tree")
    both = [fitted(part, **settings) for part in parts]
    merged = [copy.copy(both[0]).merge(both[1]), copy.copy(both[1]).merge(both[0])]
    for one in (model, *merged):
        kept = one.statistic_.parts["full"].indicators.kept[0]
        assert len(kept) == 30
        assert set(frequent) <= set(kept)
        assert len(one.schema_.nominal[0].levels) == 100
        assert one.statistic_.parts["classes"].weight.sum() == 480
    np.testing.assert_allclose(merged[0].predict_proba(parts[0]), merged[1].predict_proba(parts[0]), rtol=1e-8)
    before = fitted(parts[0], **settings).statistic_.parts["classes"].weight
    np.testing.assert_array_equal(model.forget(parts[1], "tree").statistic_.parts["classes"].weight, before)


def test_rare_levels_are_pooled_as_other() -> None:
    random = np.random.default_rng(2)
    places = [f"place {number:02}" for number in range(40)]
    table = pd.DataFrame({"place": [*places * 5, *places[:10] * 20], "x": random.normal(size=400)})
    table["y"] = np.where(table["x"] + table["place"].isin(places[:5]) + random.normal(size=400) > 0, "a", "b")
    model = fitted(table, "y")
    names = [name for name in model.model_.names if name.startswith("place=")]
    assert len(names) == 30
    assert set(names) >= {f"place={place}" for place in places[:10]}


def test_columns_without_evidence_are_named() -> None:
    table = leaves().assign(constant=3.0, only="x", nothing=np.nan)
    model = fitted(table)
    assert model.model_.without_evidence == ("constant", "only", "nothing")
    np.testing.assert_allclose(model.predict_proba(table), kept_model().predict_proba(leaves()), atol=1e-9)


def test_nothing_but_constant_columns_gives_the_priors() -> None:
    table = pd.DataFrame({"a": [1.0] * 6, "b": ["x"] * 6, "y": [0, 1, 1] * 2})
    for covariance in ("shared", "per_class", "diagonal"):
        model = fitted(table, "y", covariance=covariance)
        np.testing.assert_allclose(model.predict_proba(table), np.tile([1 / 3, 2 / 3], (6, 1)))
        assert "without evidence (no variation, or all missing): a, b" in model.describe()
        assert model.sample(3, random_state=0).shape == (3, 3)


def test_a_level_never_seen_is_read_as_missing_and_counted() -> None:
    model = kept_model()
    strange = leaves().assign(soil="gravel")
    with pytest.warns(SufficeWarning, match=r"'soil' \(240 rows\)"):
        found = model.predict_proba(strange)
    blank = strange.assign(soil=pd.Series([None] * len(strange), dtype=object))
    np.testing.assert_array_equal(found, model.predict_proba(blank))


# Missing values ----------------------------------------------------------------------------------------------------


@every_covariance
@pytest.mark.parametrize("unbiased", [False, True])
@pytest.mark.parametrize("gone", [["width"], ["soil"], ["length", "soil"]], ids=str)
def test_a_value_missing_in_prediction_is_as_a_column_left_out(
    covariance: str, unbiased: bool, gone: list[str]
) -> None:
    table = leaves(with_gaps=False)
    whole = fitted(table, covariance=covariance, unbiased=unbiased, shrinkage=0)
    blank = table.assign(**{name: pd.Series([None] * len(table), dtype=table[name].dtype) for name in gone})
    without = fitted(table.drop(columns=gone), covariance=covariance, unbiased=unbiased, shrinkage=0)
    np.testing.assert_allclose(whole.predict_log_joint(blank), without.predict_log_joint(table), rtol=1e-9)


@every_setting
def test_a_row_without_any_value_gets_the_priors(settings: dict[str, Any]) -> None:
    table = leaves()
    model = kept_model(missing="ignored", **settings)
    blank = table[:3].assign(length=np.nan, width=np.nan, height=np.nan, soil=pd.Series([None] * 3, dtype=object))
    np.testing.assert_allclose(model.predict_proba(blank), np.tile(model.priors_, (3, 1)), rtol=1e-12)
    np.testing.assert_allclose(model.explain({}).posterior, model.priors_, rtol=1e-12)


def test_rows_without_any_value_count_for_the_priors_only() -> None:
    table = leaves(with_gaps=False).drop(columns="soil")
    blank = pd.DataFrame({"length": np.nan, "width": np.nan, "height": np.nan, "tree": ["ash"] * 40})
    model, plain = fitted(pd.concat([table, blank], ignore_index=True)), fitted(table)
    np.testing.assert_allclose(model.means_, plain.means_, rtol=1e-5)
    np.testing.assert_allclose(model.covariance_, plain.covariance_, rtol=1e-3, atol=1e-3)
    assert model.priors_[0] == pytest.approx(((table["tree"] == "ash").sum() + 40) / 280)


def test_with_one_gappy_column_expectation_maximisation_reaches_the_closed_form() -> None:
    """Where only y has gaps, maximum likelihood regresses y on x among the complete rows (Anderson 1957)."""
    random = np.random.default_rng(3)
    k = np.arange(400) % 2
    x = random.normal(size=400) + k
    y = 0.8 * x + random.normal(size=400) - k
    gap = random.random(400) < 0.3 + 0.3 * (x > 0.5)
    model = sf.LDA().fit(np.stack([x, np.where(gap, np.nan, y)], axis=1), k)
    slope_top = slope_bottom = 0.0
    centres = []
    for label in (0, 1):
        own = (k == label) & ~gap
        centres.append((x[own].mean(), y[own].mean()))
        slope_top += ((x[own] - x[own].mean()) * (y[own] - y[own].mean())).sum()
        slope_bottom += ((x[own] - x[own].mean()) ** 2).sum()
    slope = slope_top / slope_bottom
    means = np.array([[x[k == j].mean(), centres[j][1] + slope * (x[k == j].mean() - centres[j][0])] for j in (0, 1)])
    variance = ((x - means[k, 0]) ** 2).mean()
    centred = np.array(centres)[k]
    residual = ((y - centred[:, 1] - slope * (x - centred[:, 0]))[~gap] ** 2).mean()
    covariance = [[variance, slope * variance], [slope * variance, residual + slope**2 * variance]]
    np.testing.assert_allclose(model.means_, means, atol=1e-4)
    np.testing.assert_allclose(model.covariance_, covariance, atol=1e-4)


def test_training_uses_what_the_incomplete_rows_know() -> None:
    complete, gappy = leaves(600, with_gaps=False), leaves(600)
    truth, model = fitted(complete), fitted(gappy, missing="ignored")
    dropped = fitted(gappy.dropna())
    assert np.abs(model.means_ - truth.means_).mean() < np.abs(dropped.means_ - truth.means_).mean()
    assert model.score(complete, "tree") == pytest.approx(truth.score(complete, "tree"), abs=0.03)


def test_past_256_patterns_pairwise_moments_take_over() -> None:
    random = np.random.default_rng(4)
    y = np.arange(900) % 2
    x = random.normal(size=(900, 12)) + 0.5 * y[:, None]
    x[random.random(x.shape) < 0.3] = np.nan
    for covariance in ("shared", "per_class"):
        model = sf.GaussianDiscriminant(covariance).fit(x, y)
        assert model.statistic_.parts["full"].pairwise is not None
        assert model.score(x, y) > 0.7
        np.testing.assert_allclose(model.means_, [np.nanmean(x[y == k], axis=0) for k in (0, 1)], rtol=1e-6)
        parts = sf.GaussianDiscriminant(covariance).fit(x[:450], y[:450]).update(x[450:], y[450:])
        np.testing.assert_allclose(parts.predict_proba(x), model.predict_proba(x), atol=1e-9)


def test_transform_puts_a_missing_value_at_its_expectation() -> None:
    table = leaves(with_gaps=False).drop(columns="soil")
    model = sf.LDA().fit(table, "tree")
    blank = table[:1].assign(height=np.nan)
    overall, covariance = model.priors_ @ model.means_, model.covariance_
    known = table.loc[0, ["length", "width"]].to_numpy(float)
    expected = overall[2] + covariance[2, :2] @ np.linalg.solve(covariance[:2, :2], known - overall[:2])
    np.testing.assert_allclose(model.transform(blank), model.transform(table[:1].assign(height=expected)), atol=1e-9)


# More rows, fewer rows ---------------------------------------------------------------------------------------------


@every_setting
@pytest.mark.parametrize("kind", FRAMES)
def test_update_is_a_fit_on_all_rows(settings: dict[str, Any], kind: str) -> None:
    table, frame = leaves(), FRAMES[kind]
    model = fitted(frame(table[:150]), **settings)
    assert model.update(frame(table[150:200]), "tree").update(frame(table[200:]), "tree") is model
    assert_same(model, kept_model(kind, **settings), frame(table))


@every_setting
def test_update_with_arrays(settings: dict[str, Any]) -> None:
    table = leaves()
    x, y = table[["length", "width", "height"]].to_numpy(), table["tree"].to_numpy()
    model = sf.GaussianDiscriminant(**settings).fit(x[:100], y[:100]).update(x[100:], y[100:])
    assert_same(model, sf.GaussianDiscriminant(**settings).fit(x, y), x)


@every_setting
def test_merge_is_a_fit_on_the_rows_of_both(settings: dict[str, Any]) -> None:
    table = leaves()
    first, second = (fitted(part, **settings) for part in (table[:100], table[100:]))
    assert first.merge(second) is first
    assert_same(first, kept_model(**settings), table)


def test_lda_and_qda_may_be_merged() -> None:
    table = leaves()
    model = sf.LDA().fit(table[:100], "tree").merge(sf.QDA().fit(table[100:], "tree"))
    assert_same(model, kept_model(covariance="shared"), table)


@pytest.mark.parametrize("other", [sf.NaiveBayes(), sf.LDA(shrinkage="ledoit_wolf")], ids=repr)
def test_merge_refuses_what_was_measured_otherwise(other: Any) -> None:
    with pytest.raises(MergeError):
        sf.LDA().fit(leaves(), "tree").merge(other.fit(leaves(), "tree"))
    if isinstance(other, sf.LDA):
        with pytest.raises(MergeError):
            other.merge(sf.LDA().fit(leaves(), "tree"))


@every_covariance
@pytest.mark.parametrize("kind", FRAMES)
def test_new_levels_and_new_classes_arrive_in_update_and_merge(covariance: str, kind: str) -> None:
    table, frame = leaves(), FRAMES[kind]
    is_late = (table["tree"] == "cedar") | (table["soil"] == "loam")
    early, late = (frame(table[rows].reset_index(drop=True)) for rows in (~is_late, is_late))
    whole, begun = kept_model(kind, covariance=covariance), fitted(early, covariance=covariance)
    assert_same(copy.copy(begun).update(late, "tree"), whole, frame(table))
    assert_same(begun.merge(fitted(late, covariance=covariance)), whole, frame(table))


@every_setting
@pytest.mark.parametrize("kind", FRAMES)
def test_forget_is_a_fit_on_the_other_rows(settings: dict[str, Any], kind: str) -> None:
    table, frame = leaves(), FRAMES[kind]
    model = copy.copy(kept_model(kind, **settings)).forget(frame(table[:40]), "tree")
    assert_same(model, model_of_the_rest(**settings), frame(table[40:].reset_index(drop=True)))


def test_forget_with_arrays() -> None:
    table = leaves(with_gaps=False)
    x, y = table[["length", "width", "height"]].to_numpy(), table["tree"].to_numpy()
    assert_same(sf.LDA().fit(x, y).forget(x[:50], y[:50]), sf.LDA().fit(x[50:], y[50:]), x)


@every_covariance
def test_a_class_whose_rows_are_all_forgotten_vanishes(covariance: str) -> None:
    table = leaves()
    is_gone = table["tree"] == "cedar"
    model = copy.copy(kept_model(covariance=covariance)).forget(table[is_gone], "tree")
    assert model.classes_.tolist() == ["ash", "beech"]
    assert_same(model, fitted(table[~is_gone], covariance=covariance), table[~is_gone])


@every_covariance
def test_a_level_whose_rows_are_all_forgotten_vanishes(covariance: str) -> None:
    table = leaves(with_gaps=False)
    is_gone = table["soil"] == "sand"
    model = fitted(table, covariance=covariance).forget(table[is_gone], "tree")
    assert model.schema_.nominal[0].levels == ("clay", "loam")
    assert_same(model, fitted(table[~is_gone], covariance=covariance), table[~is_gone])


def test_rows_that_were_never_there_are_refused_and_nothing_changes() -> None:
    table = leaves()
    model = sf.LDA().fit(table, "tree")
    before = model.predict_proba(table)
    for change in ({"soil": "gravel"}, {"tree": "elm"}, {"tree": "cedar"}, {"length": np.nan}):
        with pytest.raises(ForgetError):
            model.forget(table.assign(**change), "tree")
        np.testing.assert_array_equal(model.predict_proba(table), before)


# Explanations and samples ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["level", "ignored"])
@every_setting
def test_the_factors_add_up_to_the_posterior(settings: dict[str, Any], missing: str) -> None:
    table = leaves()
    model = kept_model(missing=missing, **settings)
    joint, posterior, features = model.predict_log_joint(table), model.predict_proba(table), table.drop(columns="tree")
    patterns = features.isna().groupby(list(features)).indices.values()
    assert len(patterns) == 8
    for row in np.concatenate([rows[:2] for rows in patterns]):
        cells = features.iloc[row]
        explanation = model.explain(cells.to_dict())
        total = np.sum([factor.log for factor in explanation.factors], axis=0)
        np.testing.assert_allclose(total, joint[row], rtol=1e-12, atol=1e-11)
        np.testing.assert_allclose(explanation.posterior, posterior[row], rtol=0, atol=1e-12)
        is_level = missing == "level" and settings.get("shrinkage") != "ledoit_wolf"
        told = {*cells.index[cells.notna()], *(["soil"] if is_level else [])}
        assert {factor.name for factor in explanation.factors} == {"prior", *told}
        assert not any("soil" in note for note in explanation.notes) or "soil" not in told


def test_an_explanation_says_what_is_missing() -> None:
    explanation = kept_model().explain({"length": 10.0, "soil": "gravel"})
    assert explanation.notes == (
        "missing, so left out: width, height",
        "level never seen in training, read as missing: soil",
    )


@every_setting
@pytest.mark.parametrize("kind", FRAMES)
def test_samples_come_in_the_kind_of_frame_trained_on(settings: dict[str, Any], kind: str) -> None:
    model = kept_model(kind, **settings)
    drawn = model.sample(300, random_state=0)
    assert type(drawn) is type(FRAMES[kind](leaves()))
    assert list(pa.table(drawn).column_names) == ["length", "width", "soil", "height", "tree"]
    again = fitted(drawn, **settings)
    assert again.schema_.columns == model.schema_.columns
    assert again.classes_.tolist() == model.classes_.tolist()


# The projection ----------------------------------------------------------------------------------------------------


def test_there_are_fewer_discriminants_than_classes_and_columns() -> None:
    table = leaves(with_gaps=False)
    assert sf.LDA().fit(table, "tree").transform(table).shape == (240, 2)
    assert sf.LDA().fit(table[["length", "tree"]], "tree").transform(table).shape == (240, 1)
    assert sf.LDA().fit(table[table["tree"] != "ash"], "tree").transform(table).shape == (240, 1)


def test_projected_classes_have_unit_spread() -> None:
    table = leaves(with_gaps=False)
    model = sf.LDA().fit(table, "tree")
    projected = model.transform(table)
    centred = projected - pd.DataFrame(projected).groupby(table["tree"].to_numpy()).transform("mean").to_numpy()
    np.testing.assert_allclose(centred.T @ centred / len(table), np.eye(2), atol=1e-9)


def test_scalings_belong_to_a_shared_covariance() -> None:
    with pytest.raises((SettingError, AttributeError)):
        _ = sf.QDA().fit(leaves(), "tree").scalings_
