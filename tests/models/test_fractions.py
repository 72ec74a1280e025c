from __future__ import annotations

import tracemalloc

import numpy as np

from suffice.models.fractions import Fractions


def test_levels_are_drawn_as_often_as_they_were_counted() -> None:
    counts = np.array([[1.0, 0.0, 0.0], [3.0, 5.0, 0.0]])
    drawn = Fractions(counts, counts.sum(axis=0)).draw(np.repeat([0, 1, 2], 1000), np.random.default_rng(0))
    first, second, third = drawn.reshape(3, 1000)
    assert abs(np.mean(first == 1) - 0.75) < 0.05
    assert set(second) == {1}
    assert set(third) == {-1}


def test_many_levels_are_drawn_without_a_cell_for_every_row_and_level() -> None:
    fractions = Fractions(np.ones((1000, 2)), np.full(2, 1000.0))
    classes = np.arange(10_000) % 2
    tracemalloc.start()
    drawn = fractions.draw(classes, np.random.default_rng(0))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(set(drawn)) > 990
    assert most < 2_000_000
