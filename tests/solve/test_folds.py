from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.folds import Folds, KeyRows, _marked, dealt

SCHEMA = Schema((Numeric("x"), Nominal("c", ("p", "q"))), Nominal("y", (0, 1, 2)))
labels = st.lists(st.integers(0, 3), max_size=200).map(lambda values: np.array(values, dtype=np.int32))


def batch_of(rows, seed=0, values=7):
    """Rows many of which are equal."""
    random = np.random.default_rng(seed)
    numeric = random.integers(0, values, (rows, 1)).astype(float)
    return Batch(
        SCHEMA,
        np.where(numeric == 3, np.nan, numeric),
        random.integers(-1, 2, (1, rows)).astype(np.int32),
        random.integers(0, 3, rows).astype(np.int32),
        random.choice([1.0, 2.0], rows),
    )


def folds_of(parts, count=5, seed=3):
    return Folds.deal([KeyRows(seed)(part) for part in parts], count, seed)


def rows_in_folds(parts, folds):
    """How often each row is in each fold."""
    found: Counter[tuple[float, ...]] = Counter()
    for part in parts:
        cells = [np.nan_to_num(part.numeric[:, 0], nan=-1.0), part.codes[0], part.classes, part.weights, folds.of(part)]
        found.update(map(tuple, np.stack(cells, axis=1).tolist()))
    return found


@given(labels, st.integers(2, 12), st.integers(0, 5))
def test_every_fold_has_its_share_of_every_class(classes, count, seed):
    folds = dealt(classes, count, seed, lambda rows: rows)
    for k in range(4):
        sizes = np.bincount(folds[classes == k], minlength=count)
        assert sizes.max() - sizes.min() <= 1
    whole = np.bincount(folds, minlength=count)
    assert whole.max() - whole.min() <= 1


def test_rows_are_dealt_in_turn_class_by_class_in_order():
    random = np.random.default_rng(0)
    classes, value = random.integers(0, 100, 3000).astype(np.int32), random.random(3000)
    folds = dealt(classes, 7, 3, lambda rows: rows[np.argsort(value[rows])])
    found = folds[np.lexsort((value, classes))]
    assert sorted(found[:7]) == list(range(7))
    np.testing.assert_array_equal(found, np.resize(found[:7], len(found)))


@given(st.integers(2, 8), st.integers(0, 60), st.integers(0, 5))
def test_every_fold_has_its_share_of_low_and_of_high_numbers(count, rows, seed):
    random = np.random.default_rng(seed)
    schema = Schema((Numeric("x"),), Numeric("y"))
    batch = Batch(
        schema, random.normal(size=(rows, 1)), np.empty((0, rows), np.int32), response=random.normal(size=rows)
    )
    found = Folds.deal([KeyRows(seed)(batch)], count, seed).folds[np.argsort(batch.responses())]
    for begin in range(0, rows - rows % count, count):
        assert sorted(found[begin : begin + count]) == list(range(count))
    assert len(set(found[rows - rows % count :])) == rows % count


@pytest.mark.parametrize(("equal", "most"), [(1, 0.7), (2, 0.5), (29, 0.1)])
def test_no_fold_gets_the_lower_numbers_of_all_rounds(equal, most):
    numbers = np.arange(6000) // equal * 1.0
    schema = Schema((Numeric("x"),), Numeric("y"))
    x = np.random.default_rng(0).normal(size=(6000, 1))
    batch = Batch(schema, x, np.empty((0, 6000), np.int32), response=numbers)
    folds = folds_of([batch], count=10).of(batch)
    means = np.array([numbers[folds == fold].mean() for fold in range(10)])
    assert np.ptp(means) < most


@settings(max_examples=50)
@given(st.integers(1, 200), st.lists(st.integers(0, 200), max_size=5), st.integers(0, 100))
def test_neither_slices_nor_the_order_of_the_rows_matter(rows, cuts, seed):
    batch = batch_of(rows)
    shuffled = batch.take(np.random.default_rng(seed).permutation(rows))
    bounds = [0, *sorted(min(cut, rows) for cut in cuts), rows]
    parts = [shuffled.take(slice(low, high)) for low, high in pairwise(bounds) if high > low]
    if len({KeyRows(3).mark(part) for part in parts}) < len(parts):
        return  # slices that look alike share their folds
    assert rows_in_folds(parts, folds_of(parts)) == rows_in_folds([batch], folds_of([batch]))


def test_equal_rows_are_dealt_to_different_folds():
    batch = batch_of(100).take(np.zeros(50, dtype=np.int64))
    assert np.bincount(folds_of([batch]).of(batch)).tolist() == [10] * 5


def test_rows_that_come_in_other_slices_than_they_were_dealt_in_keep_their_folds():
    batch = batch_of(300, values=10**6)
    folds = folds_of([batch])
    parts = [batch.take(slice(200, 300)), batch.take(slice(0, 200))]
    found = np.concatenate([folds.of(part) for part in parts])
    np.testing.assert_array_equal(found, np.roll(folds.of(batch), 100))


def test_another_seed_deals_other_folds():
    batch = batch_of(100)
    assert not np.array_equal(folds_of([batch], seed=0).of(batch), folds_of([batch], seed=1).of(batch))


@pytest.mark.parametrize("positions", [(None, None), (0, 500)])
def test_batches_that_look_alike_in_a_few_rows_get_folds_of_their_own(positions):
    rows, looked_at = 500, KeyRows(3)
    rare = [place for place in range(rows) if place not in _marked(rows)][:40]
    parts = []
    for first_row, chosen in zip(positions, (rare[:20:2], rare[20::2]), strict=True):
        classes = np.zeros(rows, dtype=np.int32)
        classes[chosen] = 1
        parts.append(Batch(SCHEMA, np.ones((rows, 1)), np.zeros((1, rows), np.int32), classes, first_row=first_row))
    assert looked_at.mark(parts[0])[1:] == looked_at.mark(parts[1])[1:]
    folds = folds_of(parts)
    found = [folds.of(part) for part in parts]
    assert (
        sum(np.bincount(fold[part.classes == 1], minlength=5) for fold, part in zip(found, parts, strict=True)).sum()
        == 20
    )
    if positions[1] is None:
        assert all(
            np.ptp(np.bincount(fold[part.classes == 1], minlength=5)) <= 2
            for fold, part in zip(found, parts, strict=True)
        )
    else:
        together = np.concatenate(found)[np.concatenate([part.classes for part in parts]) == 1]
        assert np.bincount(together, minlength=5).tolist() == [4] * 5
