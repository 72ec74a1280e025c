"""Rows that are elsewhere are judged as those in memory, and only what was counted of them travels."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import SufficeWarning, TableError
from suffice.evaluation import Evaluation
from suffice.evaluation.judging import judged_elsewhere, score_tally
from suffice.evaluation.judging.judged_elsewhere import JudgedElsewhere
from suffice.schema import Chunk
from suffice.sources import open_reader

IRIS, TUMOURS = sf.datasets.load("iris"), sf.datasets.load("breast_cancer")


class Parts:
    """An engine of a table in parts, that merges from the last to the first."""

    frame_kind = "pyarrow"

    def __init__(self, table: pa.Table, rows: int = 40) -> None:
        self._chunks = list(open_reader(table).chunks(rows)) if table.num_rows else []
        self.names = tuple(table.column_names)

    def map(self, work: Callable[[Chunk], Any]) -> Iterator[Any]:
        raise AssertionError("something was asked of every row")

    def reduce(self, work: Callable[[Chunk], Any]) -> Any:
        found = [part for part in map(work, reversed(self._chunks)) if part is not None]
        return reduce(lambda one, other: one.merge(other), found) if found else None


def weighed(table: pa.Table) -> pa.Table:
    return table.append_column("weight", pa.array(np.tile([1.0, 2.0, 0.5], table.num_rows)[: table.num_rows]))


@pytest.mark.parametrize(
    ("model", "table", "asked"),
    [
        (sf.LDA(), TUMOURS, {"costs": {"false negative": 5}}),
        (sf.NaiveBayes(), TUMOURS, {"threshold": 0.2, "positive": "benign"}),
        (sf.NaiveBayes(), weighed(TUMOURS), {"sample_weight": "weight", "costs": {"false positive": 3}}),
        (sf.cart(), IRIS, {}),
        (sf.LDA(), weighed(IRIS), {"sample_weight": "weight", "costs": {("setosa", "virginica"): 4}}),
        (sf.Perceptron(), TUMOURS, {"costs": {"false negative": 2}}),
    ],
)
def test_every_number_and_curve_is_that_of_the_rows_in_memory(model: Any, table: pa.Table, asked: Any) -> None:
    target = "diagnosis" if "diagnosis" in table.column_names else "species"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.set_params(drop=["weight"] if "weight" in table.column_names else None).fit(table[::2], target)
    here, there = (sf.evaluate(model, rows, target, **asked) for rows in (table[1::2], Parts(table[1::2])))
    require_same(there.to_dict(), here.to_dict())
    assert str(there) == str(here)
    assert there.area_within == 0.0
    with pytest.raises(TableError, match="only what was counted of them came here"):
        there.scores  # noqa: B018


def require_same(there: Any, here: Any) -> None:
    if isinstance(here, dict):
        assert there.keys() == here.keys()
        for name, value in here.items():
            require_same(there[name], value)
    elif isinstance(here, list):
        assert len(there) == len(here)
        for mine, value in zip(there, here, strict=True):
            require_same(mine, value)
    elif isinstance(here, float):
        assert there == pytest.approx(here, rel=1e-10, abs=1e-13, nan_ok=True)
    else:
        assert there == here


def test_too_many_different_scores_are_counted_in_cells_and_it_says_how_exact_that_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted = JudgedElsewhere.of
    monkeypatch.setattr(judged_elsewhere.JudgedElsewhere, "of", lambda *given: counted(*given, most=32))
    model = sf.LDA().fit(TUMOURS, "diagnosis")
    here, there = (sf.evaluate(model, rows, "diagnosis") for rows in (TUMOURS, Parts(TUMOURS)))
    exact = {"accuracy", "balanced_accuracy", "mean_precision", "mean_f1", "log_loss", "brier"}
    for name in exact:
        assert there.value(name) == pytest.approx(here.value(name), rel=1e-10)
    assert 0 < abs(there.value("auc") - here.value("auc")) <= there.area_within < 0.01
    assert "areas are exact to 0.0" in str(there)
    np.testing.assert_allclose(there.calibration().observed, here.calibration().observed, rtol=1e-12)
    assert score_tally.MOST_CELLS > 10_000


def test_rows_without_a_class_and_levels_never_seen_are_counted_there_too() -> None:
    model, place = sf.LDA().fit(IRIS, "species"), IRIS.column_names.index("species")
    two_without = [None, None, *IRIS["species"].to_pylist()[2:]]
    with pytest.warns(SufficeWarning, match="2 of 150 rows have no class"):
        assert sf.evaluate(model, Parts(IRIS.set_column(place, "species", [two_without])), "species").rows == 148
    with pytest.raises(TableError, match="None of the 150 rows has a class"):
        sf.evaluate(model, Parts(IRIS.set_column(place, "species", pa.nulls(150, pa.string()))), "species")
    with pytest.raises(TableError, match="no rows"):
        sf.evaluate(model, Parts(IRIS[:0]), "species")
    tennis = sf.datasets.load("play_tennis")
    play = sf.NaiveBayes().fit(tennis, "PlayTennis")
    place = tennis.column_names.index("Wind")
    windy = tennis.set_column(place, "Wind", pa.array(["Storm", *tennis["Wind"].to_pylist()[1:]]))
    with pytest.warns(SufficeWarning, match=r"never seen in training were read as missing: 'Wind' \(1 row\)"):
        sf.evaluate(play, Parts(windy, rows=5), "PlayTennis")


def test_it_is_an_evaluation_like_any_other(tmp_path: Any) -> None:
    result = sf.evaluate(sf.LDA().fit(IRIS, "species"), Parts(IRIS), "species")
    assert isinstance(result, Evaluation)
    result.report(tmp_path / "report.html")
    assert "setosa" in (tmp_path / "report.html").read_text()
    assert result.table.num_rows == 8 + 3 * 6
