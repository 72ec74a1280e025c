"""Rows with texts: the climb on sparse rows against the design written out in full."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix

from suffice.solve.logistic.setup import FIRST_PASS, first_design
from suffice.sources import Reading, read_table
from suffice.statistics.linear.left_out import MeasureLeftOut
from suffice.statistics.linear.log_likelihood import MeasureHessianDiagonal, MeasureHessianProduct, MeasureLogLikelihood
from suffice.statistics.linear.margins import MeasureMargins
from suffice.statistics.linear.occurrences import MeasureOccurrences
from suffice.statistics.linear.sparse_rows import KeepRows, MeasureSparseRows, SparseRows


def dense_log_likelihood(x: np.ndarray, outcome: np.ndarray, weights: np.ndarray, at: np.ndarray) -> tuple:
    """Log-likelihood, gradient and Hessian, row by row."""
    value, gradient = 0.0, np.zeros_like(at)
    hessian = np.zeros((at.size, at.size))
    for row, y, weight in zip(x, outcome, weights, strict=True):
        odds = np.exp(at @ row)
        p = odds / (1.0 + odds.sum())
        value += weight * np.log(1.0 - p.sum() if y < 0 else p[y])
        gradient += weight * np.outer((np.arange(len(at)) == y) - p, row)
        hessian += weight * np.kron(np.diag(p) - np.outer(p, p), np.outer(row, row))
    return value, gradient, hessian


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("classes", [1, 3])
def test_sums_are_those_of_the_whole_design(is_weighted: bool, classes: int) -> None:
    random = np.random.default_rng(classes)
    x = random.normal(size=(40, 6)) * (random.random((40, 6)) < 0.4)
    outcome = random.integers(-1, classes, 40).astype(np.int32)
    weights = random.random(40) if is_weighted else np.empty(0)
    at, direction = random.normal(size=(classes, 6)), random.normal(size=(classes, 6))
    rows = SparseRows(csr_matrix(x), outcome, weights)
    value, gradient, hessian = dense_log_likelihood(x, outcome, weights if is_weighted else np.ones(40), at)
    found = rows.log_likelihood(at)
    assert found[0] == pytest.approx(value)
    assert found[1] == pytest.approx(gradient)
    assert rows.hessian(found[2]) == pytest.approx(hessian)
    assert rows.hessian_product(at, direction).ravel() == pytest.approx(hessian @ direction.ravel())
    assert rows.hessian_diagonal(at).ravel() == pytest.approx(np.diag(hessian))
    parts = [part.log_likelihood(at) for part in rows.parts()]
    assert sum(part[0] for part in parts) == pytest.approx(value)


def test_rows_under_a_design_are_measured_by_what_takes_them_and_by_nothing_else() -> None:
    taking = {MeasureLogLikelihood, MeasureHessianProduct, MeasureHessianDiagonal}
    every = [*taking, MeasureLeftOut, MeasureOccurrences, MeasureMargins, KeepRows]
    assert {kind for kind in every if hasattr(kind, "of_sparse_rows")} == taking


def test_kept_rows_answer_as_their_batch_does() -> None:
    table = pd.DataFrame({"text": ["good film", "bad film", "good", "bad plot"] * 3, "y": ["p", "n", "p", "n"] * 3})
    source = read_table(table, "y", reading=Reading(reads_text=True, text=("text",)))
    known = source.measure(FIRST_PASS).parts["known"]
    design = first_design(known, 1)
    measurement = MeasureLogLikelihood(design, 0, np.full((1, design.dimensions), 0.1), with_hessian=True)
    assert isinstance(measurement, MeasureSparseRows)
    kept, passed = source.measure(KeepRows(design, 0)).measure(measurement), source.measure(measurement)
    assert (kept.weight, kept.log_likelihood) == (passed.weight, passed.log_likelihood)
    np.testing.assert_array_equal(kept.hessian, passed.hessian)


def test_places_beyond_the_dimensions_are_refused() -> None:
    from suffice.kernels.bag_rows import score_bags

    starts, places = np.array([0, 1]), np.array([5], dtype=np.int32)
    with pytest.raises(ValueError, match="beyond the dimensions"):
        score_bags(starts, places, np.ones(1), np.zeros((3, 2)), np.zeros((1, 2)))
