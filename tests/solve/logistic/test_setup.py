"""From the first pass to the design."""

from __future__ import annotations

import numpy as np
import pytest

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.logistic.setup import FIRST_PASS, first_design, level_shares, with_occurring_pairs
from suffice.sources.keeping.in_memory import InMemory

SCHEMA = Schema(
    (Numeric("a"), Numeric("b"), Nominal("c", ("x", "y", "z")), Nominal("d", ("u", "v"))), Nominal("k", (0, 1))
)


def batch_of(numeric, codes, weights=None):
    rows = len(numeric)
    return Batch(
        SCHEMA,
        np.array(numeric, dtype=float),
        np.array(codes, dtype=np.int32),
        (np.arange(rows) % 2).astype(np.int32),
        None if weights is None else np.array(weights, dtype=float),
    )


def designed(batch, degree=1, is_centred=True, is_scaled=True, has_reference=False):
    measure = InMemory.of(batch).measure
    with_reference = np.full(len(batch.schema.nominal), has_reference)
    design = first_design(measure(FIRST_PASS).parts["known"], degree, is_centred, is_scaled, with_reference)
    return with_occurring_pairs(design, measure)


NUMBERS = [[1.0, 5.0], [3.0, np.nan], [5.0, 9.0], [7.0, 7.0]]
CODES = [[0, 0, 1, 1], [0, 1, -1, 1]]


def test_centre_and_scale_are_mean_and_standard_deviation_of_what_is_known():
    design = designed(batch_of(NUMBERS, CODES))
    np.testing.assert_allclose(design.centre, [4.0, 7.0])
    np.testing.assert_allclose(design.scale, [np.sqrt(5.0), np.sqrt(8.0 / 3.0)])
    assert design.has_missing.tolist() == [False, True]


def test_weights_count():
    design = designed(batch_of(NUMBERS, CODES, [0.0, 1.0, 1.0, 2.0]))
    np.testing.assert_allclose(design.centre, [5.5, 23.0 / 3.0])


def test_a_missing_value_without_weight_is_not_there():
    assert not designed(batch_of(NUMBERS, CODES, [1.0, 0.0, 1.0, 1.0])).has_missing.any()


def test_levels_that_occur_have_a_weight_and_missing_ones_where_rows_lack_the_column():
    assert designed(batch_of(NUMBERS, CODES)).names == (
        "intercept",
        "a",
        "b",
        "b missing",
        "c=x",
        "c=y",
        "d missing",
        "d=u",
        "d=v",
    )


def test_with_a_reference_the_first_level_has_none():
    names = designed(batch_of(NUMBERS, CODES), has_reference=True).names
    assert names[4:] == ("c=y", "d missing", "d=v")


def test_columns_without_variation_have_no_weight():
    batch = batch_of([[2.0, np.nan]] * 4, [[1, 1, 1, 1], [-1, -1, -1, -1]])
    for degree in (1, 2):
        assert designed(batch, degree).names == ("intercept",)


def test_a_constant_that_is_sometimes_missing_has_only_its_indicator():
    batch = batch_of([[2.0, 1.0], [np.nan, 2.0], [2.0, 3.0], [2.0, 0.0]], [[0] * 4, [0] * 4])
    assert designed(batch).names == ("intercept", "b", "a missing")
    assert designed(batch, degree=2).names == ("intercept", "b", "a missing", "b²", "b × a missing")


def test_pairs_that_no_row_has_have_no_weight():
    names = designed(batch_of(NUMBERS, CODES), degree=2).names
    assert "c=x × d=u" in names
    assert "c=y × d=u" not in names
    assert "b missing × c=x" in names
    assert "b missing × c=y" not in names


def test_without_scaling_a_column_keeps_its_units():
    design = designed(batch_of(NUMBERS, CODES), is_centred=False, is_scaled=False)
    assert design.scale.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("offset", [0.1, 1 / 3, -1e9 + 0.1, 1e12 / 7])
def test_rounding_is_no_variation(offset):
    batch = batch_of([[offset, offset + i] for i in range(7)], np.zeros((2, 7)))
    assert designed(batch).names == ("intercept", "b")


def test_shares_are_those_of_the_rows_that_know_the_column():
    counts = InMemory.of(batch_of(NUMBERS, CODES)).measure(FIRST_PASS).parts["known"].parts["counts"]
    np.testing.assert_allclose(level_shares(counts), [0.5, 0.5, 0.0, 1 / 3, 2 / 3])
