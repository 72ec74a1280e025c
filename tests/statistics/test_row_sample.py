from dataclasses import replace

import numpy as np
import pytest
from slow_design import random_rows, schema_of

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.row_sample import MeasureRowSample, RowCount


def chosen_rows(batch: Batch, share: float) -> np.ndarray:
    """Where the rows of the sample stand: they have their places for weights."""
    numbered = replace(batch, weights=np.arange(batch.rows, dtype=np.float64))
    return np.sort(MeasureRowSample(share).of(numbered).batch.row_weights()).astype(np.int64)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 1.0])
def test_about_the_share_of_the_rows_is_chosen(share):
    chosen = chosen_rows(random_rows(schema_of(), 20_000), share)
    assert len(chosen) == pytest.approx(20_000 * share, abs=4 * np.sqrt(20_000 * share * (1 - share)))
    assert (np.diff(chosen) > 0).all()


@pytest.mark.parametrize("period", [2, 7, 10, 64])
def test_the_choice_has_no_rhythm(period):
    """Tables have periods of their own; every residue must be as likely as the others."""
    counts = np.bincount(chosen_rows(random_rows(schema_of(), 20_000), 0.2) % period, minlength=period)
    expected = 4_000 / period
    assert ((counts - expected) ** 2 / expected).sum() < period + 6 * np.sqrt(2 * period)


def test_a_larger_share_has_the_rows_of_a_smaller_one_and_begins_with_them():
    batch = random_rows(schema_of(), 5000)
    assert set(chosen_rows(batch, 0.1)) <= set(chosen_rows(batch, 0.4))
    small, large = (MeasureRowSample(share).of(batch).batch for share in (0.1, 0.4))
    np.testing.assert_array_equal(large.numeric[: small.rows], small.numeric)


@pytest.mark.parametrize("cut", [0, 1, 100, 499, 500])
def test_the_same_rows_are_chosen_whatever_slices_and_order_the_table_comes_in(cut):
    batch, measure = random_rows(schema_of(), 500), MeasureRowSample(0.3)
    whole = measure.of(batch).batch
    for rows in (batch, batch.take(np.random.default_rng(cut).permutation(500))):
        parted = measure.of(rows.take(np.s_[cut:])).merge(measure.of(rows.take(np.s_[:cut]))).batch
        np.testing.assert_array_equal(parted.numeric, whole.numeric)
        np.testing.assert_array_equal(parted.codes, whole.codes)
        np.testing.assert_array_equal(parted.classes, whole.classes)


def test_weights_go_with_their_rows():
    batch = random_rows(schema_of(), 300, is_weighted=True)
    chosen = chosen_rows(batch, 0.5)
    sampled = MeasureRowSample(0.5).of(batch).batch
    np.testing.assert_array_equal(np.sort(sampled.weights), np.sort(batch.weights[chosen]))


def test_a_few_of_many_columns_choose_rows_and_order_them_unless_some_are_alike_in_them():
    schema = Schema(tuple(Numeric(f"x{j}") for j in range(40)), Nominal("y", (0, 1)))
    numeric = np.random.default_rng(0).normal(size=(400, 40))
    batch = Batch(schema, numeric, np.empty((0, 400), np.int32), np.zeros(400, np.int32))
    alike = replace(batch, numeric=np.where(np.arange(40) < 20, 1.0, numeric))
    for rows, share in ((batch, 0.3), (alike, 1.0)):
        measure = MeasureRowSample(share, most_columns=2)
        other = rows.take(np.random.default_rng(1).permutation(400))
        np.testing.assert_array_equal(measure.of(other).batch.numeric, measure.of(rows).batch.numeric)
    assert MeasureRowSample(1.0, most_columns=2).of(batch).distinct == 400
    assert MeasureRowSample(1.0, most_columns=2).of(alike).distinct == 1
    assert MeasureRowSample(0.0).of(batch).distinct == 0


@pytest.mark.parametrize("share", [0.0, 0.01, 0.1, 0.3, 1.0])
def test_a_smaller_sample_has_the_smallest_keys_of_all_parts(share):
    batch = random_rows(schema_of(), 500)
    large = MeasureRowSample(0.3).of(batch)
    parted = MeasureRowSample(0.3).of(batch.take(np.s_[:200])).merge(MeasureRowSample(0.3).of(batch.take(np.s_[200:])))
    small = parted.smaller(share)
    np.testing.assert_array_equal(small.batch.numeric, MeasureRowSample(min(share, 0.3)).of(batch).batch.numeric)
    np.testing.assert_array_equal(small.batch.numeric, large.batch.numeric[: small.rows])
    assert parted.as_they_came.rows == parted.rows == large.rows


def test_rows_are_counted_whatever_their_weights():
    batch = random_rows(schema_of(), 30, is_weighted=True)
    assert RowCount.of(batch).merge(RowCount.of(batch.take(np.s_[:4]))).rows == 34
