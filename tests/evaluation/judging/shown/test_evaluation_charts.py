"""The best model as the report shows it: by the weights of the rows, as the leaderboard judges it."""

from __future__ import annotations

import numpy as np
import pandas as pd

import suffice as sf
from suffice.evaluation.judging.shown.evaluation_charts import evaluation_charts

IRIS = sf.datasets.load("iris")


def test_the_report_counts_rows_by_their_weights() -> None:
    weights = np.random.default_rng(0).choice([0.5, 1.0, 3.0], len(IRIS))
    result = sf.cross_validate(sf.LDA(), IRIS, "species", sample_weight=weights, folds=3)
    shown = evaluation_charts(result.evaluation(), target="species")
    expected = result.evaluation().confusion
    assert shown.confusion is not None
    found = [[float(text.replace(",", "")) for text, _, _ in cells] for _, cells, _ in shown.confusion.rows]
    np.testing.assert_allclose(found, expected, atol=0.05)


def test_rows_without_weights_are_counted_one_by_one() -> None:
    result = sf.cross_validate(sf.LDA(), IRIS, "species", folds=3)
    shown = evaluation_charts(result.evaluation(), target="species").confusion
    assert shown is not None
    assert sum(int(text) for _, cells, _ in shown.rows for text, _, _ in cells) == 150


def test_a_point_of_the_calibration_stands_for_ten_rows_or_more() -> None:
    result = sf.cross_validate(sf.LDA(), IRIS, "species").evaluation()
    assert result.calibration("virginica").weight.min() < 10
    for label in result.classes:
        assert result.calibration(label, least_rows=10).weight.min() >= 10
        assert result.calibration(label, least_rows=10).weight.sum() == len(IRIS)


def test_only_what_is_right_of_the_others_taken_for_others_counts_as_right() -> None:
    random = np.random.default_rng(0)
    classes = np.arange(600) % 30
    table = pd.DataFrame({"x": classes + random.normal(0, 2, 600), "y": [f"class {k}" for k in classes]})
    result = sf.evaluate(sf.LDA().fit(table, "y"), table)
    shown = evaluation_charts(result, "y").confusion
    assert shown is not None
    label, cells, recall = shown.rows[-1]
    assert label == "19 others"
    _, share, right = cells[-1]
    assert 0 < right < share
    assert recall == f"{100 * right:.0f} %"
    assert [right for _, _, right in cells[:-1]] == [0.0] * (len(cells) - 1)
