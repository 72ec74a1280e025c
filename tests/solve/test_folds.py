import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suffice.errors import SettingError
from suffice.solve.folds import Folds

labels = st.lists(st.integers(0, 3), max_size=200).map(lambda values: np.array(values, dtype=np.int32))


@given(labels, st.integers(2, 12), st.integers(0, 5))
def test_every_fold_has_its_share_of_every_class(classes, count, seed):
    folds = Folds(count, 4, seed).deal(classes)
    for k in range(4):
        sizes = np.bincount(folds[classes == k], minlength=count)
        assert sizes.max() - sizes.min() <= 1


@settings(max_examples=50)
@given(labels, st.lists(st.integers(0, 200), max_size=5))
def test_folds_do_not_depend_on_how_the_rows_are_cut_into_batches(classes, cuts):
    whole = Folds(5, 4, seed=3).deal(classes)
    dealer = Folds(5, 4, seed=3)
    parts = [dealer.deal(part) for part in np.split(classes, sorted(min(cut, len(classes)) for cut in cuts))]
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_another_seed_deals_other_folds():
    classes = np.zeros(100, dtype=np.int32)
    assert not np.array_equal(Folds(10, 1, 0).deal(classes), Folds(10, 1, 1).deal(classes))


@pytest.mark.parametrize("count", [1, 0, -3, 2.5, True, "ten"])
def test_folds_must_be_a_whole_number_of_at_least_two(count):
    with pytest.raises(SettingError, match="at least 2"):
        Folds(count, 2)
