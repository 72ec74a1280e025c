from dataclasses import replace

import numpy as np
import pytest
from slow_design import random_design, random_rows, random_weights, schema_of, slow_log_likelihood, slow_rows

from suffice.statistics.linear import hessian_sums, log_likelihood
from suffice.statistics.linear.log_likelihood import MeasureHessianProduct, MeasureLogLikelihood, scores
from suffice.statistics.reweighed import MeasureReweighed

every_kind = pytest.mark.parametrize(
    ("numeric", "levels"), [(3, ()), (2, (3, 2)), (0, (2, 3, 2)), (0, ())], ids=["numbers", "mixed", "levels", "none"]
)
every_degree = pytest.mark.parametrize("degree", [1, 2])
every_class_count = pytest.mark.parametrize("classes", [2, 3, 4])


def case(numeric=2, levels=(3, 2), degree=1, classes=3, is_weighted=False, rows=150, seed=1):
    schema = schema_of(numeric, levels, classes)
    design = random_design(schema, degree, seed=seed)
    return design, random_rows(schema, rows, is_weighted=is_weighted, seed=seed), random_weights(design, seed)


@every_kind
@every_degree
@every_class_count
@pytest.mark.parametrize("is_weighted", [False, True])
def test_the_climb_is_that_of_the_matrix_written_out_in_full(numeric, levels, degree, classes, is_weighted):
    design, batch, weights = case(numeric, levels, degree, classes, is_weighted)
    reference = classes // 2
    found = MeasureLogLikelihood(design, reference, weights, with_hessian=True).of(batch)
    log_likelihood, gradient, hessian = slow_log_likelihood(design, batch, reference, weights)
    assert found.weight == pytest.approx(batch.row_weights().sum(), rel=1e-13)
    assert found.log_likelihood == pytest.approx(log_likelihood, rel=1e-12)
    np.testing.assert_allclose(found.gradient, gradient, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.hessian, hessian, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.hessian, found.hessian.T, rtol=1e-12, atol=1e-12)


@every_degree
@every_class_count
def test_hessian_times_a_direction_needs_no_hessian(degree, classes):
    design, batch, weights = case(degree=degree, classes=classes, is_weighted=True)
    direction = random_weights(design, seed=9)
    product = MeasureHessianProduct(design, 0, weights, direction).of(batch).along
    hessian = MeasureLogLikelihood(design, 0, weights, with_hessian=True).of(batch).hessian
    np.testing.assert_allclose(product.ravel(), hessian @ direction.ravel(), rtol=1e-10, atol=1e-10)


@every_degree
@every_class_count
def test_gradient_and_hessian_are_the_slopes_of_what_is_below_them(degree, classes):
    design, batch, weights = case(degree=degree, classes=classes, rows=70)
    here = MeasureLogLikelihood(design, 0, weights, with_hessian=True).of(batch)
    direction, small = random_weights(design, seed=4), 1e-5
    above, below = (MeasureLogLikelihood(design, 0, weights + step * direction).of(batch) for step in (small, -small))
    slope = (above.log_likelihood - below.log_likelihood) / (2 * small)
    assert slope == pytest.approx(float((here.gradient * direction).sum()), rel=1e-6)
    bend = -(above.gradient - below.gradient) / (2 * small)
    np.testing.assert_allclose(bend.ravel(), here.hessian @ direction.ravel(), rtol=1e-5, atol=1e-6)


@every_degree
def test_many_blocks_of_rows_give_the_hessian_of_one(monkeypatch, degree):
    design, batch, weights = case(degree=degree, rows=300, is_weighted=True)
    measure = MeasureLogLikelihood(design, 2, weights, with_hessian=True)
    whole = measure.of(batch).hessian
    monkeypatch.setattr(hessian_sums, "BLOCK_CELLS", 1)
    np.testing.assert_allclose(measure.of(batch).hessian, whole, rtol=1e-11, atol=1e-11)


