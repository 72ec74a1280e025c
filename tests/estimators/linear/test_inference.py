"""Standard errors, tests and criteria: statsmodels' on the same rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm

import suffice as sf
from suffice.errors import SettingError


@pytest.fixture(scope="module")
def spector() -> pd.DataFrame:
    return sm.datasets.spector.load_pandas().data.astype({"GRADE": int})


@pytest.fixture(scope="module")
def elections() -> pd.DataFrame:
    """Which of seven groups a voter belongs to, by five numbers."""
    data = sm.datasets.anes96.load_pandas().data
    return data[["logpopul", "selfLR", "age", "educ", "income", "PID"]].astype({"PID": int})


def compare(mine: sf.LogisticRegression, theirs: object, names: list[str], reference: object = None) -> None:
    """Every number of the summary; `names` are the terms in the order of statsmodels, the intercept first."""
    summary = mine.summary(reference)
    parameters = np.asarray(theirs.params).reshape(len(names), -1)  # type: ignore[attr-defined]
    errors = np.asarray(theirs.bse).reshape(len(names), -1)  # type: ignore[attr-defined]
    p_values = np.asarray(theirs.pvalues).reshape(len(names), -1)  # type: ignore[attr-defined]
    for k, label in enumerate(summary.labels):
        for j, name in enumerate(names):
            line = summary[(label, name)]
            assert line.coefficient == pytest.approx(parameters[j, k], rel=1e-6, abs=1e-8)
            assert line.standard_error == pytest.approx(errors[j, k], rel=1e-5)
            assert line.z == pytest.approx(parameters[j, k] / errors[j, k], rel=1e-5)
            assert line.p_value == pytest.approx(p_values[j, k], rel=1e-4, abs=1e-12)
            assert line.odds_ratio == pytest.approx(np.exp(parameters[j, k]), rel=1e-5)
            assert line.low == pytest.approx(parameters[j, k] - 1.959963985 * errors[j, k], rel=1e-5, abs=1e-7)
            assert line.high == pytest.approx(parameters[j, k] + 1.959963985 * errors[j, k], rel=1e-5, abs=1e-7)
    assert summary.log_likelihood == pytest.approx(theirs.llf, rel=1e-10)  # type: ignore[attr-defined]
    assert summary.null_log_likelihood == pytest.approx(theirs.llnull, rel=1e-9)  # type: ignore[attr-defined]
    assert summary.aic == pytest.approx(theirs.aic, rel=1e-9)  # type: ignore[attr-defined]
    assert summary.bic == pytest.approx(theirs.bic, rel=1e-9)  # type: ignore[attr-defined]
    assert summary.pseudo_r2 == pytest.approx(theirs.prsquared, rel=1e-8)  # type: ignore[attr-defined]


def test_two_classes_agree_with_statsmodels(spector: pd.DataFrame) -> None:
    names = ["GPA", "TUCE", "PSI"]
    theirs = sm.Logit(spector["GRADE"], sm.add_constant(spector[names])).fit(disp=0, tol=1e-12)
    compare(sf.LogisticRegression(l2=0).fit(spector, "GRADE"), theirs, ["intercept", *names])


@pytest.mark.parametrize("settings", [{"standardize": False}, {"solver": "conjugate_gradient"}, {"reference": 1}])
def test_settings_that_change_no_model_change_no_inference(spector: pd.DataFrame, settings: dict[str, object]) -> None:
    names = ["GPA", "TUCE", "PSI"]
    theirs = sm.Logit(spector["GRADE"], sm.add_constant(spector[names])).fit(disp=0, tol=1e-12)
    model = sf.LogisticRegression(l2=0, tol=1e-10, **settings).fit(spector, "GRADE")
    compare(model, theirs, ["intercept", *names], reference=0)


def test_seven_classes_agree_with_statsmodels(elections: pd.DataFrame) -> None:
    names = list(elections.columns[:-1])
    theirs = sm.MNLogit(elections["PID"], sm.add_constant(elections[names])).fit(disp=0, tol=1e-14, maxiter=200)
    model = sf.LogisticRegression(l2=0, reference=0, tol=1e-10).fit(elections, "PID")
    compare(model, theirs, ["intercept", *names])
    other = sf.LogisticRegression(l2=0, tol=1e-10).fit(elections, "PID")
    assert other.summary().reference == 6
    compare(other, theirs, ["intercept", *names], reference=0)


def test_levels_against_the_first_agree_with_statsmodels() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "dose": random.normal(5.0, 2.0, 500),
            "sex": random.choice(["female", "male"], 500),
            "region": random.choice(["east", "north", "west"], 500),
        }
    )
    score = 0.3 * table["dose"] - 1.5 + 0.7 * (table["sex"] == "male") + (table["region"] == "north")
    table["ill"] = (random.random(500) < 1 / (1 + np.exp(-score))).astype(int)
    x = pd.get_dummies(table[["dose", "sex", "region"]], drop_first=True, dtype=float)
    theirs = sm.Logit(table["ill"], sm.add_constant(x)).fit(disp=0, tol=1e-12)
    model = sf.LogisticRegression(l2=0, tol=1e-11).fit(table, "ill")
    compare(model, theirs, ["intercept", "dose", "sex=male", "region=north", "region=west"])


def test_squares_and_interactions_agree_with_statsmodels() -> None:
    random = np.random.default_rng(1)
    x = random.normal(2.0, 1.0, (600, 2))
    y = (random.random(600) < 1 / (1 + np.exp(-(x[:, 0] - 0.5 * x[:, 0] * x[:, 1])))).astype(int)
    full = np.column_stack([x, x**2, x[:, 0] * x[:, 1]])
    theirs = sm.Logit(y, sm.add_constant(full)).fit(disp=0, tol=1e-12)
    for standardize in (True, False):
        model = sf.LogisticRegression(l2=0, degree=2, standardize=standardize, tol=1e-11)
        model.fit(pd.DataFrame(x, columns=["a", "b"]).assign(y=y), "y")
        compare(model, theirs, ["intercept", "a", "b", "a²", "b²", "a × b"])


def test_frequency_weights_are_rows(spector: pd.DataFrame) -> None:
    times = np.random.default_rng(0).integers(1, 4, len(spector))
    repeated = sf.LogisticRegression(l2=0).fit(spector.loc[spector.index.repeat(times)], "GRADE").summary()
    weighted = sf.LogisticRegression(l2=0).fit(spector, "GRADE", sample_weight=times.astype(float)).summary()
    assert weighted.rows == times.sum()
    assert weighted.bic == pytest.approx(repeated.bic, rel=1e-9)
    for mine, other in zip(weighted.coefficients, repeated.coefficients, strict=True):
        assert mine.standard_error == pytest.approx(other.standard_error, rel=1e-6)


def test_a_wider_confidence_is_asked_for(spector: pd.DataFrame) -> None:
    model = sf.LogisticRegression(l2=0).fit(spector, "GRADE")
    line = model.summary(confidence=0.9)["GPA"]
    assert line.high - line.low == pytest.approx(2 * 1.6448536269514722 * line.standard_error, rel=1e-12)
    assert "90% from" in str(model.summary(confidence=0.9))


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, -1, "high", float("nan")])
def test_a_confidence_that_is_none_is_an_error(spector: pd.DataFrame, confidence: object) -> None:
    with pytest.raises(SettingError, match="confidence must be between 0 and 1"):
        sf.LogisticRegression(l2=0).fit(spector, "GRADE").summary(confidence=confidence)


def test_text_names_a_reference_that_is_a_number(spector: pd.DataFrame) -> None:
    model = sf.LogisticRegression(l2=0).fit(spector, "GRADE")
    assert str(model.summary(reference="1")) == str(model.summary(reference=1))
    assert model.logistic_weights(reference="1").reference == 1


def test_an_unknown_reference_is_an_error(spector: pd.DataFrame) -> None:
    with pytest.raises(SettingError, match=r"There is no class 7 for `reference`\. The classes are 0, 1"):
        sf.LogisticRegression(l2=0).fit(spector, "GRADE").summary(reference=7)
