from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from slow_design import random_rows, random_weights, schema_of, slow_log_likelihood

from suffice.schema import Batch
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.log_likelihood import MeasureLogLikelihood
from suffice.statistics.linear.plain_rows import is_plain


def plain_design(classes: int = 2) -> Design:
    schema = schema_of(3, (), classes)
    mean = np.array([3.0, -1.0, 0.5])
    return Design(schema, mean, mean, np.array([2.0, 0.5, 1.0]), np.zeros(3, bool), 1, np.ones(4, bool))


def plain_batch(design: Design, is_weighted: bool = False) -> Batch:
    return random_rows(design.schema, 150, gaps=0.0, is_weighted=is_weighted)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 4])
def test_rows_weighed_where_they_stand_give_the_same_climb(classes: int, is_weighted: bool) -> None:
    design = plain_design(classes)
    batch, weights = plain_batch(design, is_weighted), random_weights(design)
    assert is_plain(design)
    found = MeasureLogLikelihood(design, 1, weights).of(batch)
    log_likelihood, gradient, _ = slow_log_likelihood(design, batch, 1, weights)
    assert found.log_likelihood == pytest.approx(log_likelihood, rel=1e-12)
    np.testing.assert_allclose(found.gradient, gradient, rtol=1e-10, atol=1e-10)


def test_a_missing_number_that_nobody_expected_is_put_at_the_mean() -> None:
    design = plain_design()
    batch, weights = plain_batch(design), random_weights(design)
    batch.numeric[7, 1] = np.nan
    found = MeasureLogLikelihood(design, 0, weights).of(batch)
    assert found.log_likelihood == pytest.approx(slow_log_likelihood(design, batch, 0, weights)[0], rel=1e-12)


@pytest.mark.parametrize(
    "changes",
    [
        {"scale": np.array([2.0, 0.0, 1.0])},
        {"centre": np.array([1e6, 0.0, 0.0])},
        {"has_missing": np.array([True, False, False])},
        {"is_used": np.array([True, True, False, True])},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_other_rows_are_not_plain(changes: dict[str, np.ndarray]) -> None:
    assert not is_plain(replace(plain_design(), **changes))
