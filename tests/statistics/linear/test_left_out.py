"""The log loss of rows under weights that were found without them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.sources import gathered, read_table
from suffice.statistics.linear.left_out import MeasureLeftOut


def rows_of(classes: int, rows: int = 60) -> pd.DataFrame:
    random = np.random.default_rng(classes)
    y = random.integers(0, classes, rows)
    level = random.choice(["a", "b", "c"], rows).astype(object)
    level[::9] = None
    table = pd.DataFrame({"x": random.normal(size=rows) + y, "z": random.normal(size=rows), "level": level})
    table.loc[::7, "z"] = np.nan
    return table.assign(y=np.array(list("pqrs"))[y])


def measured(table: pd.DataFrame, l2: float) -> tuple[float, MeasureLeftOut]:
    model = sf.LogisticRegression(l2=l2).fit(table, "y").model_
    unit = np.ones(len(model.class_weight))
    measure = MeasureLeftOut(model.design, model.reference, model.weights, model.covariance, unit)
    return read_table(table, "y").measure(measure).loss, measure


@pytest.mark.parametrize("l2", [0.3, 1.0, 10.0])
@pytest.mark.parametrize("classes", [2, 3, 4])
def test_one_newton_step_is_nearly_a_climb_without_the_row(classes: int, l2: float) -> None:
    table, exact = rows_of(classes), 0.0
    batch, estimator = gathered(read_table(table, "y")), sf.LogisticRegression(l2=l2)
    for row in range(batch.rows):
        model = estimator._fold_model(batch.take(np.delete(np.arange(batch.rows), row)))
        exact -= np.log(model.posterior(batch.take(np.s_[row : row + 1]))[0, batch.class_codes()[row]])
    assert measured(table, l2)[0] == pytest.approx(exact, rel=0.03)


def test_parts_add_up_to_the_whole_and_a_weight_counts_as_copies() -> None:
    table = rows_of(3)
    whole, measure = measured(table, 1.0)
    batch = next(iter(read_table(table, "y").map(lambda batch: batch)))
    parts = measure.of(batch.take(np.s_[:20])).merge(measure.of(batch.take(np.s_[20:])))
    assert parts.loss == pytest.approx(whole, rel=1e-12)
    twice = pd.concat([table, table])
    assert read_table(twice, "y").measure(measure).loss == pytest.approx(2 * whole, rel=1e-12)


def test_of_a_row_with_a_weight_one_of_its_copies_is_left_out_or_all_that_is_no_copy() -> None:
    table = rows_of(3)
    _, measure = measured(table, 1.0)
    row = next(iter(read_table(table, "y").map(lambda batch: batch))).take(np.s_[7:8])

    def loss(weight: float, unit: float = 1.0) -> float:
        counting = replace(measure, unit=np.full(3, unit))
        return counting.of(replace(row, weights=np.array([weight]))).loss / weight

    assert loss(3.0) == loss(2.0) == pytest.approx(loss(1.0), rel=1e-12)
    assert loss(0.5) < loss(1.0) < loss(2.5)  # the more is left out, the greater is the surprise
    assert loss(5.0, 2.5) == loss(2.5)
