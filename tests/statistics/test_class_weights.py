import numpy as np
import pytest

from suffice.errors import ForgetError
from suffice.schema import Alignment, Batch, Nominal, Schema
from suffice.statistics.class_weights import ClassWeights, remaining


def batch_of(classes, weights=None, labels=("No", "Yes")):
    rows = len(classes)
    codes = np.asarray(classes, dtype=np.int32)
    schema = Schema((), Nominal("play", labels))
    return Batch(schema, np.empty((rows, 0)), np.empty((0, rows), dtype=np.int32), codes, weights)


def test_without_weights_every_row_counts_once():
    assert ClassWeights.of(batch_of([0, 1, 1])).weight.tolist() == [1.0, 2.0]


def test_weights_are_added_up_in_their_class():
    assert ClassWeights.of(batch_of([0, 1, 1], np.array([0.5, 2.0, 0.25]))).weight.tolist() == [0.5, 2.25]


def test_a_class_without_rows_keeps_its_place():
    assert ClassWeights.of(batch_of([1], labels=("a", "b", "c"))).weight.tolist() == [0.0, 1.0, 0.0]


def test_classes_are_picked_by_position_and_a_new_one_starts_empty():
    weights = ClassWeights.of(batch_of([0, 1, 1]))
    new = Schema((), Nominal("play", ("Maybe", "Yes", "No")))
    assert weights.align(Alignment.between(weights.schema, new)).weight.tolist() == [0.0, 2.0, 1.0]


def test_rows_that_were_never_there_cannot_be_taken_out():
    weights = ClassWeights.of(batch_of([0, 1, 1]))
    with pytest.raises(ForgetError, match="never in the model: taking them out would leave negative counts"):
        weights.without(ClassWeights.of(batch_of([0, 0])))
    assert weights.weight.tolist() == [1.0, 2.0]


def test_whole_counts_subtract_exactly_however_large():
    counts = np.array([2.0**52 + 1.0, 5.0])
    assert remaining(counts, counts - 1.0).tolist() == [1.0, 1.0]


def test_what_rounding_leaves_of_fractional_weights_is_nothing():
    counts = np.array([0.1 + 0.2, 1.0, 1.0, 7.0])
    removed = np.array([0.3, 1.0 - 2**-53, 1.0 + 2**-52, 6.0])
    assert remaining(counts, removed).tolist() == [0.0, 0.0, 0.0, 1.0]


def test_a_fraction_elsewhere_does_not_round_away_a_whole_count():
    left = remaining(np.array([2e9, 0.5]), np.array([2e9 - 1, 0.25]))
    assert left.tolist() == [1.0, 0.25]
