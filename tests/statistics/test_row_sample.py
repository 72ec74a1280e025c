import numpy as np
import pytest
from slow_design import random_rows, schema_of

from suffice.statistics.row_sample import MeasureRowSample, RowCount, chosen_rows


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


def test_rows_are_counted_whatever_their_weights():
    batch = random_rows(schema_of(), 30, is_weighted=True)
    assert RowCount.of(batch).merge(RowCount.of(batch.take(np.s_[:4]))).rows == 34
