import numpy as np
import pytest

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.trees.pruning.row_folds import content_keys, folds_of_rows
from suffice.solve.trees.training_rows import TrainingRows

SCHEMA = Schema((Numeric("x"), Nominal("c", ("p", "q")), Numeric("flat")), Nominal("y", ("a", "b", "c")))


def training_rows(count, weight=None, seed=0):
    random = np.random.default_rng(seed)
    numeric = np.stack([random.integers(0, 6, count) / 2, np.full(count, 3.0)], axis=1)
    numeric[random.random(count) < 0.1, 0] = np.nan
    codes = random.integers(-1, 2, (1, count)).astype(np.int32)
    outcome = random.integers(0, 3, count).astype(np.float64)
    return TrainingRows(Batch(SCHEMA, numeric, codes), outcome, np.empty(0) if weight is None else weight)


def test_equal_rows_have_equal_keys_and_others_do_not():
    batch = training_rows(300).batch
    known = np.nan_to_num(batch.numeric, nan=99.0).tolist()
    rows = [(*numbers, code) for numbers, code in zip(known, batch.codes[0].tolist(), strict=True)]
    keys = content_keys(batch, 0)
    assert len(set(zip(rows, keys.tolist(), strict=True))) == len(set(rows)) == len(set(keys.tolist()))


def test_spellings_of_zero_and_a_flat_column_do_not_matter():
    batch = training_rows(50).batch
    other = batch.numeric.copy()
    other[other[:, 0] == 0, 0] = -0.0
    other[:, 1] = 8.0
    assert content_keys(Batch(SCHEMA, other, batch.codes), 3).tolist() == content_keys(batch, 3).tolist()


@pytest.mark.parametrize("classifies", [True, False])
@pytest.mark.parametrize("is_weighted", [True, False])
def test_the_order_of_the_rows_does_not_matter(classifies, is_weighted):
    weight = np.random.default_rng(2).choice([0.5, 1.0, 2.0], 200) if is_weighted else None
    rows = training_rows(200, weight)
    order = np.random.default_rng(1).permutation(200)
    first, second = folds_of_rows(rows, 5, classifies, 0), folds_of_rows(rows.take(order), 5, classifies, 0)

    def dealt(rows, fold):
        cells = np.nan_to_num(rows.batch.numeric[:, 0], nan=99.0)
        weights = rows.weight if is_weighted else np.ones(200)
        return sorted(zip(cells, rows.batch.codes[0], rows.outcome, weights, fold, strict=True))

    assert dealt(rows, first) == dealt(rows.take(order), second)


@pytest.mark.parametrize("seed", [0, 7, 2**64, 2**100])
def test_every_fold_has_its_share_of_every_class(seed):
    rows = training_rows(200)
    fold = folds_of_rows(rows, 5, True, seed)
    for k in range(3):
        sizes = np.bincount(fold[rows.outcome == k], minlength=5)
        assert sizes.max() - sizes.min() <= 1


@pytest.mark.parametrize(("count", "folds"), [(0, 1), (1, 1), (2, 2), (3, 3)])
def test_few_rows_make_few_folds(count, folds):
    assert len(set(folds_of_rows(training_rows(count), 10, False, 0).tolist())) == min(count, folds)
