"""Every solver climbs to the same weights."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.logistic import learn as learning
from suffice.solve.logistic import newton as newton_module
from suffice.solve.logistic import newton_in_memory, samples
from suffice.solve.logistic.conjugate_gradient import conjugate_gradient, newton_cg
from suffice.solve.logistic.gradient_ascent import gradient_ascent, safe_step
from suffice.solve.logistic.learn import learn
from suffice.solve.logistic.line_search import line_search
from suffice.solve.logistic.newton import newton
from suffice.solve.logistic.objective import Objective
from suffice.solve.logistic.path import MOST_KEPT, Path
from suffice.solve.logistic.penalty import Penalty
from suffice.solve.logistic.setup import FIRST_PASS, first_design, with_occurring_pairs
from suffice.sources.keeping.in_memory import InMemory
from suffice.statistics.linear.log_likelihood import MeasureLogLikelihood
from suffice.statistics.row_sample import MeasureRowSample


def in_memory(batch):
    return InMemory.of(batch, 500).measure


def learned(batch, l2=1.0, **others):
    settings = sf.LogisticRegression(l2=l2, tol=1e-9)._settings(batch.schema)
    return learn(in_memory(batch), in_memory, settings, 0, **others)


def rows_of(classes=3, rows=400, seed=0, gaps=0.1, is_weighted=False):
    """Rows whose classes depend on every column, but not so that they could be told apart for certain."""
    random = np.random.default_rng(seed)
    schema = Schema(
        (Numeric("x0"), Numeric("x1"), Nominal("n0", ("a", "b", "c"))), Nominal("y", ("u", "v", "w", "z")[:classes])
    )
    x = random.normal(size=(rows, 2)) * [1.0, 3.0] + [0.0, 5.0]
    code = random.integers(0, 3, rows).astype(np.int32)
    score = x @ random.normal(size=(2, classes)) * 0.4 + random.normal(size=(3, classes))[code]
    own = (score + random.gumbel(size=score.shape)).argmax(axis=1).astype(np.int32)
    x[random.random(x.shape) < gaps] = np.nan
    code[random.random(rows) < gaps] = -1
    return Batch(schema, x, code[None, :], own, random.random(rows) if is_weighted else None)


def objective_of(batch, l2=1.0, degree=1, reference=0):
    measure = in_memory(batch)
    parts = measure(FIRST_PASS).parts["known"]
    design = first_design(parts, degree, has_reference=np.full(len(parts.schema.nominal), l2 == 0))
    design = with_occurring_pairs(design, measure)
    strength = np.full(design.dimensions, float(l2))
    strength[0] = 0.0
    return Objective(measure, design, reference, Penalty(strength, batch.schema.class_count))


SOLVERS = {
    "gradient ascent": lambda objective, start: gradient_ascent(objective, start, 3e-9, 100_000, None),
    "conjugate gradient": lambda objective, start: conjugate_gradient(objective, start, 1e-10, 10_000),
    "newton without a matrix": lambda objective, start: newton_cg(objective, start, 1e-10, 100),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(("l2", "degree"), [(3.0, 1), (0.0, 1), (8.0, 2)])
def test_every_solver_reaches_the_summit_of_newtons(solver, classes, l2, degree):
    objective = objective_of(rows_of(classes), l2, degree)
    start = np.zeros(objective.shape)
    summit = newton(objective, start, 1e-12, 100)
    found = SOLVERS[solver](objective, start)
    assert summit.is_converged
    assert found.is_converged
    assert found.evaluation.value == pytest.approx(summit.evaluation.value, rel=1e-12)
    np.testing.assert_allclose(found.evaluation.weights, summit.evaluation.weights, atol=2e-5)


@pytest.mark.parametrize("solver", ["newton", *SOLVERS])
def test_the_start_does_not_change_where_the_climb_ends(solver):
    objective = objective_of(rows_of(3), l2=8.0)
    climb = SOLVERS.get(solver, lambda objective, start: newton(objective, start, 1e-12, 100))
    far = np.random.default_rng(1).normal(0.0, 2.0, objective.shape)
    first, second = (climb(objective, start).evaluation.weights for start in (np.zeros(objective.shape), far))
    np.testing.assert_allclose(first, second, atol=2e-5)


@pytest.mark.parametrize("solver", ["newton", *SOLVERS])
def test_the_path_leads_uphill_from_the_start_to_the_summit(solver):
    objective = objective_of(rows_of(2))
    climb = SOLVERS.get(solver, lambda objective, start: newton(objective, start, 1e-10, 100))
    start = np.full(objective.shape, 0.1)
    found = climb(objective, start)
    np.testing.assert_array_equal(found.path.weights[0], start)
    np.testing.assert_array_equal(found.path.weights[-1], found.evaluation.weights)
    values = np.array(found.path.values)
    assert (np.diff(values) >= -1e-10 * np.abs(values[1:])).all()
    assert found.path.steps == len(values)


def test_at_the_summit_the_gradient_is_flat():
    objective = objective_of(rows_of(3))
    evaluation = newton(objective, np.zeros(objective.shape), 1e-12, 100).evaluation
    assert evaluation.steepness <= 1e-12
    assert evaluation.hessian is not None
    assert np.linalg.eigvalsh(evaluation.hessian).min() > 0


@pytest.mark.parametrize("solver", ["newton", *SOLVERS])
def test_too_few_steps_are_admitted_and_the_best_weights_kept(solver):
    objective = objective_of(rows_of(3))
    start = np.zeros(objective.shape)
    climb = {
        "newton": lambda: newton(objective, start, 1e-12, 1),
        "gradient ascent": lambda: gradient_ascent(objective, start, 1e-12, 1, None),
        "conjugate gradient": lambda: conjugate_gradient(objective, start, 1e-12, 1),
        "newton without a matrix": lambda: newton_cg(objective, start, 1e-12, 1),
    }[solver]()
    assert not climb.is_converged
    assert climb.evaluation.value > objective.at(start).value


def test_a_step_of_gradient_ascent_that_is_too_long_ends_the_climb_at_what_was_higher():
    objective = objective_of(rows_of(2))
    found = gradient_ascent(objective, np.zeros(objective.shape), 1e-9, 1000, step=10.0)
    assert not found.is_converged
    assert found.evaluation.value == pytest.approx(max(found.path.values), rel=1e-12)


@pytest.mark.parametrize("classes", [2, 4])
def test_the_safe_step_never_overshoots(classes):
    objective = objective_of(rows_of(classes), degree=2)
    random, step = np.random.default_rng(0), safe_step(objective)
    for _ in range(5):
        here = objective.at(random.normal(size=objective.shape))
        assert objective.at(here.weights + step * here.gradient).value >= here.value


def test_the_line_search_halves_a_step_until_it_leads_uphill():
    objective = objective_of(rows_of(2))
    here = objective.at(np.zeros(objective.shape))
    there = line_search(objective, here, 1e3 * here.gradient)
    assert there is not None
    assert there.value > here.value


def test_no_step_leads_uphill_in_a_direction_that_leads_down():
    objective = objective_of(rows_of(2))
    here = objective.at(np.zeros(objective.shape))
    assert line_search(objective, here, -here.gradient) is None


def test_the_objective_is_the_log_likelihood_less_the_penalty():
    objective = objective_of(rows_of(3), l2=2.0)
    weights = np.random.default_rng(0).normal(size=objective.shape)
    here = objective.at(weights, with_hessian=True)
    assert here.value == pytest.approx(here.log_likelihood - objective.penalty.value(weights), rel=1e-13)
    direction = np.random.default_rng(1).normal(size=objective.shape)
    above, below = (objective.at(weights + step * direction) for step in (1e-5, -1e-5))
    assert (above.value - below.value) / 2e-5 == pytest.approx(float((here.gradient * direction).sum()), rel=1e-6)
    np.testing.assert_allclose(
        objective.hessian_product(weights, direction).ravel(), here.hessian @ direction.ravel(), rtol=1e-9, atol=1e-9
    )


def test_a_very_long_path_keeps_every_second_step():
    objective = objective_of(rows_of(2, rows=20))
    evaluation, path = objective.at(np.zeros(objective.shape)), Path()
    for _ in range(2 * MOST_KEPT + 1):
        path.add(evaluation)
    assert path.steps == 2 * MOST_KEPT + 1
    assert len(path.values) == len(path.weights) == len(path.steepness) <= MOST_KEPT
    assert path.every in (2, 4)
    assert len(path.values) == -(-path.steps // path.every)


# The start from a sample ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("l2", [1.0, 0.0])
@pytest.mark.parametrize("is_weighted", [False, True])
def test_a_start_from_a_sample_leads_to_the_same_weights_and_covariance(monkeypatch, classes, l2, is_weighted):
    batch = rows_of(classes, rows=3000, is_weighted=is_weighted)
    whole = learned(batch, l2)
    monkeypatch.setattr(samples, "SIZES", (100, 500))
    sampled = learned(batch, l2)
    assert sampled.is_converged
    assert sampled.path.values[0] > whole.path.values[0] + 100.0  # it really began elsewhere
    np.testing.assert_allclose(sampled.weights, whole.weights, atol=1e-6)
    expected, of_sample = whole.covariance.matrix(), sampled.covariance.matrix()
    size = np.sqrt(np.outer(np.diagonal(expected), np.diagonal(expected)))
    np.testing.assert_allclose(of_sample / size, expected / size, rtol=0, atol=1e-4)
    np.testing.assert_allclose(np.diagonal(of_sample), np.diagonal(expected), rtol=1e-4)


@pytest.mark.parametrize("is_constant", [False, True])
def test_a_sample_is_found_by_all_columns_where_the_first_ones_tell_no_rows_apart(monkeypatch, is_constant):
    random = np.random.default_rng(0)
    x = random.normal(size=(3000, 40))
    if is_constant:
        x[:, :12] = 1.0
    y = (x[:, 20] + 0.3 * random.logistic(size=3000) > 0).astype(int)
    asked, of = [], MeasureRowSample.of
    monkeypatch.setattr(MeasureRowSample, "of", lambda self, batch: asked.append(self.most_columns) or of(self, batch))
    monkeypatch.setattr(samples, "SIZES", (100, 500))
    sampled = sf.LogisticRegression(l2=1.0).fit(x, y)
    assert set(asked) == ({2, None} if is_constant else {2})
    monkeypatch.setattr(samples, "SIZES", ())
    whole = sf.LogisticRegression(l2=1.0).fit(x, y)
    assert sampled.path_.objective[0] > whole.path_.objective[0] + 100.0  # it really began elsewhere
    np.testing.assert_allclose(sampled.coef_, whole.coef_, atol=1e-6)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tol", [1e-6, 1e-8])
def test_after_a_start_from_a_sample_the_hessian_of_all_rows_is_measured_once(monkeypatch, seed, tol):
    batch, measured = rows_of(2, rows=20_000, seed=seed), []
    settings = sf.LogisticRegression(tol=tol)._settings(batch.schema)

    def measure(measurement):
        measured.append(isinstance(measurement, MeasureLogLikelihood) and measurement.with_hessian)
        return InMemory.of(batch).measure(measurement)

    monkeypatch.setattr(samples, "SIZES", (500, 5_000))
    found = learn(measure, in_memory, settings, 0)
    assert found.is_converged
    assert sum(measured) == 1


def test_a_sample_without_some_class_does_not_lead_astray(monkeypatch):
    batch = rows_of(3, rows=3000)
    rare = np.flatnonzero(batch.classes == 2)[4:]
    batch.classes[rare] = 0
    whole = learned(batch)
    monkeypatch.setattr(samples, "SIZES", (20, 100))
    np.testing.assert_allclose(learned(batch).weights, whole.weights, atol=1e-6)


@pytest.mark.parametrize("classes", [2, 3])
def test_many_weights_are_climbed_without_a_matrix_to_the_same_summit(monkeypatch, classes):
    batch = rows_of(classes)
    whole = learned(batch)
    monkeypatch.setattr(learning, "MOST_SOLVED", 2)
    monkeypatch.setattr(learning, "MOST_DENSE", 2)
    monkeypatch.setattr(learning, "newton", None)
    found = learned(batch)
    np.testing.assert_allclose(found.weights, whole.weights, atol=1e-6)
    np.testing.assert_allclose(found.covariance.matrix(), whole.covariance.matrix(), rtol=1e-5, atol=1e-8)
    monkeypatch.setattr(learning, "MOST_INFERRED", 2)
    assert learned(batch).covariance is None


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("l2", [1.0, 0.0])
def test_of_many_weights_the_hessian_is_measured_seldom_and_leads_to_the_same_summit(monkeypatch, classes, l2):
    batch = rows_of(classes, rows=2000)
    monkeypatch.setattr(newton_in_memory, "MOST_ROWS", 0)
    whole, measured, of = learned(batch, l2), [], MeasureLogLikelihood.of
    monkeypatch.setattr(
        MeasureLogLikelihood, "of", lambda self, part: measured.append(self.with_hessian) or of(self, part)
    )
    every = learned(batch, l2)
    seldom = measured.copy()
    measured.clear()
    monkeypatch.setattr(newton_module, "MANY_WEIGHTS", 2)
    found = learned(batch, l2)
    assert found.is_converged
    assert sum(measured) < sum(seldom)
    np.testing.assert_allclose(found.weights, every.weights, atol=1e-6)
    np.testing.assert_allclose(
        np.diagonal(found.covariance.matrix()), np.diagonal(whole.covariance.matrix()), rtol=1e-4
    )


def test_many_classes_of_numbers_are_solved_with_a_matrix_and_many_of_levels_without(monkeypatch):
    random = np.random.default_rng(0)
    levels, y = random.choice(["a", "b", "c"], (400, 8)), random.integers(0, 60, 400)
    taken = []
    for name in ("newton", "newton_cg"):
        way = getattr(learning, name)
        monkeypatch.setattr(
            learning, name, lambda *given, way=way, name=name: taken.append(name) or way(*given[:3], 3, *given[4:])
        )
    monkeypatch.setattr(learning, "column_to_eliminate", lambda objective: None)
    numbers = sf.LogisticRegression(l2=1.0, inference=False)
    with pytest.warns(UserWarning, match="gradient"):
        numbers.fit(random.normal(size=(400, 20)), y)
    with pytest.warns(UserWarning, match="gradient"):
        sf.LogisticRegression(l2=1.0, inference=False).fit(pd.DataFrame(levels), y)
    assert taken == ["newton", "newton_cg"]


def test_without_inference_there_are_the_same_weights():
    batch = rows_of(3)
    whole = learned(batch)
    np.testing.assert_allclose(learned(batch, is_inferred=False).weights, whole.weights)
