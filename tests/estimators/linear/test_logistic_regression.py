"""Logistic regression: the same weights as scikit-learn's, whatever the table, the solver and the reference."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

import suffice as sf
from suffice.errors import SettingError, SufficeError, SufficeWarning

TABLES = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}
every_table = pytest.mark.parametrize("name", TABLES)


def theirs(l2: float = 1.0, **settings: Any) -> LogisticRegression:
    return LogisticRegression(C=1.0 / l2, solver="newton-cholesky", tol=1e-12, max_iter=1000, **settings)


def mixed(rows: int = 240, classes: int = 2, gaps: float = 0.0) -> pd.DataFrame:
    """Two numbers and two nominal columns that say something about y, but not all."""
    return drawn(rows, classes, gaps).copy()


@cache
def drawn(rows: int, classes: int, gaps: float) -> pd.DataFrame:
    random = np.random.default_rng(0)
    y = random.integers(0, classes, rows)
    table = pd.DataFrame(
        {
            "height": random.normal(170 + 3 * y, 6.0),
            "visits": random.poisson(2.0 + y, rows),
            "city": np.where(random.random(rows) < 0.25 + 0.2 * y, "Oslo", random.choice(["Bonn", "Rome"], rows)),
            "diet": random.choice(["meat", "fish", "plants"], rows),
        }
    ).astype({"visits": float})
    for column in table.columns:
        table.loc[random.random(rows) < gaps, column] = None
    return table.assign(y=np.array(["no", "yes", "maybe", "never"])[y])


@cache
def kept_model(rows: int = 240, classes: int = 2, gaps: float = 0.0, **settings: Any) -> sf.LogisticRegression:
    """Of a mixed table. It is shared: nobody may change it."""
    return sf.LogisticRegression(**settings).fit(mixed(rows, classes, gaps), "y")


def centred(model: sf.LogisticRegression) -> tuple[np.ndarray, np.ndarray]:
    """Intercepts and coefficients as scikit-learn has them: of the second of two classes, else of all, their sum 0."""
    weights = model.logistic_weights()
    classes = model.classes_.tolist()
    every = np.zeros((len(classes), 1 + len(weights.names)))
    for label, constant, row in zip(
        weights.classes, np.atleast_1d(weights.intercept), np.atleast_2d(weights.coefficients), strict=True
    ):
        every[classes.index(label)] = [constant, *row]
    every = every[1:] - every[:1] if len(classes) == 2 else every - every.mean(axis=0)
    return every[:, 0], every[:, 1:]


# Agreement with scikit-learn -----------------------------------------------------------------------------------------


@every_table
@pytest.mark.parametrize("l2", [0.1, 1.0, 30.0])
def test_scikit_learns_objective_gives_scikit_learns_weights(name: str, l2: float) -> None:
    x, y = TABLES[name](return_X_y=True)
    mine, other = sf.LogisticRegression(l2=l2, standardize=False, tol=1e-11).fit(x, y), theirs(l2).fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), other.predict_proba(x), rtol=0, atol=1e-6)
    intercept, coefficients = centred(mine)
    np.testing.assert_allclose(coefficients, other.coef_, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(mine.decision_function(x), other.decision_function(x), rtol=1e-6, atol=1e-5)
    if len(intercept) == 1:
        np.testing.assert_allclose(intercept, other.intercept_, rtol=1e-6)


@every_table
def test_two_classes_of_three_agree_with_scikit_learn(name: str) -> None:
    x, y = TABLES[name](return_X_y=True)
    is_first = y == 0
    mine, other = (
        sf.LogisticRegression(l2=1.0, standardize=False, tol=1e-11).fit(x, is_first),
        theirs().fit(x, is_first),
    )
    np.testing.assert_allclose(mine.coef_, other.coef_, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(mine.intercept_, other.intercept_, rtol=1e-6, atol=1e-6)


@every_table
def test_standardised_columns_agree_with_scikit_learns_scaler(name: str) -> None:
    x, y = TABLES[name](return_X_y=True)
    other = make_pipeline(StandardScaler(), theirs(2.0)).fit(x, y)
    mine = sf.LogisticRegression(l2=2.0).fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), other.predict_proba(x), rtol=0, atol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_nominal_columns_agree_with_a_one_hot_encoder(classes: int) -> None:
    table = mixed(classes=classes)
    x, y = table.drop(columns="y"), table["y"]
    encoder = make_column_transformer((OneHotEncoder(), ["city", "diet"]), remainder="passthrough")
    other = make_pipeline(encoder, theirs(0.5)).fit(x, y)
    mine = sf.LogisticRegression(l2=0.5, standardize=False).fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), other.predict_proba(x), rtol=0, atol=1e-6)
    scaler = make_column_transformer((OneHotEncoder(), ["city", "diet"]), (StandardScaler(), ["height", "visits"]))
    other = make_pipeline(scaler, theirs()).fit(x, y)
    np.testing.assert_allclose(
        sf.LogisticRegression(l2=1.0).fit(x, y).predict_proba(x), other.predict_proba(x), rtol=0, atol=1e-6
    )


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("solver", ["newton", "conjugate_gradient"])
def test_missing_values_are_the_mean_an_indicator_and_a_level_of_their_own(classes: int, solver: str) -> None:
    table = mixed(classes=classes, gaps=0.15)
    x, y = table.drop(columns="y"), table["y"]
    filled = x.assign(city=x["city"].fillna("?"), diet=x["diet"].fillna("?"))
    for name in ("height", "visits"):
        scaled = (x[name] - x[name].mean()) / x[name].std(ddof=0)
        filled = filled.assign(**{name: scaled.fillna(0.0), f"{name} missing": x[name].isna().astype(float)})
    encoder = make_column_transformer((OneHotEncoder(), ["city", "diet"]), remainder="passthrough")
    other = make_pipeline(encoder, theirs()).fit(filled, y)
    mine = sf.LogisticRegression(l2=1.0, solver=solver).fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), other.predict_proba(filled), rtol=0, atol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_degree_two_agrees_with_polynomial_features(classes: int) -> None:
    x, y = load_iris(return_X_y=True)
    x, y = x[y < classes][:, :3], y[y < classes]
    polynomial = PolynomialFeatures(2, include_bias=False)
    other = make_pipeline(polynomial, theirs()).fit(x, y)
    mine = sf.LogisticRegression(l2=1.0, degree=2, standardize=False, tol=1e-11).fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), other.predict_proba(x), rtol=0, atol=1e-6)
    np.testing.assert_allclose(mine.decision_function(x), other.decision_function(x), rtol=0, atol=1e-4)


@pytest.mark.parametrize("classes", [2, 3])
def test_degree_two_of_standardised_columns_agrees_with_polynomials_of_them(classes: int) -> None:
    table = mixed(classes=classes)
    x, y = table.drop(columns="y"), table["y"]
    scaled = StandardScaler().fit_transform(x[["height", "visits"]])
    levels = OneHotEncoder(sparse_output=False).fit_transform(x[["city", "diet"]])
    parts = [scaled, levels, scaled**2, scaled[:, :1] * scaled[:, 1:]]
    parts += [scaled[:, :1] * levels, scaled[:, 1:] * levels]
    parts += [levels[:, k : k + 1] * levels[:, 3:] for k in range(3)]
    full = np.concatenate(parts, axis=1)
    other = theirs().fit(full[:, full.any(axis=0)], y)
    mine = sf.LogisticRegression(l2=1.0, degree=2).fit(x, y)
    assert len(mine.model_.design.names) - 1 == full.any(axis=0).sum()
    np.testing.assert_allclose(mine.predict_proba(x), other.predict_proba(full), rtol=0, atol=1e-6)


def test_a_square_that_repeats_its_column_changes_nothing_that_is_predicted_for_certain() -> None:
    """Truth values as numbers are their own squares."""
    random = np.random.default_rng(0)
    x = random.integers(0, 2, (200, 2)).astype(float)
    y = random.random(200) < 0.2 + 0.3 * x[:, 0] + 0.3 * x[:, 0] * x[:, 1]
    model = sf.LogisticRegression(degree=2).fit(x, y)
    assert np.isfinite(model.predict_proba(x)).all()


def test_a_penalty_per_column() -> None:
    """Weights of a column in other units are those under another penalty."""
    x, y = load_iris(return_X_y=True)
    table = pd.DataFrame(x, columns=list("abcd")).assign(y=y)
    units = np.sqrt([4.0, 1.0, 0.25, 9.0])
    other = theirs().fit(x / units, y)
    mine = sf.LogisticRegression(l2={"a": 4.0, "c": 0.25, "d": 9.0}, standardize=False).fit(table, "y")
    np.testing.assert_allclose(mine.predict_proba(table), other.predict_proba(x / units), rtol=0, atol=1e-6)


def test_a_mapping_of_equal_penalties_is_one_penalty() -> None:
    table = mixed()
    one = sf.LogisticRegression(l2=3.0).fit(table, "y")
    each = sf.LogisticRegression(l2=dict.fromkeys(["height", "visits", "city", "diet"], 3.0)).fit(table, "y")
    np.testing.assert_allclose(each.predict_proba(table), one.predict_proba(table), rtol=1e-9)


def test_a_column_without_penalty_leaves_the_levels_of_others_as_they_are() -> None:
    """Levels that are penalised need no reference among them, whatever the other columns."""
    table = mixed()
    almost = sf.LogisticRegression(l2={"height": 1e-9}).fit(table, "y")
    none = sf.LogisticRegression(l2={"height": 0.0}).fit(table, "y")
    np.testing.assert_allclose(none.predict_proba(table), almost.predict_proba(table), rtol=0, atol=1e-6)


@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("classes", [2, 3])
def test_weights_are_repetitions(standardize: bool, classes: int) -> None:
    table = mixed(classes=classes, gaps=0.1)
    times = np.random.default_rng(1).integers(0, 4, len(table))
    weighted = sf.LogisticRegression(standardize=standardize).fit(table, "y", sample_weight=times.astype(float))
    repeated = sf.LogisticRegression(standardize=standardize).fit(table.loc[table.index.repeat(times)], "y")
    np.testing.assert_allclose(weighted.predict_proba(table), repeated.predict_proba(table), rtol=0, atol=1e-7)
    np.testing.assert_allclose(weighted.model_.covariance, repeated.model_.covariance, rtol=1e-5, atol=1e-9)


def test_a_weight_column_may_be_named() -> None:
    table = mixed().assign(w=lambda t: 1.0 + (t["height"] > 170))
    named = sf.LogisticRegression().fit(table, "y", sample_weight="w")
    given = sf.LogisticRegression().fit(table.drop(columns="w"), "y", sample_weight=table["w"])
    np.testing.assert_allclose(named.predict_proba(table), given.predict_proba(table), rtol=1e-10)


@pytest.mark.parametrize("weight", ["balanced", {0: 3.0}, {0: 0.5, 1: 2.0, 2: 1.0}], ids=str)
def test_class_weights_agree_with_scikit_learn(weight: Any) -> None:
    x, y = load_iris(return_X_y=True)
    x, y = x[20:], y[20:]
    mine = sf.LogisticRegression(l2=1.0, standardize=False, class_weight=weight).fit(x, y)
    other = theirs(class_weight=weight).fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), other.predict_proba(x), rtol=0, atol=1e-6)


def test_class_weights_are_weights_of_the_rows() -> None:
    table = mixed()
    by_class = sf.LogisticRegression(class_weight={"yes": 2.5}).fit(table, "y")
    by_row = sf.LogisticRegression().fit(table, "y", sample_weight=np.where(table["y"] == "yes", 2.5, 1.0))
    np.testing.assert_allclose(by_class.predict_proba(table), by_row.predict_proba(table), rtol=1e-9)


# The same model by other ways -----------------------------------------------------------------------------------------


SETTINGS: dict[str, dict[str, Any]] = {
    "gradient ascent": {"solver": "gradient_ascent", "tol": 1e-8},
    "conjugate gradient": {"solver": "conjugate_gradient", "tol": 1e-11},
}


def near_nought(gaps: float) -> pd.DataFrame:
    """Gradients need thousands of steps where numbers lie far off."""
    table = mixed(150, classes=3, gaps=gaps)
    return table.assign(height=(table["height"] - 165.0) / 10.0, visits=(table["visits"] - 3.0) / 2.0)


@cache
def model_near_nought(standardize: bool, gaps: float) -> sf.LogisticRegression:
    return sf.LogisticRegression(l2=10.0, standardize=standardize).fit(near_nought(gaps), "y")


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("standardize", [True, False])
@pytest.mark.parametrize("gaps", [0.0, 0.15], ids=["complete", "with missing values"])
def test_every_solver_finds_the_same_model(name: str, standardize: bool, gaps: float) -> None:
    table = near_nought(gaps)
    expected = model_near_nought(standardize, gaps)
    found = sf.LogisticRegression(l2=10.0, standardize=standardize, **SETTINGS[name]).fit(table, "y")
    np.testing.assert_allclose(found.predict_proba(table), expected.predict_proba(table), rtol=0, atol=1e-6)
    assert found.model_.log_likelihood == pytest.approx(expected.model_.log_likelihood, rel=1e-7)


@pytest.mark.parametrize("l2", [1.0, 0.0])
@pytest.mark.parametrize("degree", [1, 2])
def test_the_reference_changes_only_how_weights_are_reported(l2: float, degree: int) -> None:
    table = mixed(500, classes=3)[["height", "city", "y"]]
    expected = sf.LogisticRegression(l2=l2, degree=degree).fit(table, "y")
    for label in expected.classes_.tolist():
        model = sf.LogisticRegression(l2=l2, degree=degree, reference=label).fit(table, "y")
        np.testing.assert_allclose(model.predict_proba(table), expected.predict_proba(table), rtol=0, atol=1e-8)
        assert model.logistic_weights().reference == label
        weights = expected.logistic_weights(label)
        np.testing.assert_allclose(model.coef_, weights.coefficients, rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(model.intercept_, weights.intercept, rtol=1e-5, atol=1e-5)
        for mine, other in zip(model.summary().coefficients, expected.summary(label).coefficients, strict=True):
            assert (mine.name, mine.label) == (other.name, other.label)
            assert mine.standard_error == pytest.approx(other.standard_error, rel=1e-5)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("reference", [0, 1])
def test_weights_scores_and_derivations_say_the_same_whatever_the_reference(classes: int, reference: int) -> None:
    table = mixed(classes=classes)[["height", "visits", "y"]]
    x = table[["height", "visits"]]
    labels = sorted(table["y"].unique())
    model = sf.LogisticRegression(reference=labels[reference]).fit(table, "y")
    score, linear = model.decision_function(x), x.to_numpy() @ model.coef_.T + model.intercept_
    log_odds = np.log(model.predict_proba(x))
    if classes == 2:  # as scikit-learn: positive speaks for the second class
        np.testing.assert_allclose(linear[:, 0], score, rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(model.predict(x) == labels[1], linear[:, 0] > 0)
    else:
        others = [k for k, label in enumerate(labels) if label != labels[reference]]
        np.testing.assert_allclose(linear, score[:, others] - score[:, [reference]], rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(model.predict(x), np.array(labels)[score.argmax(axis=1)])
    weights = model.logistic_weights()
    assert weights.reference == labels[reference]
    against = log_odds[:, [labels.index(label) for label in weights.classes]] - log_odds[:, [reference]]
    of_weights = x.to_numpy() @ np.atleast_2d(weights.coefficients).T + weights.intercept
    np.testing.assert_allclose(of_weights, against, rtol=1e-6, atol=1e-8)
    explanation = model.explain(x.iloc[0].to_dict())
    np.testing.assert_allclose(explanation.total, against[0], rtol=1e-6, atol=1e-8)
    lines = model.summary().coefficients
    assert [line.coefficient for line in lines if line.name == "height"] == pytest.approx(
        np.atleast_2d(weights.coefficients)[:, 0].tolist()
    )


def test_the_default_reference_is_the_first_of_two_classes_and_the_last_of_more() -> None:
    assert kept_model().logistic_weights().reference == "no"
    assert kept_model(classes=3).logistic_weights().reference == "yes"


def test_units_do_not_matter_where_columns_are_standardised() -> None:
    x, y = load_iris(return_X_y=True)
    units, moved = np.array([1e6, 1e-3, 1.0, 7.0]), np.array([0.0, 5.0, -30.0, 1.0])
    expected, model = sf.LogisticRegression().fit(x, y), sf.LogisticRegression().fit(x * units + moved, y)
    np.testing.assert_allclose(model.predict_proba(x * units + moved), expected.predict_proba(x), rtol=0, atol=1e-8)
    np.testing.assert_allclose(model.coef_ * units, expected.coef_, rtol=1e-6)


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The same table in other forms."""
    table, folder = mixed(gaps=0.1), tmp_path_factory.mktemp("forms")
    table.to_csv(folder / "table.csv", index=False)
    table.to_parquet(folder / "table.parquet")
    return {
        "polars": pl.from_pandas(table),
        "arrow": pa.Table.from_pandas(table, preserve_index=False),
        "csv": folder / "table.csv",
        "parquet": folder / "table.parquet",
        "duckdb": duckdb.read_parquet(str(folder / "table.parquet")),
    }


