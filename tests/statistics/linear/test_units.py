"""Units: scores computed from the raw columns with the coefficients are the model's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.statistics.linear.units import table_units, unit_of


def mixed(rows: int = 240, classes: int = 3, gaps: float = 0.1, seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    table = pd.DataFrame(
        {
            "height": random.normal(170 + 3 * y, 6.0),
            "pay": random.gamma(2.0, 2000.0 + 500 * y),
            "city": random.choice(["Bonn", "Oslo", "Rome"], rows),
            "diet": random.choice(["meat", "fish"], rows),
        }
    )
    for column in table.columns:
        table.loc[random.random(rows) < gaps, column] = None
    return table.assign(y=np.array(["no", "yes", "maybe"])[y])


def raw_term(table: pd.DataFrame, name: str, means: dict[str, float]) -> np.ndarray:
    """A term from the table's own columns, by its name: a, a², a × b, c=level, a missing."""
    if name == "intercept":
        return np.ones(len(table))
    if " × " in name:
        return np.prod([raw_term(table, part, means) for part in name.split(" × ")], axis=0)
    if name.endswith("²"):
        return raw_term(table, name[:-1], means) ** 2
    if name.endswith(" missing"):
        return table[name.removesuffix(" missing")].isna().to_numpy(float)
    if "=" in name:
        column, level = name.split("=")
        return (table[column] == level).to_numpy(float)
    return table[name].fillna(means[name]).to_numpy(float)


SETTINGS: list[dict[str, Any]] = [
    {},
    {"l2": 0.0},
    {"degree": 2},
    {"degree": 2, "l2": 5.0, "standardize": False},
    {"standardize": False},
    {"solver": "conjugate_gradient", "tol": 1e-4},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("gaps", [0.0, 0.1], ids=["complete", "with missing values"])
@pytest.mark.parametrize("classes", [2, 3])
def test_scores_from_the_raw_columns_are_the_models(settings: dict[str, Any], gaps: float, classes: int) -> None:
    table = mixed(gaps=gaps, classes=classes)
    model = sf.LogisticRegression(**settings).fit(table, "y")
    weights = model.logistic_weights()
    means = {name: table[name].mean() for name in ("height", "pay")}
    x = np.column_stack([raw_term(table, name, means) for name in weights.names])
    scores = np.atleast_1d(weights.intercept) + x @ np.atleast_2d(weights.coefficients).T
    logs = model.predict_log_proba(table)
    labels = model.classes_.tolist()
    for k, label in enumerate(weights.classes):
        expected = logs[:, labels.index(label)] - logs[:, labels.index(weights.reference)]
        np.testing.assert_allclose(scores[:, k], expected, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("degree", [1, 2])
def test_units_of_single_weights_are_the_diagonal_of_the_whole_matrix(degree: int) -> None:
    design = sf.LogisticRegression(degree=degree).fit(mixed(), "y").model_.design
    np.testing.assert_allclose(1.0 / table_units(design).diagonal(), unit_of(design), rtol=1e-12)


def test_the_covariance_goes_to_the_tables_units_with_the_coefficients() -> None:
    table = mixed(gaps=0.0, classes=2)[["height", "pay", "y"]]
    plain = sf.LogisticRegression(l2=0, degree=2).fit(table, "y").summary()
    scaled = sf.LogisticRegression(l2=0, degree=2).fit(table.assign(pay=table["pay"] / 1000), "y").summary()
    for name, unit in {"height": 1.0, "pay": 1e3, "pay²": 1e6, "height × pay": 1e3, "intercept": 1.0}.items():
        assert scaled[name].coefficient == pytest.approx(plain[name].coefficient * unit, rel=1e-4)
        assert scaled[name].standard_error == pytest.approx(plain[name].standard_error * unit, rel=1e-4)
