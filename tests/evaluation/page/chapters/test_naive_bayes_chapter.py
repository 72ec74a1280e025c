"""Naive Bayes in the report: a number that is cut into intervals is a table, not a curve."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import suffice as sf
from suffice.evaluation.page.chapters.naive_bayes import naive_bayes_chapter
from suffice.sources import gathered, read_table


def test_intervals_are_a_table_and_gaussians_are_curves() -> None:
    chance = np.random.default_rng(0)
    classes = np.array(["p", "q"] * 200)
    skewed = chance.exponential(1, 400) * np.where(classes == "p", 1, 6)
    table = pa.table({"skewed": skewed, "bell": chance.normal(0, 1, 400) + (classes == "p"), "y": classes})
    model = sf.NaiveBayes().fit(table, "y")
    binned = {name for part in model.model_.likelihoods if type(part).__name__ == "Binned" for name in part.columns}
    assert binned == {"skewed"}
    _, _, body = naive_bayes_chapter(model.model_, gathered(read_table(table, "y")), ["skewed", "bell"])
    assert [conditional.column for conditional in body.tables] == ["skewed"]
    assert [curve.column for curve in body.curves] == ["bell"]
    shares = np.array([[share for _, _, share in cells] for _, cells in body.tables[0].rows])
    np.testing.assert_allclose(shares.sum(axis=0), 1.0)
    assert body.tables[0].rows[0][0].startswith(("≤", "<="))