@pytest.mark.parametrize("form", ["polars", "arrow", "csv", "parquet", "duckdb"])
@pytest.mark.parametrize("degree", [1, 2])
def test_every_form_of_table_gives_the_same_model(form: str, degree: int, forms: dict[str, Any]) -> None:
    expected, table = kept_model(gaps=0.1, degree=degree), forms[form]
    model = sf.LogisticRegression(degree=degree).fit(table, "y")
    assert model.model_.design.names == expected.model_.design.names
    np.testing.assert_allclose(model.model_.weights, expected.model_.weights, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(model.predict_proba(table), expected.predict_proba(mixed(gaps=0.1)), rtol=1e-8)


def test_an_array_with_labels_gives_the_model_of_the_frame() -> None:
    x, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(x, columns=list("abcd"))
    by_frame = sf.LogisticRegression().fit(frame.assign(y=y), "y")
    by_array = sf.LogisticRegression().fit(x, y)
    np.testing.assert_allclose(by_array.coef_, by_frame.coef_, rtol=1e-10)
    np.testing.assert_array_equal(by_array.predict(x), by_frame.predict(frame))


# The start of the climb ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("l2", [1.0, 0.0])
@pytest.mark.parametrize(
    "make",
    [sf.LDA, lambda: sf.NaiveBayes(shared_variance=True), lambda: sf.LogisticRegression(l2=20.0)],
    ids=["LDA", "naive Bayes", "a stronger penalty"],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_start_changes_how_long_the_climb_is_and_not_where_it_ends(l2: float, make: Any, classes: int) -> None:
    table = mixed(400, classes=classes)
    weights = make().fit(table, "y").logistic_weights()
    expected = kept_model(400, classes, l2=l2)
    found = sf.LogisticRegression(l2=l2).fit(table, "y", start=weights)
    np.testing.assert_allclose(found.predict_proba(table), expected.predict_proba(table), rtol=0, atol=1e-6)
    np.testing.assert_allclose(found.model_.covariance, expected.model_.covariance, rtol=1e-4, atol=1e-8)
    assert found.path_.objective[0] > expected.path_.objective[0]


@pytest.mark.parametrize(
    "make",
    [sf.LDA, lambda: sf.NaiveBayes(shared_variance=True), lambda: sf.LogisticRegression(l2=20.0)],
    ids=["LDA", "naive Bayes", "all levels"],
)
@pytest.mark.parametrize("classes", [2, 3])
def test_the_climb_begins_at_the_very_function_it_is_given(make: Any, classes: int) -> None:
    table = mixed(400, classes=classes)
    other = make().fit(table, "y")
    found = sf.LogisticRegression(l2=0).fit(table, "y", start=other.logistic_weights())
    assert found.path_.objective[0] == pytest.approx(other.conditional_log_likelihood(table, "y"), rel=1e-9)


@pytest.mark.parametrize("l2", [1.0, 0.0])
@pytest.mark.parametrize("classes", [2, 3])
def test_a_start_far_off_leads_to_the_same_summit(l2: float, classes: int) -> None:
    """Weights of degree two without their products are so wrong that every row is beyond doubt, and nothing curves."""
    table = mixed(400, classes=classes)
    weights = kept_model(400, classes, degree=2).logistic_weights()
    expected = kept_model(400, classes, l2=l2)
    found = sf.LogisticRegression(l2=l2).fit(table, "y", start=weights)
    np.testing.assert_allclose(found.predict_proba(table), expected.predict_proba(table), rtol=0, atol=1e-6)


def test_a_climb_from_its_own_summit_has_no_way_to_go() -> None:
    table = mixed(classes=3, gaps=0.1)
    weights = sf.LogisticRegression(degree=2).fit(table, "y").logistic_weights()
    again = sf.LogisticRegression(degree=2, tol=1e-7).fit(table, "y", start=weights)
    assert again.n_iter_[0] == 0


def test_a_start_with_a_class_that_the_table_has_not_is_an_error() -> None:
    weights = sf.LDA().fit(mixed(classes=3), "y").logistic_weights()
    with pytest.raises(SettingError, match="There is no class 'maybe' for `start`"):
        sf.LogisticRegression().fit(mixed(classes=2), "y", start=weights)


# Answers -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_scores_and_likelihood_belong_together(classes: int) -> None:
    table, model = mixed(classes=classes, gaps=0.1), kept_model(classes=classes, gaps=0.1)
    logs, scores = model.predict_log_proba(table), model.decision_function(table)
    np.testing.assert_allclose(np.exp(logs), model.predict_proba(table), rtol=1e-12)
    if classes == 2:
        np.testing.assert_allclose(scores, logs[:, 1] - logs[:, 0], rtol=1e-9, atol=1e-12)
    else:
        np.testing.assert_allclose(scores, logs - logs.mean(axis=1, keepdims=True), rtol=1e-9, atol=1e-12)
    own = [model.classes_.tolist().index(label) for label in table["y"]]
    likelihood = model.conditional_log_likelihood(table, "y")
    assert likelihood == pytest.approx(logs[np.arange(len(table)), own].sum(), rel=1e-12)
    assert likelihood == pytest.approx(model.model_.log_likelihood, rel=1e-9)


def test_a_table_without_rows_has_no_predictions() -> None:
    table, model = mixed(classes=3), kept_model(classes=3)
    assert model.predict(table.head(0)).shape == (0,)
    assert model.predict_proba(table.head(0)).shape == (0, 3)
    assert model.decision_function(table.head(0)).shape == (0, 3)


def test_a_number_missing_at_prediction_only_is_put_at_its_mean() -> None:
    table, model = mixed(), kept_model()
    gap, mean = table.assign(height=np.nan), table.assign(height=table["height"].mean())
    np.testing.assert_allclose(model.predict_proba(gap), model.predict_proba(mean), rtol=1e-10)


@pytest.mark.parametrize(
    "settings",
    [{"degree": 2, "standardize": False}, {"solver": "conjugate_gradient", "standardize": False}],
    ids=["degree 2", "plain climb"],
)
def test_a_missing_number_is_put_at_its_mean_without_standardising_too(settings: dict[str, Any]) -> None:
    table = mixed().assign(height=lambda t: t["height"] - 165.0)[["height", "visits", "y"]]
    model = sf.LogisticRegression(l2=1.0, **settings).fit(table, "y")
    gap, mean = table.assign(height=np.nan), table.assign(height=table["height"].mean())
    np.testing.assert_allclose(model.predict_proba(gap), model.predict_proba(mean), rtol=1e-6)


@pytest.mark.parametrize("l2", [1.0, 0.0])
def test_a_level_missing_at_prediction_only_has_the_average_weight_of_all(l2: float) -> None:
    table = mixed(classes=3)
    model = sf.LogisticRegression(l2=l2).fit(table, "y")
    shares = table["city"].value_counts(normalize=True)
    average = sum(share * model.decision_function(table.assign(city=level)) for level, share in shares.items())
    np.testing.assert_allclose(model.decision_function(table.assign(city=None)), average, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_a_level_never_seen_is_read_as_missing_and_counted(gaps: float) -> None:
    table, model = mixed(gaps=gaps), kept_model(gaps=gaps)
    strange = table.assign(city=["Paris", "Lima", *table["city"][2:]])
    with pytest.warns(SufficeWarning, match=r"never seen in training were read as missing: 'city' \(2 rows\)"):
        found = model.predict_proba(strange)
    gap = table.assign(city=[None, None, *table["city"][2:]])
    np.testing.assert_allclose(found, model.predict_proba(gap), rtol=1e-12)


def test_only_the_columns_of_the_model_are_read_by_name() -> None:
    table, model = mixed(), kept_model()
    other = table[["diet", "y", "visits", "height", "city"]].assign(more=1.0)
    np.testing.assert_array_equal(model.predict_proba(other), model.predict_proba(table))
    assert model.score(other, "y") == pytest.approx(np.mean(model.predict(table) == table["y"]))


# scikit-learn --------------------------------------------------------------------------------------------------------


def test_grid_search_over_the_penalty_in_a_pipeline() -> None:
    x, y = load_breast_cancer(return_X_y=True)
    search = GridSearchCV(
        make_pipeline(StandardScaler(), sf.LogisticRegression()), {"logisticregression__l2": [1, 1e5]}
    )
    assert search.fit(x, y).best_params_ == {"logisticregression__l2": 1}
    assert search.best_score_ > 0.95


def test_cross_val_score_of_a_frame_with_levels() -> None:
    table = mixed(400, gaps=0.1)
    scores = cross_val_score(sf.LogisticRegression(), table.drop(columns="y"), table["y"], cv=4, scoring="neg_log_loss")
    assert scores.mean() > -0.69


def test_cross_validation_is_what_folds_by_hand_give() -> None:
    table = mixed(200, classes=3)
    result = sf.cross_validate(sf.LogisticRegression(), table, "y", folds=4, random_state=1)
    for k in range(4):
        model = sf.LogisticRegression().fit(table[result.fold != k], "y")
        expected = model.predict_proba(table[result.fold == k])
        np.testing.assert_allclose(result.posterior[result.fold == k], expected, rtol=0, atol=1e-7)


# Nothing breaks halfway ----------------------------------------------------------------------------------------------


def failing_fits() -> dict[str, Callable[[Any], Any]]:
    table = mixed()
    return {
        "one class": lambda model: model.fit(table.assign(y="no"), "y"),
        "no such target": lambda model: model.fit(table, "z"),
        "an infinite value": lambda model: model.fit(table.assign(height=np.inf), "y"),
        "a wrong solver": lambda model: model.set_params(solver="simplex").fit(table, "y"),
        "a wrong start": lambda model: model.fit(
            table, "y", start=sf.LDA().fit(mixed(classes=3), "y").logistic_weights()
        ),
        "weights": lambda model: model.fit(table, "y", sample_weight=np.zeros(len(table))),
        "an unknown reference": lambda model: model.set_params(reference="perhaps").fit(table, "y"),
        "class weights": lambda model: model.set_params(class_weight={"perhaps": 2.0}).fit(table, "y"),
    }


@pytest.mark.parametrize("name", failing_fits())
def test_a_failed_fit_leaves_the_estimator_as_it_was(name: str) -> None:
    table, model = mixed(classes=3), copy.copy(kept_model(classes=3))
    before, expected = dict(vars(model)), model.predict_proba(table)
    with pytest.raises(SufficeError):
        failing_fits()[name](model)
    settings = {"solver", "reference", "class_weight"}
    after = {key: value for key, value in vars(model).items() if key not in settings}
    assert after.keys() == before.keys() - settings
    assert all(after[key] is before[key] for key in after)
    np.testing.assert_array_equal(model.predict_proba(table), expected)
