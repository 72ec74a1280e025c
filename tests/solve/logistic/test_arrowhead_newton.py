import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.solve.logistic import learn, samples
from suffice.solve.logistic.arrowhead import ArrowheadObjective, column_to_eliminate, newton_by_levels
from suffice.solve.logistic.newton import newton
from suffice.solve.logistic.objective import Objective
from suffice.solve.logistic.penalty import Penalty
from suffice.solve.logistic.setup import FIRST_PASS, first_design
from suffice.sources import read_table
from suffice.sources.keeping.in_memory import InMemory


def flights(rows=3_000, planes=400, classes=2, seed=0):
    """A column of many levels, some of one row only; a small one; numbers, one of which nearly tells the class."""
    random = np.random.default_rng(seed)
    plane = (planes * random.random(rows) ** 2).astype(int)
    carrier, delay, distance = random.integers(0, 5, rows), random.normal(0, 30, rows), random.gamma(3, 350, rows)
    score = delay + 4 * random.standard_normal(planes)[plane] + carrier + random.normal(0, 5, rows)
    late = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    frame = pd.DataFrame({"plane": plane, "carrier": carrier, "delay": delay, "distance": distance})
    frame.loc[::17, "distance"] = np.nan
    frame.loc[::23, "plane"] = -1
    frame["plane"] = frame["plane"].map(lambda number: None if number < 0 else f"N{number}")
    return frame.assign(carrier=frame["carrier"].map("c{}".format), late=late)


def objective_of(frame, reference=0, strength=1.0):
    table = read_table(frame, "late")
    batch = next(iter(table.batches()))
    design = first_design(InMemory.of(batch).measure(FIRST_PASS).parts["known"], 1)
    penalty = Penalty(np.where(np.arange(design.dimensions) > 0, strength, 0.0), batch.schema.class_count)
    return Objective(InMemory.of(batch).measure, design, reference, penalty)


@pytest.mark.parametrize("classes", [2, 3, 4])
def test_the_step_is_that_of_the_whole_hessian(classes):
    objective = objective_of(flights(500, 40, classes), reference=classes - 1)
    here = objective.at(0.1 * np.random.default_rng(1).standard_normal(objective.shape), with_hessian=True)
    expected = np.linalg.solve(here.hessian, here.gradient.ravel()).reshape(here.weights.shape)
    found = ArrowheadObjective.of(objective, column_to_eliminate(objective)).newton_step(here)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_climb_ends_where_that_with_the_whole_hessian_does(classes):
    objective = objective_of(flights(2_000, 150, classes))
    start = np.zeros(objective.shape)
    expected = newton(objective, start, 1e-10, 50).evaluation.weights
    found = newton_by_levels(ArrowheadObjective.of(objective, column_to_eliminate(objective)), start, 1e-10, 50)
    assert found.is_converged
    np.testing.assert_allclose(found.evaluation.weights, expected, rtol=1e-6, atol=1e-7)


def test_the_column_of_most_levels_is_eliminated_where_a_penalty_holds_its_weights():
    frame = flights(500, 40)
    objective = objective_of(frame)
    assert objective.design.schema.nominal[column_to_eliminate(objective).column].name == "plane"
    assert column_to_eliminate(objective_of(frame, strength=0.0)) is None
    assert column_to_eliminate(objective_of(frame[["delay", "late"]])) is None


@pytest.mark.parametrize("classes", [2, 3])
def test_levels_that_no_sample_has_still_end_at_the_summit(monkeypatch, classes):
    """With more than 500 weights and a start from samples, as for a table of many rows."""
    frame = flights(classes=classes)
    small = sf.LogisticRegression(tol=1e-10, inference=False).fit(frame, "late")
    assert small.model_.weights.shape[1] < learn.MOST_SOLVED
    monkeypatch.setattr(learn, "MOST_SOLVED", 100)
    monkeypatch.setattr(samples, "SIZES", (50, 500))
    monkeypatch.setattr(learn, "newton", None)  # no step comes from a whole matrix
    monkeypatch.setattr(learn, "newton_cg", None)
    many = sf.LogisticRegression(tol=1e-10, inference=False).fit(frame, "late")
    np.testing.assert_allclose(many.model_.weights, small.model_.weights, rtol=1e-6, atol=1e-7)
