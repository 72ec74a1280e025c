"""The learning curves of a report: of large tables, rows that are drawn by lot."""

from __future__ import annotations

import re

import pytest

import suffice as sf
from suffice.evaluation.page import learning
from suffice.evaluation.page.page import _rows, page


def test_of_a_large_table_some_rows_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning, "MOST_ROWS", 100)
    comparison = sf.compare(sf.datasets.load("iris"), "species", models=["lda", "logistic"], folds=3)
    found = learning.learning(comparison, _rows(comparison))
    assert found is not None
    assert "Judged on 30 rows held out" in found.says
    assert found.says.startswith("lda learns how each class looks")


def test_the_panel_begins_with_the_best_model() -> None:
    comparison = sf.compare(sf.datasets.load("iris"), "species", models=["perceptron", "lda"], folds=3)
    assert re.search(r'"best": ?"lda"', page(comparison, "iris"))


@pytest.mark.parametrize(
    "reading",
    [{"drop": ["sepal_length"]}, {"nominal": ["petal_width"]}, {"missing_values": [5.1]}, {"keep": ["species"]}],
)
def test_settings_of_how_the_table_is_read_do_not_stand_in_the_way(reading: dict[str, list[object]]) -> None:
    comparison = sf.compare(sf.datasets.load("iris"), "species", models=["lda", "logistic"], folds=3, **reading)
    assert learning.learning(comparison, _rows(comparison)) is not None
