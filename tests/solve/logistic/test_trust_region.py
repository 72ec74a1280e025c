"""Newton's step is cut off where the Hessian is not to be trusted so far, and there alone."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.logistic.newton import newton
from suffice.solve.logistic.objective import Objective
from suffice.solve.logistic.penalty import Penalty
from suffice.solve.logistic.setup import FIRST_PASS, first_design
from suffice.solve.logistic.trust_region import LEAST, TrustRegion
from suffice.solve.symmetric import SymmetricInverse
from suffice.sources.keeping.in_memory import InMemory


def objective_of(l2=0.0, classes=3, rows=2_000, seed=0, unit=1.0):
    """Rows of two numbers and a column of levels, one of them rare, under a penalty."""
    random = np.random.default_rng(seed)
    schema = Schema(
        (Numeric("x0"), Numeric("x1"), Nominal("n", ("a", "b", "rare"))), Nominal("y", tuple("uvw"[:classes]))
    )
    x = random.normal(size=(rows, 2))
    code = random.choice(3, rows, p=[0.6, 0.39, 0.01]).astype(np.int32)
    own = (x @ random.normal(size=(2, classes)) + random.gumbel(size=(rows, classes))).argmax(axis=1).astype(np.int32)
    batch = Batch(schema, x * [unit, 1.0], code[None, :], own)
    measure = InMemory.of(batch).measure
    design = first_design(measure(FIRST_PASS).parts["known"], 1, has_reference=np.array([True]))
    strength = np.full(design.dimensions, float(l2))
    strength[0] = 0.0
    return Objective(measure, design, 0, Penalty(strength, classes))


def newton_step(here):
    return SymmetricInverse.of(here.hessian).times(here.gradient.ravel()).reshape(here.gradient.shape)


def saturated(objective):
    """Weights by which no rare row is of any class but the first, which some are."""
    start = newton(objective, np.zeros(objective.shape), 1e-10, 100).evaluation.weights.copy()
    start[:, -1] -= 25.0
    return start


def test_a_step_that_keeps_its_promise_is_taken_whole():
    objective = objective_of()
    here = objective.at(np.zeros(objective.shape), with_hessian=True)
    region, step = TrustRegion(objective), newton_step(here)
    there = region.search(here, step, with_hessian=True)
    np.testing.assert_array_equal(there.weights, here.weights + step)
    assert there.hessian is not None
    assert region.radius == inf


def test_only_the_direction_that_is_saturated_is_cut_off():
    objective = objective_of()
    best = newton(objective, np.zeros(objective.shape), 1e-10, 100).evaluation
    start = saturated(objective)
    start[0, 1] += 0.5  # which one Newton step mends
    here, region = objective.at(start, with_hessian=True), TrustRegion(objective)
    step = newton_step(here)
    assert np.abs(step).max() > 1e3
    there = region.search(here, step, with_hessian=False)
    assert LEAST < region.radius < inf
    assert there.value > here.value
    assert np.abs(there.weights - here.weights).max() < 10 * region.radius
    assert abs(there.weights[0, 1] - best.weights[0, 1]) < 0.1


@pytest.mark.parametrize("l2", [0.0, 0.1])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("unit", [1.0, 1e6])
def test_from_saturated_weights_the_maximum_is_a_few_steps_away(l2, classes, unit):
    objective = objective_of(l2, classes, unit=unit)
    best = newton(objective, np.zeros(objective.shape), 1e-10, 100)
    start = saturated(objective)
    start[:, 0] += 1.0
    start[:, 1] -= 1.0
    found = newton(objective, start, 1e-10, 100)
    assert found.is_converged
    assert found.path.steps <= 12
    np.testing.assert_allclose(found.evaluation.weights, best.evaluation.weights, atol=1e-6)
