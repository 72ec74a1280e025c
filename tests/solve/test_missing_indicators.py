"""Missing as a level of nominal columns, in Gaussian discriminants."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.solve.missing_indicators import with_missing_indicators
from suffice.statistics.moments.full_moments import FullMoments


def shops(rows: int = 300, seed: int = 0) -> tuple[pd.DataFrame, Any]:
    """Two nominal columns with gaps, one of which tells something, and numbers, one of them with gaps."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, rows)
    table = pd.DataFrame(
        {
            "area": random.normal(size=rows) + y,
            "town": random.choice(["north", "south", "west"], rows).astype(object),
            "rent": random.normal(1e4, 1.0, rows) + 0.5 * y,
            "brand": random.choice(["own", "other"], rows).astype(object),
        }
    )
    table.loc[random.random(rows) < 0.1 + 0.2 * y, "town"] = None
    table.loc[random.random(rows) < 0.3, "brand"] = None
    table.loc[random.random(rows) < 0.2, "rent"] = np.nan
    return table, y


def spelled_out(table: pd.DataFrame) -> pd.DataFrame:
    return table.fillna({"town": "missing", "brand": "missing"})


@pytest.mark.parametrize("tolerance", [1e-10, 1e-3], ids=["without gaps of numbers", "by expectation–maximisation"])
@pytest.mark.parametrize("kind", [sf.LDA, sf.QDA])
def test_a_gap_is_a_level_like_any_other(kind: Any, tolerance: float) -> None:
    """Which level is the reference makes no difference without shrinkage, and little to expected values."""
    table, y = shops()
    table = table.drop(columns="rent") if tolerance < 1e-6 else table
    model = kind(shrinkage=0).fit(table, y)
    plain = kind(shrinkage=0, missing="ignored").fit(spelled_out(table), y)
    assert model.parameter_count == plain.parameter_count
    expected = plain.predict_proba(spelled_out(table))
    np.testing.assert_allclose(model.predict_proba(table), expected, rtol=0, atol=tolerance)


def test_of_patterns_those_of_missing_numbers_are_left() -> None:
    table, y = shops()
    statistic = sf.LDA().fit(table, y).statistic_.parts
    gapped = with_missing_indicators(statistic["full"], statistic["classes"].weight)
    assert (len(statistic["full"].patterns), len(gapped.patterns)) == (8, 2)
    assert gapped.indicators.names[-2:] == ("town missing", "brand missing")


def test_a_table_without_nominal_gaps_is_as_it_was() -> None:
    table, y = shops()
    statistic = sf.LDA().fit(table[["area", "rent"]], y).statistic_.parts
    assert with_missing_indicators(statistic["full"], statistic["classes"].weight) is statistic["full"]


def test_gaps_of_fewer_than_ten_rows_are_integrated_out() -> None:
    table, y = shops()
    table = spelled_out(table)
    table.loc[:8, "town"] = None
    few = sf.LDA().fit(table, y)
    np.testing.assert_array_equal(
        few.predict_proba(table), sf.LDA(missing="ignored").fit(table, y).predict_proba(table)
    )
    table.loc[9, "town"] = None
    assert "town missing" in sf.LDA().fit(table, y).model_.names


def as_pairwise(full: FullMoments) -> FullMoments:
    return replace(full, patterns={}, pairwise=full.as_pairwise())


@pytest.mark.parametrize("seed", range(5))
def test_pairwise_moments_have_the_same_indicators_of_gaps_as_patterns(seed: int) -> None:
    table, y = shops(80, seed)
    statistic = sf.LDA().fit(table, y, sample_weight=1.0 + np.arange(80) % 3).statistic_.parts
    full, total = statistic["full"], statistic["classes"].weight
    one, two = (
        with_missing_indicators(full, total).as_pairwise(),
        with_missing_indicators(as_pairwise(full), total).pairwise,
    )
    assert two is not None
    for name in ("weight", "mean", "scatter"):
        np.testing.assert_allclose(getattr(two, name), getattr(one, name), rtol=1e-9, atol=1e-6)


def test_a_value_that_is_never_missing_in_training_is_integrated_out() -> None:
    table, y = shops()
    model = sf.LDA().fit(spelled_out(table), y)
    blank = spelled_out(table)[:5].assign(town=pd.Series([None] * 5, dtype=object))
    dropped = sf.LDA(missing="ignored").fit(spelled_out(table), y)
    np.testing.assert_array_equal(model.predict_proba(blank), dropped.predict_proba(blank))


def test_a_column_that_is_known_or_missing_and_never_differs_tells_by_its_gaps() -> None:
    y = np.arange(40) % 2
    mark = np.where((np.arange(40) % 5 > 0) == (y == 1), "yes", None)
    model = sf.LDA().fit(pd.DataFrame({"mark": mark}), y)
    assert model.model_.names == ("mark missing",)
    assert model.score(pd.DataFrame({"mark": mark}), y) == pytest.approx(0.8)
    assert not sf.LDA(missing="ignored").fit(pd.DataFrame({"mark": mark}), y).model_.names


def test_new_rows_have_gaps_as_often() -> None:
    table, y = shops(3000)
    drawn = sf.LDA().fit(table, y).sample(3000, random_state=0)
    assert drawn["town"].isna().mean() == pytest.approx(table["town"].isna().mean(), abs=0.15)
    assert set(drawn["town"].dropna()) == {"north", "south", "west"}


def test_models_update_merge_and_forget_with_gaps() -> None:
    table, y = shops()
    whole = sf.QDA().fit(table, y)
    parts = sf.QDA().fit(table[:100], y[:100]).merge(sf.QDA().fit(table[100:], y[100:]))
    np.testing.assert_allclose(parts.predict_proba(table), whole.predict_proba(table), rtol=0, atol=1e-7)
    more = sf.QDA().fit(pd.concat([table, table[:50]]), np.append(y, y[:50])).forget(table[:50], y[:50])
    np.testing.assert_allclose(more.predict_proba(table), whole.predict_proba(table), rtol=0, atol=1e-6)


def test_files_keep_the_indicators_of_gaps(tmp_path: Any) -> None:
    table, y = shops()
    model = sf.LDA().fit(table, y)
    model.save(tmp_path / "model.json")
    restored = sf.load(tmp_path / "model.json")
    np.testing.assert_array_equal(restored.predict_proba(table), model.predict_proba(table))
    assert restored.missing == "level"
