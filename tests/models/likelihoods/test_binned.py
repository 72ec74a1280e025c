"""Binned likelihoods: explained, drawn, saved, updated, merged and forgotten as any other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

import suffice as sf
from suffice.models.likelihoods.binned import Binned


def hills(rows: int = 500, seed: int = 0) -> pd.DataFrame:
    """A number with two hills in one class and one in the other; some are missing, some huge."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, rows)
    x = np.where(y == 1, random.choice([-40.0, 40.0], rows), 0.0) + 10 * random.normal(size=rows)
    x[random.random(rows) < 0.1] = np.nan
    tail = np.exp(3 * random.normal(size=rows) * (1 + y))
    return pd.DataFrame({"x": x, "tail": tail, "flag": random.integers(0, 2, rows) * y, "y": y.astype(str)})


def test_the_factors_add_up_to_the_log_joint() -> None:
    table = hills()
    model = sf.NaiveBayes().fit(table, "y")
    assert any(isinstance(part, Binned) for part in model.model_.likelihoods)
    scores = model.predict_log_joint(table.drop(columns="y"))
    for row in range(40):
        derived = model.explain(table.drop(columns="y").iloc[row : row + 1])
        np.testing.assert_allclose(np.sum([factor.log for factor in derived.factors], axis=0), scores[row], rtol=1e-12)


def test_updated_and_merged_models_are_those_of_all_rows() -> None:
    table = hills()
    whole = sf.NaiveBayes().fit(table, "y").predict_proba(table)
    updated = sf.NaiveBayes().fit(table[:200], "y").update(table[200:], "y")
    merged = sf.NaiveBayes().fit(table[:300], "y").merge(sf.NaiveBayes().fit(table[300:], "y"))
    for model in (updated, merged):
        np.testing.assert_allclose(model.predict_proba(table), whole, rtol=1e-9)


def test_forgotten_rows_leave_the_bins_of_the_others() -> None:
    table = hills()
    left = sf.NaiveBayes().fit(table, "y").forget(table[:50], "y")
    expected = sf.NaiveBayes().fit(table[50:], "y").predict_proba(table)
    np.testing.assert_allclose(left.predict_proba(table), expected, rtol=1e-7)


def test_one_pass_cross_validation_is_that_of_refitting() -> None:
    table = hills(300)
    result = sf.cross_validate(sf.NaiveBayes(), table, "y", folds=5)
    for fold in range(5):
        own = result.fold == fold
        refitted = sf.NaiveBayes().fit(table[~own], "y").predict_proba(table[own])
        np.testing.assert_allclose(result.posterior[own], refitted, rtol=1e-9)


def test_a_saved_model_answers_as_before(tmp_path: Path) -> None:
    table = hills()
    model = sf.NaiveBayes().fit(table, "y")
    model.save(tmp_path / "model.json")
    loaded = sf.load(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.predict_proba(table), model.predict_proba(table))
    more = hills(50, seed=9)
    np.testing.assert_array_equal(
        loaded.update(more, "y").predict_proba(table), model.update(more, "y").predict_proba(table)
    )


def test_drawn_rows_fall_into_the_intervals_as_often_as_they_are_probable() -> None:
    model = sf.NaiveBayes().fit(hills(2000), "y")
    [part] = [part for part in model.model_.likelihoods if isinstance(part, Binned)]
    drawn = model.sample(20_000, random_state=0)
    j = part.columns.index("x")
    y = np.array([str(label) for label in drawn["y"].to_numpy()])
    places = np.searchsorted(part.cuts[j], drawn["x"].to_numpy())
    for k, label in enumerate(model.classes_):
        shares = np.bincount(places[y == label], minlength=len(part.cuts[j]) + 1) / np.sum(y == label)
        np.testing.assert_allclose(shares, part.tables[j].probability[:, k], atol=0.02)


def test_a_large_table_tallies_only_what_does_not_look_gaussian() -> None:
    random = np.random.default_rng(5)
    y = random.integers(0, 2, 30_000)
    table = np.column_stack([random.normal(size=30_000) + y, random.exponential(size=30_000) * (1 + y)])
    model = sf.NaiveBayes().fit(table, y)
    assert model.statistic_.parts["shapes"].columns == ("x1",)
    model.merge(sf.NaiveBayes().fit(table[:1000], y[:1000]))
    assert model.statistic_.parts["shapes"].columns == ("x1",)