@every_class_count
def test_many_terms_or_few_for_each_class_give_the_same_hessian(monkeypatch, classes):
    design, batch, weights = case(classes=classes, rows=150, is_weighted=True)
    _, _, expected = slow_log_likelihood(design, batch, 0, weights)
    for wide in (0, 10**6):
        monkeypatch.setattr(hessian_sums, "WIDE", wide)
        found = MeasureLogLikelihood(design, 0, weights, with_hessian=True).of(batch).hessian
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_slices_of_rows_give_the_climb_of_all(monkeypatch):
    design, batch, weights = case(rows=300, is_weighted=True)
    measure = MeasureLogLikelihood(design, 2, weights, with_hessian=True)
    whole = measure.of(batch)
    monkeypatch.setattr(log_likelihood, "AT_HAND", 77)
    found = measure.of(batch)
    assert found.log_likelihood == pytest.approx(whole.log_likelihood, rel=1e-12)
    np.testing.assert_allclose(found.gradient, whole.gradient, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(found.hessian, whole.hessian, rtol=1e-10, atol=1e-10)


def test_the_hessian_is_measured_only_where_it_is_asked_for():
    design, batch, weights = case()
    assert MeasureLogLikelihood(design, 0, weights).of(batch).hessian is None


@every_class_count
def test_the_reference_is_only_a_way_to_write_the_weights(classes):
    design, batch, weights = case(classes=classes)
    every = np.insert(weights, 0, 0.0, axis=0)
    expected = MeasureLogLikelihood(design, 0, weights).of(batch).log_likelihood
    for reference in range(classes):
        against = np.delete(every - every[reference], reference, axis=0)
        assert MeasureLogLikelihood(design, reference, against).of(batch).log_likelihood == pytest.approx(
            expected, rel=1e-12
        )


@every_kind
@every_degree
def test_scores_are_those_of_the_matrix_written_out_in_full(numeric, levels, degree):
    design, batch, weights = case(numeric, levels, degree)
    expected = slow_rows(design, batch) @ weights.T
    np.testing.assert_allclose(scores(design, batch, weights), expected, rtol=1e-11, atol=1e-11)


@every_class_count
def test_weights_as_large_as_can_be_do_not_overflow(classes):
    design, batch, weights = case(classes=classes)
    found = MeasureLogLikelihood(design, 0, 1e6 * weights, with_hessian=True).of(batch)
    expected, gradient, _ = slow_log_likelihood(design, batch, 0, 1e6 * weights)
    assert found.log_likelihood == pytest.approx(expected, rel=1e-9)
    assert np.isfinite(found.hessian).all()
    np.testing.assert_allclose(found.gradient, gradient, atol=1e-6)


def test_the_log_likelihood_of_very_many_rows_keeps_its_digits():
    """With two classes a product of odds stands for a sum of logarithms; it must not overflow."""
    schema = schema_of(1, ())
    design = random_design(schema, unused=0.0)
    batch = random_rows(schema, 20_000, gaps=0.0)
    weights = np.zeros((1, design.dimensions))
    found = MeasureLogLikelihood(design, 0, weights).of(batch)
    assert found.log_likelihood == pytest.approx(-20_000 * np.log(2.0), rel=1e-13)


def test_a_matrix_by_column_gives_the_same_climb():
    design, batch, weights = case(numeric=3)
    measure = MeasureLogLikelihood(design, 0, weights, with_hessian=True)
    by_column = measure.of(replace(batch, numeric=np.asfortranarray(batch.numeric)))
    np.testing.assert_allclose(by_column.hessian, measure.of(batch).hessian, rtol=1e-12, atol=1e-12)


def test_classes_may_count_for_more():
    design, batch, weights = case(is_weighted=True)
    factors = np.array([2.0, 0.5, 0.0])
    found = MeasureReweighed(MeasureLogLikelihood(design, 1, weights), factors).of(batch)
    weighted = replace(batch, weights=batch.weights * factors[batch.classes])
    expected = MeasureLogLikelihood(design, 1, weights).of(weighted)
    assert found.log_likelihood == pytest.approx(expected.log_likelihood, rel=1e-13)
    np.testing.assert_allclose(found.gradient, expected.gradient, rtol=1e-12)
