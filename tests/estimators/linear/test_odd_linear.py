"""What a table may look like to a linear model, and what then happens."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import ConvergenceWarning, SeparationWarning, SettingError, SufficeWarning, TableError
from suffice.solve.logistic import samples


def people(rows: int = 200, classes: int = 2, seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    return pd.DataFrame(
        {
            "age": random.normal(40 + 5 * y, 10.0),
            "income": random.gamma(2.0, 1000.0 + 300.0 * y),
            "city": random.choice(["Bonn", "Oslo", "Rome"], rows),
            "y": np.array(["no", "yes", "maybe", "never"])[y],
        }
    )


def quietly(category: type[Warning] = SufficeWarning, match: str | None = None) -> Any:
    return pytest.warns(category, match=match)


# No variation, no evidence ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("l2", [1.0, 0.0])
@pytest.mark.parametrize("degree", [1, 2])
def test_columns_without_variation_carry_no_evidence_and_are_named(l2: float, degree: int) -> None:
    table = people(600)
    more = table.assign(same=7.0, word="x", gone=np.nan, nothing=None, huge=1e12 / 7)
    expected, model = (sf.LogisticRegression(l2=l2, degree=degree).fit(t, "y") for t in (table, more))
    assert set(model.model_.without_evidence) == {"same", "word", "gone", "nothing", "huge"}
    np.testing.assert_allclose(model.predict_proba(more), expected.predict_proba(table), rtol=1e-7)
    for name in ("same", "word", "gone"):
        assert name in model.describe()
    with pytest.warns(SufficeWarning, match=r"never seen in training were read as missing: 'gone' \(600 rows\)"):
        other = model.predict_proba(more.assign(same=9.0, gone=1.0))
    np.testing.assert_allclose(other, expected.predict_proba(table), rtol=1e-7)


def test_a_constant_that_is_sometimes_missing_says_something_by_being_missing() -> None:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 300)
    table = pd.DataFrame({"c": np.where(random.random(300) < 0.2 + 0.5 * y, np.nan, 5.0), "y": y})
    model = sf.LogisticRegression().fit(table, "y")
    assert model.model_.design.names == ("intercept", "c missing")
    assert model.score(table, "y") > 0.6


def test_a_table_without_any_evidence_predicts_the_shares_of_the_classes() -> None:
    table = pd.DataFrame({"a": 1.0, "b": "x", "y": ["p"] * 30 + ["q"] * 10})
    for l2 in (1.0, 0.0):
        model = sf.LogisticRegression(l2=l2).fit(table, "y")
        np.testing.assert_allclose(model.predict_proba(table), [[0.75, 0.25]] * 40, rtol=1e-9)
        assert model.summary().log_likelihood == pytest.approx(model.summary().null_log_likelihood, rel=1e-12)
        assert str(model.explain({"a": 1.0}))


# Columns that determine one another ---------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["newton", "conjugate_gradient"])
def test_a_duplicated_column_shares_the_weight_and_is_named(solver: str) -> None:
    table = people()
    twice = table.assign(years=table["age"])
    expected = sf.LogisticRegression(l2=0, solver=solver).fit(table, "y")
    with quietly(match="These terms determine one another: 'age', 'years'"):
        model = sf.LogisticRegression(l2=0, solver=solver).fit(twice, "y")
    np.testing.assert_allclose(model.predict_proba(twice), expected.predict_proba(table), rtol=0, atol=1e-7)
    weights = dict(zip(model.model_.design.names, model.model_.weights[0], strict=True))
    assert weights["age"] == pytest.approx(weights["years"], rel=1e-6)
    own = dict(zip(expected.model_.design.names, expected.model_.weights[0], strict=True))
    assert weights["age"] == pytest.approx(own["age"] / 2, rel=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_collinear_columns_have_the_weights_of_least_norm(classes: int) -> None:
    random = np.random.default_rng(3)
    x = random.normal(size=(300, 2))
    y = (x @ random.normal(size=(2, classes)) + random.gumbel(size=(300, classes))).argmax(axis=1)
    table = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": 2 * x[:, 0] - x[:, 1] + 5, "y": y})
    with quietly(match="'a', 'b', 'c'") as caught:
        model = sf.LogisticRegression(l2=0, tol=1e-11).fit(table, "y")
    assert "smallest are kept" in str(caught[0].message)
    design, weights = model.model_.design, model.model_.weights
    scaled = (table[["a", "b", "c"]].to_numpy() - design.centre) / design.scale
    scores = scaled @ weights[:, 1:].T
    smallest = np.linalg.pinv(scaled, rcond=1e-9) @ scores
    np.testing.assert_allclose(weights[:, 1:].T, smallest, rtol=1e-5, atol=1e-7)
    expected = sf.LogisticRegression(l2=0).fit(table.drop(columns="c"), "y")
    np.testing.assert_allclose(model.predict_proba(table), expected.predict_proba(table), rtol=0, atol=1e-7)


def test_only_the_collinear_columns_are_named() -> None:
    table = people().assign(months=lambda t: 12 * t["age"] + 3)
    with quietly() as caught:
        sf.LogisticRegression(l2=0).fit(table, "y")
    message = str(caught[0].message)
    assert "'age', 'months'." in message
    assert "income" not in message
    assert "city" not in message


def test_a_nominal_column_that_repeats_another_is_named() -> None:
    table = people().assign(town=lambda t: t["city"].str.lower())
    with quietly(match="city=Oslo.*city=Rome.*town=oslo.*town=rome"):
        model = sf.LogisticRegression(l2=0).fit(table, "y")
    expected = sf.LogisticRegression(l2=0).fit(people(), "y")
    np.testing.assert_allclose(model.predict_proba(table), expected.predict_proba(people()), rtol=0, atol=1e-7)


def test_with_a_penalty_collinear_columns_need_no_warning() -> None:
    table = people().assign(years=lambda t: t["age"], town=lambda t: t["city"].str.lower())
    model = sf.LogisticRegression(l2=0.1).fit(table, "y")
    weights = dict(zip(model.model_.design.names, model.model_.weights[0], strict=True))
    assert weights["age"] == pytest.approx(weights["years"], rel=1e-6)
    assert all(line.standard_error > 0 for line in model.summary().coefficients)


@pytest.mark.parametrize("degree", [1, 2])
def test_more_columns_than_rows_are_no_trouble_with_a_penalty(degree: int) -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(6, 8)), np.arange(6) % 3
    model = sf.LogisticRegression(l2=1.0, degree=degree).fit(x, y)
    assert np.isfinite(model.predict_proba(x)).all()
    assert model.score(x, y) == 1.0


# Scales --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("l2", [1.0, 0.0])
@pytest.mark.parametrize("degree", [1, 2])
def test_scales_of_1e12_beside_1e_12_change_nothing(l2: float, degree: int) -> None:
    table = people(500)
    other = table.assign(age=table["age"] * 1e12, income=table["income"] * 1e-12)
    expected, model = (sf.LogisticRegression(l2=l2, degree=degree).fit(t, "y") for t in (table, other))
    np.testing.assert_allclose(model.predict_proba(other), expected.predict_proba(table), rtol=0, atol=1e-7)
    lines, others = model.summary(), expected.summary()
    assert lines["age"].coefficient * 1e12 == pytest.approx(others["age"].coefficient, rel=1e-4)
    assert lines["income"].standard_error * 1e-12 == pytest.approx(others["income"].standard_error, rel=1e-4)
    assert lines["age"].standard_error * 1e12 == pytest.approx(others["age"].standard_error, rel=1e-4)


@pytest.mark.parametrize("offset", [1e6, 1e8, 1.7e9])
@pytest.mark.parametrize("make", [sf.LogisticRegression, lambda: sf.LogisticRegression(l2=0)], ids=["MAP", "MLE"])
def test_a_large_offset_does_not_swallow_the_spread(make: Any, offset: float) -> None:
    """Seconds since 1970 within an hour, for one."""
    table = people()
    moved = table.assign(age=table["age"] + offset)
    expected, model = make().fit(table, "y"), make().fit(moved, "y")
    assert "age" not in model.model_.without_evidence
    np.testing.assert_allclose(model.predict_proba(moved), expected.predict_proba(table), rtol=0, atol=1e-5)


def test_a_row_far_away_is_beyond_doubt() -> None:
    model = sf.LogisticRegression().fit(people(), "y")
    far = people(4).assign(age=[1e9, -1e9, 1e100, 0.0])
    probability = model.predict_proba(far)
    assert np.isfinite(probability).all()
    np.testing.assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-12)


# Classes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [sf.LogisticRegression, sf.Perceptron])
def test_one_class_is_an_error_that_says_what_to_do(make: Any) -> None:
    with pytest.raises(TableError, match="class"):
        make().fit(people().assign(y="no"), "y")


def test_a_hundred_classes() -> None:
    random = np.random.default_rng(0)
    y = np.arange(400) % 100
    x = 5 * np.column_stack([np.cos(y * 0.0628), np.sin(y * 0.0628)]) + random.normal(0, 0.1, (400, 2))
    model = sf.LogisticRegression(l2=0.1).fit(x, y)
    assert model.model_.weights.shape == (99, 3)
    probability = model.predict_proba(x)
    np.testing.assert_allclose(probability.sum(axis=1), 1.0, rtol=1e-9)
    np.testing.assert_allclose(probability.sum(axis=0), 4.0, rtol=1e-4)  # the intercepts are not penalised
    assert model.score(x, y) > 0.3


def test_many_classes_are_summarised_too() -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(120, 1)), np.arange(120) % 40
    summary = sf.LogisticRegression().fit(x, y).summary()
    assert len(summary.labels) == 39
    assert all(line.standard_error > 0 for line in summary.coefficients)


@pytest.mark.parametrize("l2", [1.0, 0.0])
def test_a_class_with_one_row(l2: float) -> None:
    table = people(classes=2)
    table.loc[17, "y"] = "rare"
    if l2:
        model = sf.LogisticRegression(l2=l2).fit(table, "y")
    else:
        with quietly(SeparationWarning, "separable"):
            model = sf.LogisticRegression(l2=l2).fit(
                table.assign(age=[*table["age"][:17], 500.0, *table["age"][18:]]), "y"
            )
    probability = model.predict_proba(table)
    assert np.isfinite(probability).all()
    if l2:
        np.testing.assert_allclose(
            probability.sum(axis=0), [(table["y"] == label).sum() for label in model.classes_], rtol=1e-5
        )


def test_one_row_a_class() -> None:
    model = sf.LogisticRegression(l2=0.001).fit([[0.0], [1.0], [5.0]], ["a", "b", "c"])
    assert model.predict([[0.0], [1.0], [5.0]]).tolist() == ["a", "b", "c"]


def test_a_class_whose_rows_weigh_nothing_is_never_predicted() -> None:
    table = people(classes=3)
    weights = np.where(table["y"] == "maybe", 0.0, 1.0)
    model = sf.LogisticRegression().fit(table, "y", sample_weight=weights)
    others = sf.LogisticRegression(standardize=True).fit(table[weights > 0], "y")
    found = model.predict_proba(table)[:, [model.classes_.tolist().index(label) for label in others.classes_]]
    np.testing.assert_allclose(found, others.predict_proba(table), rtol=0, atol=0.02)
    assert "maybe" not in set(model.predict(table))


def test_class_weights_of_zero_leave_a_class_out() -> None:
    table = people(classes=2)
    model = sf.LogisticRegression(class_weight={"no": 0.0}).fit(table, "y")
    assert set(model.predict(table)) == {"yes"}
    assert np.isfinite(model.predict_proba(table)).all()


def test_labels_that_are_truth_values_or_numbers() -> None:
    table = people()
    for labels in ([False, True], [3, -2]):
        y = np.where(table["y"] == "yes", *labels[::-1])
        model = sf.LogisticRegression().fit(table.drop(columns="y"), y)
        assert model.classes_.tolist() == sorted(labels)
        assert model.summary().reference == sorted(labels)[0]


# Missing and infinite values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
@pytest.mark.parametrize("solver", ["newton", "gradient_ascent"])
def test_an_infinite_value_in_training_is_named_by_column_and_row(infinite: float, solver: str) -> None:
    table = people()
    table.loc[7, "income"] = infinite
    with pytest.raises(
        TableError, match=r"Column 'income' contains infinity .*row 8 \(the first is 1\)\. Replace infinite values"
    ):
        sf.LogisticRegression(solver=solver).fit(table, "y")


@pytest.mark.parametrize("name", ["predict", "predict_proba", "predict_log_proba", "decision_function"])
@pytest.mark.parametrize("degree", [1, 2])
def test_an_infinite_value_at_prediction_is_named_too(name: str, degree: int) -> None:
    table = people()
    model = sf.LogisticRegression(degree=degree).fit(table, "y")
    table.loc[7, "income"] = np.inf
    with pytest.raises(TableError, match=r"Column 'income' contains infinity .*row 8 \(the first is 1\)"):
        getattr(model, name)(table)


def test_a_row_with_nothing_known_gets_an_average_answer() -> None:
    table = people()
    model = sf.LogisticRegression().fit(table, "y")
    nothing = pd.DataFrame({"age": [np.nan], "income": [np.nan], "city": [None]})
    assert 0.3 < model.predict_proba(nothing)[0, 1] < 0.7


def test_a_class_is_told_by_what_is_missing() -> None:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 400)
    city = np.where(random.random(400) < 0.1 + 0.7 * y, None, random.choice(["a", "b"], 400))
    table = pd.DataFrame({"city": city, "y": y})
    assert sf.LogisticRegression().fit(table, "y").score(table, "y") > 0.75


def test_a_level_that_is_declared_and_never_occurs_has_no_weight() -> None:
    table = people()
    table["city"] = pd.Categorical(table["city"], ["Bonn", "Oslo", "Paris", "Rome"])
    model = sf.LogisticRegression().fit(table, "y")
    assert "city=Paris" not in model.model_.design.names
    expected = sf.LogisticRegression().fit(people(), "y")
    np.testing.assert_allclose(model.predict_proba(people()), expected.predict_proba(people()), rtol=1e-8)
    paris = pd.DataFrame({"age": [40.0], "income": [2000.0], "city": pd.Categorical(["Paris"], ["Paris"])})
    assert np.isfinite(model.predict_proba(paris)).all()


def test_a_declared_level_that_never_occurs_is_no_reference() -> None:
    table = people()
    table["city"] = pd.Categorical(table["city"], ["Accra", "Bonn", "Oslo", "Rome"])
    names = sf.LogisticRegression(l2=0).fit(table, "y").model_.design.names
    assert names[-2:] == ("city=Oslo", "city=Rome")


def test_an_identifier_is_left_out_unless_it_is_kept() -> None:
    table = people(60).assign(name=[f"person {i}" for i in range(60)])
    with quietly(match="'name' is left out"):
        model = sf.LogisticRegression().fit(table, "y")
    assert "name" not in model.schema_.names
    assert "name" in sf.LogisticRegression(keep=["name"]).fit(table, "y").schema_.names


# The end of a climb -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["newton", "gradient_ascent", "conjugate_gradient"])
def test_a_climb_cut_short_says_how_steep_it_still_was_and_keeps_the_best(solver: str) -> None:
    table = people()
    with quietly(ConvergenceWarning, "did not converge in 1 step: .* norm of the gradient is [0-9.e+-]+") as caught:
        model = sf.LogisticRegression(l2=0.1, solver=solver, max_iter=1).fit(table, "y")
    assert "max_iter" in str(caught[0].message)
    assert model.n_iter_[0] == 1
    assert model.model_.log_likelihood > model.model_.null_log_likelihood
    assert model.model_.log_likelihood == pytest.approx(model.conditional_log_likelihood(table, "y"), rel=1e-9)
    norm = float(str(caught[0].message).split("norm of the gradient is ")[1].split(". ")[0])
    assert norm > 0


def test_gradient_ascent_with_too_long_a_step_says_so() -> None:
    with quietly(ConvergenceWarning, "did not converge"):
        model = sf.LogisticRegression(solver="gradient_ascent", step=10.0).fit(people(), "y")
    assert model.model_.log_likelihood >= model.model_.null_log_likelihood - 1e-9


def test_a_very_long_table_begins_with_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    table = people(5000, classes=3)
    expected = sf.LogisticRegression(l2=0).fit(table, "y")
    monkeypatch.setattr(samples, "SIZES", (200, 1000))
    model = sf.LogisticRegression(l2=0).fit(table, "y")
    assert model.path_.objective[0] > expected.path_.objective[0] + 50
    np.testing.assert_allclose(model.predict_proba(table), expected.predict_proba(table), rtol=0, atol=1e-7)
    for mine, other in zip(model.summary().coefficients, expected.summary().coefficients, strict=True):
        assert mine.standard_error == pytest.approx(other.standard_error, rel=1e-4)


# Wrong settings -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("l2", -1.0, "l2 must be a number of at least 0, not -1.0"),
        ("l2", "strong", "l2 must be a number of at least 0, not 'strong'"),
        ("l2", float("nan"), "l2 must be a number"),
        ("l2", float("inf"), "l2 must be a number"),
        ("l2", True, "l2 must be a number"),
        ("l2", None, "l2 must be a number"),
        ("l2", {"agee": 1.0}, "l2 names a column 'agee' that is not used. Did you mean 'age'"),
        ("l2", {"age": -1.0}, "l2 of 'age' must be a number of at least 0"),
        ("solver", "simplex", "solver must be one of 'newton', 'gradient_ascent', 'conjugate_gradient'"),
        ("degree", 3, "degree must be one of 1, 2, not 3"),
        ("degree", 0, "degree must be one of"),
        ("degree", "two", "degree must be one of"),
        ("reference", "perhaps", "There is no class 'perhaps' for `reference`. The classes are 'no', 'yes'"),
        ("max_iter", 0, "max_iter must be a whole number of at least 1, or None, not 0"),
        ("max_iter", 2.5, "max_iter must be a whole number"),
        ("max_iter", "many", "max_iter must be a whole number"),
        ("tol", 0.0, "tol must be a number above 0"),
        ("tol", "small", "tol must be a number above 0"),
        ("step", -0.1, "step must be a number above 0"),
        ("class_weight", "fair", "class_weight must be None, 'balanced' or a mapping"),
        ("class_weight", {"perhaps": 1.0}, "There is no class 'perhaps' for `class_weight`"),
        ("class_weight", {"no": -1.0}, "class_weight must hold numbers of at least 0"),
        ("class_weight", {"no": 0.0, "yes": 0.0}, "class_weight must hold numbers of at least 0, not all 0"),
        ("class_weight", {"no": "heavy"}, "class_weight must hold numbers"),
        ("class_weight", {"no": None}, "class_weight must hold numbers"),
    ],
)
def test_a_wrong_setting_is_an_error_that_names_it(setting: str, value: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        sf.LogisticRegression(**{setting: value}).fit(people(), "y")


@pytest.mark.parametrize("value", [[1], {1: 2}, 1.5])
@pytest.mark.parametrize("setting", ["solver", "degree", "reference"])
def test_a_setting_of_a_wrong_type_is_an_error_that_names_it(setting: str, value: Any) -> None:
    with pytest.raises(SettingError, match=setting):
        sf.LogisticRegression(**{setting: value}).fit(people(), "y")


@pytest.mark.parametrize("start", ["LDA", 3, np.zeros(4)])
def test_a_start_that_is_none_is_an_error(start: Any) -> None:
    with pytest.raises(SettingError, match="start"):
        sf.LogisticRegression().fit(people(), "y", start=start)
