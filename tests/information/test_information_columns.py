import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suffice as sf
from suffice.errors import TableError


def random_columns(seed: int, rows: int) -> tuple[list, list, list, list]:
    """Three columns of one to four levels, and whole weights."""
    random = np.random.default_rng(seed)
    x, y, z = (random.choice(random.permutation(list("abcd"))[: random.integers(1, 5)], rows) for _ in range(3))
    return x.tolist(), y.tolist(), z.tolist(), random.integers(1, 6, rows).tolist()


columns = st.builds(random_columns, st.integers(0, 2**32 - 1), st.integers(1, 40))


def slow_entropy(values: list, weights: list) -> float:
    """Straight from the definition."""
    total = sum(weights)
    result = 0.0
    for value in set(values):
        share = sum(weight for one, weight in zip(values, weights, strict=True) if one == value) / total
        result -= share * np.log2(share)
    return result


@settings(deadline=None)
@given(columns)
def test_entropies_are_those_of_the_definition(table):
    x, y, _, weights = table
    pairs = list(zip(x, y, strict=True))
    assert sf.entropy(x, weights) == pytest.approx(slow_entropy(x, weights), abs=1e-12)
    expected = slow_entropy(pairs, weights) - slow_entropy(x, weights)
    assert sf.conditional_entropy(y, x, weights) == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(columns)
def test_mutual_information_is_symmetric_never_negative_and_what_is_left_of_the_entropy(table):
    x, y, _, weights = table
    information = sf.mutual_information(x, y, weights)
    assert information >= 0
    assert information == pytest.approx(sf.mutual_information(y, x, weights), abs=1e-12)
    assert information == pytest.approx(sf.entropy(y, weights) - sf.conditional_entropy(y, x, weights), abs=1e-12)
    assert sf.mutual_information(x, x, weights) == pytest.approx(sf.entropy(x, weights), abs=1e-12)


@settings(deadline=None)
@given(columns)
def test_the_chain_rule(table):
    x, y, z, weights = table
    pairs = [f"{a}{b}" for a, b in zip(x, y, strict=True)]
    triples = [f"{a}{b}" for a, b in zip(pairs, z, strict=True)]
    together = (
        sf.entropy(x, weights) + sf.conditional_entropy(y, x, weights) + sf.conditional_entropy(z, pairs, weights)
    )
    assert sf.entropy(triples, weights) == pytest.approx(together, abs=1e-11)


@settings(deadline=None)
@given(columns)
def test_a_weight_is_a_number_of_rows(table):
    x, y, _, weights = table
    often = [np.repeat(np.array(column), weights).tolist() for column in (x, y)]
    assert sf.mutual_information(x, y, weights) == pytest.approx(sf.mutual_information(*often), abs=1e-12)


def test_independent_columns_share_nothing():
    assert sf.mutual_information([0, 0, 1, 1], [0, 1, 0, 1]) == 0.0
    assert sf.conditional_entropy([0, 0, 1, 1], [0, 1, 0, 1]) == 1.0


def test_rows_without_a_value_do_not_count():
    assert sf.entropy(["a", "b", None, np.nan]) == 1.0
    assert sf.mutual_information(["a", "b", "a", None], ["x", "y", None, "x"]) == 1.0


@pytest.mark.parametrize(
    "column",
    [
        ["a", "a", "b", "c"],
        ("a", "a", "b", "c"),
        np.array(["a", "a", "b", "c"]),
        pd.Series(["a", "a", "b", "c"], name="x"),
        pd.Series(["a", "a", "b", "c"], dtype="category"),
        pl.Series(["a", "a", "b", "c"]),
        pa.array(["a", "a", "b", "c"]),
        pa.chunked_array([["a", "a"], ["b", "c"]]),
        [1.5, 1.5, 2.5, 3.5],
        np.array([2**60, 2**60, 2**60 + 1, 2**60 + 2]),
        pd.to_datetime(pd.Series(["2020-01-01", "2020-01-01", "2020-01-02", "2020-01-03"])),
        [True, True, False, None, "x"],
    ],
)
def test_any_kind_of_column(column):
    assert sf.entropy(column) == 1.5


def test_columns_of_very_many_levels():
    x = np.arange(200_000)
    assert sf.mutual_information(x, x[::-1]) == pytest.approx(np.log2(200_000))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sf.entropy({"a": 0.5, "b": 0.6}), "sum to 1.1"),
        (lambda: sf.entropy({"a": 1.5, "b": -0.5}), "'b' is -0.5"),
        (lambda: sf.entropy({}), "no outcomes"),
        (lambda: sf.entropy([]), "nothing to measure"),
        (lambda: sf.entropy([None, None]), "nothing to measure"),
        (lambda: sf.mutual_information([1, 2], [1, 2, 3]), "2 and 3 values"),
        (lambda: sf.entropy([1, 2], [1.0]), "1 weights for 2 rows"),
        (lambda: sf.entropy([1, 2], [1.0, -1.0]), "at least 0"),
        (lambda: sf.entropy([[1, 2], [3, 4]]), "1d array"),
    ],
)
def test_what_cannot_be_measured(call, words):
    with pytest.raises(TableError, match=words):
        call()
