import numpy as np
import pytest
from slow_design import random_design, random_rows, random_weights, schema_of, slow_log_likelihood

from suffice.statistics.linear.arrowhead import EliminatedColumn, MeasureArrowhead
from suffice.statistics.linear.log_likelihood import MeasureLogLikelihood


def case(numeric, levels, classes, is_weighted=False, unused=0.2):
    schema = schema_of(numeric, levels, classes)
    design = random_design(schema, 1, unused=unused, seed=3)
    return design, random_rows(schema, 200, is_weighted=is_weighted, seed=3), random_weights(design, 3)


@pytest.mark.parametrize(
    ("numeric", "levels", "column"), [(2, (3, 6, 2), 1), (3, (5,), 0), (0, (4, 3), 0), (1, (2, 5), 1)]
)
@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_the_arrow_is_the_hessian_written_out_in_full(numeric, levels, column, classes, is_weighted):
    design, batch, weights = case(numeric, levels, classes, is_weighted)
    eliminated, count = EliminatedColumn(design, column), classes - 1
    arrowhead = MeasureArrowhead(eliminated, 1, weights).of(batch)
    log_likelihood, gradient, expected = slow_log_likelihood(design, batch, 1, weights)
    assert arrowhead.likelihood.log_likelihood == pytest.approx(log_likelihood, rel=1e-10)
    np.testing.assert_allclose(arrowhead.likelihood.gradient, gradient, rtol=1e-9, atol=1e-9)
    full = expected.reshape(count, design.dimensions, count, design.dimensions)
    own = np.arange(design.dimensions)[eliminated.levels]
    others = np.delete(np.arange(design.dimensions), own)
    rest = full[np.ix_(range(count), others, range(count), others)]
    np.testing.assert_allclose(arrowhead.rest, rest.reshape(arrowhead.rest.shape), rtol=1e-9, atol=1e-9)
    for place, level in enumerate(own):
        np.testing.assert_allclose(arrowhead.levels[place], full[:, level, :, level], rtol=1e-9, atol=1e-9)
        border = full[:, level][:, :, others].reshape(count, -1)
        np.testing.assert_allclose(arrowhead.border[place], border, rtol=1e-9, atol=1e-9)


def test_slices_of_rows_merge_to_the_arrow_of_all():
    design, batch, weights = case(2, (3, 6), 3, is_weighted=True)
    measure = MeasureArrowhead(EliminatedColumn(design, 1), 0, weights)
    whole = measure.of(batch)
    merged = measure.of(batch.take(slice(0, 70))).merge(measure.of(batch.take(slice(70, 200))))
    for name in ("rest", "border", "levels"):
        np.testing.assert_allclose(getattr(merged, name), getattr(whole, name), rtol=1e-10, atol=1e-10)
    assert merged.likelihood.weight == pytest.approx(MeasureLogLikelihood(design, 0, weights).of(batch).weight)


def test_weights_are_parted_and_joined():
    design, _, weights = case(2, (3, 6, 2), 3)
    eliminated = EliminatedColumn(design, 1)
    np.testing.assert_array_equal(eliminated.joined(*eliminated.parted(weights)), weights)
