"""L21, deck 001: is the data linearly separable? A hyperplane shows that it is, a common point that it is not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import ArrayLike

import suffice as sf
from suffice.errors import SeparationWarning

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
IS_DIFFERENT = np.array([0, 1, 1, 0])


def on_the_side_of(answer: sf.estimators.Separability, x: ArrayLike) -> np.ndarray:
    assert answer.hyperplane is not None
    return np.asarray(x) @ answer.hyperplane.coefficients + answer.hyperplane.intercept


def two_species(first: str, second: str) -> tuple[np.ndarray, np.ndarray]:
    iris = sf.datasets.load("iris").to_pandas()
    chosen = iris[iris["species"].isin([first, second])]
    return chosen.drop(columns="species").to_numpy(), chosen["species"].to_numpy()


def test_a_separating_hyperplane_is_named() -> None:
    x, y = two_species("setosa", "versicolor")
    answer = sf.linearly_separable(x, y)
    assert answer
    assert answer.kind == "complete"
    np.testing.assert_array_equal(on_the_side_of(answer, x) > 0, y == "versicolor")


def test_where_there_is_none_a_point_in_the_hulls_of_both_classes_shows_it() -> None:
    x, y = two_species("versicolor", "virginica")
    answer = sf.linearly_separable(x, y)
    assert not answer
    assert answer.kind == "none"
    assert answer.common_point is not None
    point = np.array(list(answer.common_point.values()))
    for label in ("versicolor", "virginica"):
        assert is_in_hull(point, x[y == label])


def is_in_hull(point: np.ndarray, rows: np.ndarray) -> bool:
    """Whether non-negative weights that sum to 1 make the point of the rows."""
    from scipy.optimize import linprog

    together = np.vstack([rows.T, np.ones(len(rows))])
    found = linprog(np.zeros(len(rows)), A_eq=together, b_eq=np.append(point, 1.0), bounds=(0, None))
    return bool(found.status == 0)


def test_xor_is_not_separable_until_it_has_products() -> None:
    answer = sf.linearly_separable(XOR, IS_DIFFERENT)
    assert not answer
    assert answer.common_point == pytest.approx({"x0": 0.5, "x1": 0.5})
    assert sf.linearly_separable(XOR, IS_DIFFERENT, degree=2)


def test_rows_that_can_only_lie_on_the_hyperplane_make_it_quasi_complete() -> None:
    x, y = [[0.0], [1.0], [1.0], [2.0]], ["low", "low", "high", "high"]
    answer = sf.linearly_separable(x, y)
    assert not answer
    assert answer.kind == "quasi_complete"
    sides = np.sort(on_the_side_of(answer, x))
    np.testing.assert_allclose(sides[1:3], 0.0, atol=1e-9)


def test_three_classes_are_separable_where_every_row_scores_highest_for_its_own() -> None:
    x = np.array([[0.0, 0.0], [0.1, 0.2], [5.0, 0.0], [5.2, 0.3], [0.0, 5.0], [0.3, 5.1]])
    answer = sf.linearly_separable(x, list("aabbcc"))
    assert answer
    assert answer.hyperplane is not None
    scores = x @ np.vstack([answer.hyperplane.coefficients, [0.0, 0.0]]).T + [*answer.hyperplane.intercept, 0.0]
    np.testing.assert_array_equal(scores.argmax(axis=1), [0, 0, 1, 1, 2, 2])


def test_maximum_likelihood_then_has_no_finite_optimum_and_says_so() -> None:
    x, y = two_species("setosa", "versicolor")
    with pytest.warns(SeparationWarning, match="completely separable"):
        model = sf.LogisticRegression(l2=0).fit(x, y)
    assert "no test means anything" in str(model.summary())
    assert all(np.isnan(line.p_value) for line in model.summary().coefficients)
    assert model.model_.log_likelihood > -1e-3


def test_a_prior_gives_finite_weights() -> None:
    x, y = two_species("setosa", "versicolor")
    model = sf.LogisticRegression(l2=1.0).fit(x, y)
    assert np.abs(model.coef_).max() < 10


def test_firths_penalty_gives_finite_weights_too() -> None:
    """A table of two by two: the penalty adds a half to each of its cells."""
    x = np.array([[0.0]] * 10 + [[1.0]] * 10)
    y = np.array([0] * 6 + [1] * 14)
    model = sf.LogisticRegression(l2="firth").fit(x, y)
    assert model.intercept_[0] == pytest.approx(np.log(4.5 / 6.5), abs=1e-6)
    assert model.coef_[0, 0] == pytest.approx(np.log(10.5 / 0.5) - np.log(4.5 / 6.5), abs=1e-6)


def test_the_answer_reads_as_text() -> None:
    x, y = two_species("setosa", "versicolor")
    assert str(sf.linearly_separable(x, y)).startswith("linearly separable: every row is on its own side of")
    assert "have this weighted mean in common" in str(sf.linearly_separable(XOR, IS_DIFFERENT))
