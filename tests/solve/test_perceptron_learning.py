from dataclasses import replace

import numpy as np
import pytest

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve import perceptron
from suffice.solve.logistic.setup import FIRST_PASS, first_design
from suffice.solve.perceptron import pocket
from suffice.sources.keeping.in_memory import InMemory
from suffice.statistics.linear.design_rows import design_rows
from suffice.statistics.linear.log_likelihood import scores


def rows_of(classes=2, rows=80, gap=1.0, weights=None, seed=0):
    random = np.random.default_rng(seed)
    schema = Schema(
        (Numeric("x0"), Numeric("x1"), Nominal("n0", ("a", "b", "c"))), Nominal("y", ("u", "v", "w")[:classes])
    )
    y = (np.arange(rows) % classes).astype(np.int32)
    angle = 2 * np.pi * y / classes + random.uniform(-0.9, 0.9, rows)
    x = np.column_stack([np.cos(angle), np.sin(angle)]) * (1.0 + gap)
    x[random.random(rows) < 0.05, 1] = np.nan
    codes = random.integers(-1, 3, (1, rows)).astype(np.int32)
    return Batch(schema, x, codes, y, weights)


def design_of(batch):
    parts = InMemory.of(batch).measure(FIRST_PASS).parts["known"]
    return first_design(parts, 1)


def slow_epochs(design, batch, epochs, seed):
    """The rule of the lecture on rows written out in full; the weights after every epoch."""
    x, y, random = design_rows(design, batch).toarray(), batch.classes, np.random.default_rng(seed)
    theta, found = np.zeros((batch.schema.class_count, design.dimensions)), []
    for _ in range(epochs):
        for i in random.permutation(batch.rows):
            taken_for = int((theta @ x[i]).argmax())
            if taken_for != y[i]:
                theta[y[i]] += batch.row_weights()[i] * x[i]
                theta[taken_for] -= batch.row_weights()[i] * x[i]
        found.append(theta.copy())
        if ((x @ theta.T).argmax(axis=1) == y).all():
            break
    return found


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("seed", [0, 7])
def test_the_weights_are_those_of_the_rule_row_by_row(classes, is_weighted, seed):
    weights = np.random.default_rng(1).uniform(0.5, 2.0, 80) if is_weighted else None
    batch = rows_of(classes, weights=weights)
    design = design_of(batch)
    found = pocket(design, batch, 50, seed)
    expected = slow_epochs(design, batch, 50, seed)
    assert found.mistakes == 0
    assert found.epochs == len(expected)
    np.testing.assert_allclose(found.weights, expected[-1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_best_weights_of_all_epochs_are_kept(classes):
    batch = rows_of(classes)
    batch.classes[:9] = (batch.classes[:9] + 1) % classes
    design = design_of(batch)
    found = pocket(design, batch, 30, 0)
    x = design_rows(design, batch).toarray()
    mistakes = [
        int(((x @ theta.T).argmax(axis=1) != batch.classes).sum()) for theta in slow_epochs(design, batch, 30, 0)
    ]
    assert found.epochs == 30
    assert found.mistakes == min(mistakes) > 0
    assert int((scores(design, batch, found.weights).argmax(axis=1) != batch.classes).sum()) == found.mistakes


def test_another_seed_goes_through_the_rows_in_another_order():
    batch = rows_of(3)
    design = design_of(batch)
    assert not np.array_equal(pocket(design, batch, 50, 0).weights, pocket(design, batch, 50, 1).weights)
    np.testing.assert_array_equal(pocket(design, batch, 50, 0).weights, pocket(design, batch, 50, 0).weights)


def test_patience_ends_where_very_many_visits_bring_nothing_better(monkeypatch):
    """Classes that no hyperplane separates: θ wanders for ever, and the best one is soon found."""
    batch = rows_of(rows=90)
    batch = replace(batch, classes=np.random.default_rng(3).integers(0, 2, 90).astype(np.int32))
    design = design_of(batch)
    assert pocket(design, batch, 1_000, 0, patience=10).epochs == 1_000  # few rows: as long as it may
    monkeypatch.setattr(perceptron, "MANY_VISITS", 90 * 30)
    ended = pocket(design, batch, 1_000, 0, patience=10)
    assert 30 <= ended.epochs < 1_000
    as_long = pocket(design, batch, ended.epochs, 0)
    earlier = pocket(design, batch, ended.epochs - 10, 0)
    assert ended.mistakes == as_long.mistakes == earlier.mistakes
    np.testing.assert_array_equal(ended.weights, as_long.weights)
