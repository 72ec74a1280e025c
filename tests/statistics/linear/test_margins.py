import numpy as np
import pytest
from slow_design import random_design, random_rows, random_weights, schema_of, slow_rows

from suffice.statistics.linear.margins import MeasureMargins


def slow_margins(design, batch, reference, weights):
    every = np.insert(slow_rows(design, batch) @ weights.T, reference, 0.0, axis=1)
    margins = []
    for scores, own in zip(every, batch.classes, strict=True):
        margins.append(scores[own] - max(np.delete(scores, own)))
    return np.array(margins)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("most", [5, 1000])
def test_the_rows_with_the_smallest_margins_are_kept(classes, most):
    schema = schema_of(classes=classes)
    design, batch = random_design(schema), random_rows(schema, 90)
    weights = random_weights(design)
    found = MeasureMargins(design, 1, weights, most).of(batch)
    expected = slow_margins(design, batch, 1, weights)
    assert found.smallest == pytest.approx(expected.min(), rel=1e-11)
    np.testing.assert_allclose(found.margins, np.sort(expected)[:most], rtol=1e-11, atol=1e-12)
    assert found.rows.rows == min(most, 90)
    np.testing.assert_allclose(slow_margins(design, found.rows, 1, weights), found.margins, rtol=1e-11, atol=1e-12)


def test_no_rows_have_no_smallest_margin():
    design = random_design(schema_of())
    found = MeasureMargins(design, 0, random_weights(design), 5).of(random_rows(schema_of(), 0))
    assert found.smallest == np.inf
    assert found.rows.rows == 0
