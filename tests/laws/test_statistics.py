"""What every statistic promises: merge is a commutative monoid, and any split of the rows gives the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import reduce
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import batches, concatenated, own_schema, parts_of, random_batch, randoms, recoded, schemas

from suffice.errors import ForgetError
from suffice.schema import Alignment, Batch, Chunk, Coded, Nominal, Numeric, Profile, Schema, Values, column_profile
from suffice.statistics import histograms, level_weights, number_lines
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.counts import Counts
from suffice.statistics.histograms import Histograms
from suffice.statistics.joint_counts import MeasureJointCounts
from suffice.statistics.level_weights import FEWEST_LEVELS, LevelWeights
from suffice.statistics.moments import full_moments
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.moments.fourth_moments import FourthMoments, MeasureFourthMoments
from suffice.statistics.moments.full_moments import FullMoments, MeasureFullMoments
from suffice.statistics.moments.higher_moments import Tails
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.moments.matrix_moments import MatrixMoments
from suffice.statistics.moments.pairwise_moments import PairwiseMoments
from suffice.statistics.number_lines import NumberLines
from suffice.statistics.shapes import MeasureShapes
from suffice.statistics.squared_errors import SquaredErrors
from suffice.statistics.statistic import MeasureTogether, aligned, merged
from suffice.statistics.tally import Tally
from suffice.statistics.totals import MeasureTotals
from suffice.statistics.value_counts import MeasureValueCounts

CUTS = np.array([-41.0, -40.0, -0.5, 0.0, 0.7, 1e6, 1e6 + 1])


# What is measured ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OfWholeNumbers:
    """Reads every number as a count, which totals ask for."""

    measurement: Any

    def of(self, batch: Batch) -> Any:
        return self.measurement.of(replace(batch, numeric=np.abs(np.round(batch.numeric))))


@dataclass(frozen=True)
class OfCompleteRows:
    """Matrix moments of the rows that miss nothing."""

    indicators: Indicators

    def of(self, batch: Batch) -> MatrixMoments:
        x = self.indicators.expand(batch)
        rows = ~np.isnan(x).any(axis=1)
        weights = None if batch.weights is None else batch.weights[rows]
        return MatrixMoments.of(x[rows], batch.class_codes()[rows], weights, batch.schema.class_count)


@dataclass(frozen=True)
class OfPairs:
    """Pairwise moments of all rows."""

    indicators: Indicators

    def of(self, batch: Batch) -> PairwiseMoments:
        x = self.indicators.expand(batch)
        return PairwiseMoments.of(x, batch.class_codes(), batch.weights, batch.schema.class_count)


class OfChunks:
    """The profile of a batch, as a source would hand it over."""

    def of(self, batch: Batch) -> Profile:
        schema = batch.schema
        columns: dict[str, Any] = {}
        for position, column in enumerate(schema.numeric):
            values = batch.numeric[:, position]
            columns[column.name] = Values(values)
            columns[f"whole {column.name}"] = Values(np.round(values), is_integer=True)
        for position, column in enumerate(schema.nominal):
            codes = batch.codes[position]
            columns[column.name] = Coded(codes, column.levels, column.declared)
            columns[f"many {column.name}"] = Coded(np.where(codes < 0, -1, 4 * codes), tuple(range(20)), True)
        return Profile.of(Chunk(batch.rows, columns, target=Coded(batch.class_codes(), schema.classes)))


class OfPredictions:
    """How far positions of classes are off the sums of the numbers."""

    def of(self, batch: Batch) -> SquaredErrors:
        truth = np.nan_to_num(batch.numeric).sum(axis=1)
        return SquaredErrors.of(batch.class_codes().astype(float), truth, batch.row_weights())


def names(schema: Schema) -> tuple[str, ...]:
    return tuple(sorted(column.name for column in schema.numeric))


def all_levels(schema: Schema) -> Indicators:
    return Indicators.of_all_levels(schema)


def pooled_levels(schema: Schema) -> Indicators:
    """Every level but the smallest, whatever the order, so that the same one is pooled under every schema."""
    return Indicators(
        schema,
        tuple(tuple(level for level in column.levels if level != "a") for column in schema.nominal),
    )


MEASURES: dict[str, Callable[[Schema], Any]] = {
    "ClassWeights": lambda schema: ClassWeights,
    "Counts": lambda schema: Counts,
    "Moments": lambda schema: Moments,
    "Totals": lambda schema: OfWholeNumbers(MeasureTotals(names(schema))),
    "ValueCounts": lambda schema: MeasureValueCounts(names(schema)),
    "Shapes": lambda schema: MeasureShapes(names(schema)),
    "Shapes past the most cells": lambda schema: MeasureShapes(names(schema)),
    "NumberLines": lambda schema: NumberLines,
    "NumberLines past the most values": lambda schema: NumberLines,
    "JointCounts": lambda schema: MeasureJointCounts((CUTS,) * len(schema.numeric)),
    "FullMoments": lambda schema: MeasureFullMoments(all_levels(schema)),
    "FullMoments with a pooled level": lambda schema: MeasureFullMoments(pooled_levels(schema)),
    "FullMoments past the most patterns": lambda schema: MeasureFullMoments(all_levels(schema)),
    "FourthMoments": lambda schema: MeasureFourthMoments(all_levels(schema)),
    "Tails": lambda schema: Tails,
    "Together": lambda schema: MeasureTogether(
        {"classes": ClassWeights, "counts": Counts, "full": MeasureFullMoments(all_levels(schema))}
    ),
}
PARTS: dict[str, Callable[[Schema], Any]] = {
    "MatrixMoments": lambda schema: OfCompleteRows(all_levels(schema)),
    "PairwiseMoments": lambda schema: OfPairs(all_levels(schema)),
}
PROFILES: dict[str, Callable[[Schema], Any]] = {
    "Profile": lambda schema: OfChunks(),
    "Profile past the most levels": lambda schema: OfChunks(),
}
SCORES: dict[str, Callable[[Schema], Any]] = {"SquaredErrors": lambda schema: OfPredictions()}
LEVELS: dict[str, Callable[[Schema], Any]] = {"LevelWeights past few levels": lambda schema: LevelWeights}
EVERYTHING = {**MEASURES, **PARTS, **PROFILES, **SCORES, **LEVELS}
EXACT = ("ClassWeights", "Counts", "Totals", "ValueCounts", "Shapes", "NumberLines", "JointCounts")
ROUNDED = ("Shapes past the most cells", "NumberLines past the most values")  # digits that were dropped stay so

# A law draws its rows once and then holds for every kind: to draw takes longer than to measure.
WEIGHTED = {**MEASURES, **PARTS, **SCORES, **LEVELS}
WITH_CLASSES = {kind: make for kind, make in MEASURES.items() if not kind.startswith("NumberLines")}
INEXACT = {kind: make for kind, make in {**MEASURES, **PARTS}.items() if kind not in (*EXACT, *ROUNDED)}
few = settings(max_examples=20, deadline=None)


@contextmanager
def regime(kind: str) -> Iterator[None]:
    """Limits small enough to be passed, for the kinds that are named after them; a failure names its kind."""
    patterns = 1 if kind.endswith("most patterns") else full_moments.MOST_PATTERNS
    levels = 2 if kind.endswith("most levels") else column_profile.MOST_LEVELS
    cells = 3 if kind.endswith("most cells") else histograms.MOST_CELLS
    values = 3 if kind.endswith("most values") else number_lines.MOST_VALUES
    try:
        with (
            patch.object(full_moments, "MOST_PATTERNS", patterns),
            patch.object(column_profile, "MOST_LEVELS", levels),
            patch.object(histograms, "MOST_CELLS", cells),
            patch.object(number_lines, "MOST_VALUES", values),
            patch.object(level_weights, "FEWEST_LEVELS", 1 if kind.endswith("few levels") else FEWEST_LEVELS),
        ):
            yield
    except Exception as error:
        error.add_note(f"The statistic is {kind}.")
        raise


def merge_all(statistics: list[Any]) -> Any:
    return reduce(lambda first, second: first.merge(second), statistics)


# When two statistics are the same --------------------------------------------------------------------------------


def magnitude(batch: Batch) -> float:
    return 1.0 + float(np.nanmax(np.abs(batch.numeric), initial=0.0))


def assert_same(first: Any, second: Any, tolerance: float, where: str = "") -> None:
    """Equal schemas, keys and values, and arrays that differ by no more than rounding."""
    if isinstance(first, FullMoments) and (first.pairwise is not None or second.pairwise is not None):
        assert_same(first.as_pairwise(), second.as_pairwise(), tolerance, where)
    elif isinstance(first, Histograms):
        for name in ("digits", "ends", "values"):
            np.testing.assert_array_equal(getattr(first, name), getattr(second, name), err_msg=f"{where}.{name}")
        assert_same(first.weight, second.weight, tolerance, f"{where}.weight")
    elif isinstance(first, Tally):
        np.testing.assert_array_equal(first.values, second.values, err_msg=where)
        assert_same(first.weight, second.weight, tolerance, f"{where}.weight")
    elif isinstance(first, np.ndarray):
        if isinstance(second, np.ndarray) and np.array_equal(first, second):  # most are, and this is soon seen
            return
        np.testing.assert_allclose(first, second, rtol=1e-9, atol=tolerance, err_msg=where)
    elif isinstance(first, float):
        np.testing.assert_allclose(first, second, rtol=1e-9, atol=tolerance, err_msg=where)
    elif isinstance(first, Mapping):
        assert first.keys() == second.keys(), where
        for key in first:
            assert_same(first[key], second[key], tolerance, f"{where}[{key}]")
    elif isinstance(first, tuple) and any(is_dataclass(item) or hasattr(item, "shape") for item in first):
        assert len(first) == len(second), where
        for position, pair in enumerate(zip(first, second, strict=True)):
            assert_same(*pair, tolerance, f"{where}[{position}]")
    elif is_dataclass(first) and not isinstance(first, (Schema, Indicators)):
        for field in fields(first):
            if field.name == "lost":  # a bound on rounding, which depends on how the rows came and went
                continue
            assert_same(getattr(first, field.name), getattr(second, field.name), tolerance, f"{where}.{field.name}")
    elif not isinstance(first, Indicators):
        assert first == second, where
    else:
        assert first.kept == second.kept, where


def assert_equal(first: Any, second: Any, batch: Batch) -> None:
    assert_same(first, second, 1e-11 * magnitude(batch), type(first).__name__)


# The laws --------------------------------------------------------------------------------------------------------


@few
@given(batch=batches(), random=randoms)
def test_any_split_of_the_rows_in_any_order_gives_the_whole(batch, random):
    parts = parts_of(batch, random)
    for kind, make in EVERYTHING.items():
        with regime(kind):
            measure = make(batch.schema)
            assert_equal(merge_all([measure.of(part) for part in parts]), measure.of(batch), batch)


@few
@given(batch=batches())
def test_merging_with_no_rows_changes_nothing(batch):
    for kind, make in EVERYTHING.items():
        with regime(kind):
            measure = make(batch.schema)
            nothing, whole = measure.of(batch.take(np.s_[:0])), measure.of(batch)
            assert_equal(nothing.merge(whole), whole, batch)
            assert_equal(whole.merge(nothing), whole, batch)


@few
@given(batch=batches(), random=randoms)
def test_merge_is_associative_and_commutative(batch, random):
    parts = parts_of(batch, random, 3)
    for kind, make in EVERYTHING.items():
        with regime(kind):
            measure = make(batch.schema)
            first, second, third = (measure.of(part) for part in parts)
            both = first.merge(second)
            assert_equal(both.merge(third), first.merge(second.merge(third)), batch)
            assert_equal(both, second.merge(first), batch)


@few
@given(batch=batches(), random=randoms)
def test_merge_and_without_leave_both_sides_as_they_were(batch, random):
    parts = parts_of(batch, random, 2)
    for kind, make in EVERYTHING.items():
        with regime(kind):
            measure = make(batch.schema)
            first, second = (measure.of(part) for part in parts)
            whole = first.merge(second)
            if hasattr(whole, "without"):
                try_without(whole, second, batch.schema)
            assert_same(first, measure.of(parts[0]), 0.0)
            assert_same(second, measure.of(parts[1]), 0.0)


@few
@given(batch=batches(weights="some"), random=randoms)
def test_rows_of_weight_zero_count_for_nothing(batch, random):
    present = batch.take(np.flatnonzero(batch.row_weights() > 0))
    for kind, make in WEIGHTED.items():
        with regime(kind):
            measure = make(batch.schema)
            assert_equal(measure.of(batch), measure.of(present), batch)


@few
@given(batch=batches(weights="whole", most=12))
def test_a_whole_weight_equals_so_many_repetitions(batch):
    times = batch.row_weights().astype(int)
    repeated = replace(batch.take(np.repeat(np.arange(batch.rows), times)), weights=None)
    for kind, make in WEIGHTED.items():
        with regime(kind):
            measure = make(batch.schema)
            assert_equal(measure.of(batch), measure.of(repeated), batch)


@few
@given(batch=batches(), random=randoms)
def test_merging_different_schemas_equals_measuring_all_rows_under_the_united_one(batch, random):
    parts = [recoded(part, own_schema(part, random)) for part in parts_of(batch, random, 3)]
    united = reduce(lambda first, second: first.unite(second), [part.schema for part in parts])
    together = concatenated([recoded(part, united) for part in parts])
    for kind, make in MEASURES.items():
        with regime(kind):
            result = reduce(merged, [make(part.schema).of(part) for part in parts])
            assert result.schema == united
            assert_equal(result, make(united).of(together), batch)


@few
@given(batch=batches(), random=randoms)
def test_the_order_of_merging_different_schemas_does_not_matter(batch, random):
    parts = [recoded(part, own_schema(part, random)) for part in parts_of(batch, random, 3)]
    for kind, make in MEASURES.items():
        with regime(kind):
            first, second, third = (make(part.schema).of(part) for part in parts)
            left = merged(merged(first, second), third)
            right = merged(first, merged(second, third))
            back = merged(third, merged(second, first))
            assert_equal(aligned(right, left.schema), left, batch)
            assert_equal(aligned(back, left.schema), left, batch)


@few
@given(batch=batches(), random=randoms)
def test_a_statistic_moved_to_a_larger_schema_and_back_is_the_same(batch, random):
    own = own_schema(batch, random)
    rows = recoded(batch, own)
    for kind, make in MEASURES.items():
        with regime(kind):
            statistic = make(own).of(rows)
            there = aligned(statistic, batch.schema)
            if "pooled" not in kind:  # a level that was not there to be pooled gets its indicator
                assert_equal(there, make(batch.schema).of(batch), batch)
            assert_equal(aligned(there, own), statistic, batch)


@few
@given(batch=batches(), random=randoms, folds=st.integers(1, 4))
def test_classes_of_fold_and_class_split_into_what_each_fold_alone_gives(batch, random, folds):
    schema = batch.schema
    fold = random.integers(0, folds, batch.rows).astype(np.int32)
    pairs = tuple(range(folds * schema.class_count))
    both = schema.with_target(Nominal("target", pairs))
    codes = fold * np.int32(schema.class_count) + batch.class_codes()
    by_fold = batch.with_classes(both, codes)
    alone = [batch.take(np.flatnonzero(fold == k)) for k in range(folds)]
    for kind, make in WITH_CLASSES.items():
        with regime(kind):
            measure = make(schema)
            statistic = measure.of(by_fold)
            for k, rows in enumerate(alone):
                chosen = range(k * schema.class_count, (k + 1) * schema.class_count)
                assert_equal(statistic.align(Alignment.of_classes(chosen, schema)), measure.of(rows), batch)


def try_without(whole: Any, removed: Any, schema: Schema) -> Any:
    parts = isinstance(whole, (MatrixMoments, PairwiseMoments))
    try:
        return whole.without(removed, len(schema.numeric)) if parts else whole.without(removed)
    except ForgetError:
        return None


@few
@given(batch=batches(weights="none"), random=randoms)
def test_taking_rows_out_of_counts_is_exact(batch, random):
    parts = parts_of(batch, random, 2)
    for kind in EXACT:
        with regime(kind):
            measure = MEASURES[kind](batch.schema)
            left, removed = (measure.of(part) for part in parts)
            assert_same(left.merge(removed).without(removed), left, 0.0)
            assert_same(measure.of(batch).without(removed), left, 0.0)


@few
@given(batch=batches(weights="some"), random=randoms)
def test_taking_weighted_rows_out_of_counts_leaves_the_others_up_to_rounding(batch, random):
    parts = parts_of(batch, random, 2)
    for kind in EXACT:
        with regime(kind):
            measure = MEASURES[kind](batch.schema)
            left, removed = (measure.of(part) for part in parts)
            assert_equal(measure.of(batch).without(removed), left, batch)


@few
@given(batch=batches(weights="none"), random=randoms)
def test_rows_taken_out_come_back_as_they_were_where_digits_were_dropped(batch, random):
    parts = parts_of(batch, random, 2)
    for kind in ROUNDED:
        with regime(kind):
            measure = MEASURES[kind](batch.schema)
            left, removed = (measure.of(part) for part in parts)
            whole = left.merge(removed)
            assert_same(whole.without(removed).merge(removed), whole, 0.0)
            assert_same(whole.merge(left).without(left).without(removed).merge(removed), whole, 0.0)


@few
@given(random=randoms, rows=st.integers(60, 120), offset=st.sampled_from([0.0, -40.0, 1e6]))
@pytest.mark.parametrize("gaps", [0.0, 0.05])
@pytest.mark.parametrize("weights", ["none", "some"])
def test_taking_a_few_rows_out_of_moments_leaves_the_others(random, rows, offset, gaps, weights):
    schema = Schema((Numeric("x"), Nominal("n", ("a", "b")), Numeric("y")), Nominal("target", ("No", "Yes")))
    batch = random_batch(schema, random, rows, offset, gaps, weights)
    is_removed = random.random(rows) < 0.2
    gone, kept = batch.take(np.flatnonzero(is_removed)), batch.take(np.flatnonzero(~is_removed))
    for kind, make in INEXACT.items():
        with regime(kind):
            measure = make(schema)
            after = try_without(measure.of(batch), measure.of(gone), schema)
            assert_same(after, measure.of(kept), 1e-9 * magnitude(batch), kind)


@few
@given(batch=batches(), random=randoms)
def test_a_profile_of_slices_with_their_own_dictionaries_is_that_of_the_whole(batch, random):
    columns = [
        replace(column, declared=False) if isinstance(column, Nominal) else column for column in batch.schema.columns
    ]
    batch = recoded(batch, batch.schema.with_columns(columns))
    parts = [recoded(part, own_schema(part, random)) for part in parts_of(batch, random)]
    found, whole = merge_all([OfChunks().of(part) for part in parts]), OfChunks().of(batch)
    for name in batch.schema.names:
        assert_same(found.columns[name], whole.columns[name], 0.0, name)
    target = batch.schema.target
    assert found.schema(target, batch.schema.names) == whole.schema(target, batch.schema.names)


# Large offsets ---------------------------------------------------------------------------------------------------


def certified(number: int) -> tuple[np.ndarray, float]:
    """NIST's NumAcc1 to NumAcc4 and their certified standard deviations."""
    if number == 1:
        return np.array([10000001.0, 10000003.0, 10000002.0]), 1.0
    tenths = {2: 12, 3: 10000002, 4: 100000002}[number]
    values = [tenths, *[tenths - 1, tenths + 1] * 500]
    return np.array(values) / 10.0, 0.1


def spread(statistic: Any) -> float:
    if isinstance(statistic, FourthMoments):
        statistic = statistic.second
    if isinstance(statistic, FullMoments):
        statistic = statistic.as_pairwise()
    return float(statistic.scatter.ravel()[0])


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@settings(max_examples=10, deadline=None)
@given(random=randoms, slices=st.sampled_from([1, 2, 7, 60]))
def test_nists_standard_deviations_keep_eight_digits_in_any_slicing(number, random, slices):
    values, deviation = certified(number)
    schema = Schema((Numeric("x"),), Nominal("target", ("all",)))
    zeros = np.zeros(len(values), dtype=np.int32)
    batch = Batch(schema, values[:, None], np.empty((0, len(values)), dtype=np.int32), zeros)
    parts = parts_of(batch, random, slices)
    for kind in ("Moments", "FullMoments", "FourthMoments", "MatrixMoments", "PairwiseMoments"):
        measure = EVERYTHING[kind](schema)
        statistic = merge_all([measure.of(part) for part in parts])
        found = np.sqrt(spread(statistic) / (len(values) - 1))
        assert -np.log10(abs(found - deviation) / deviation + 1e-16) >= 8, kind


# Schemas ---------------------------------------------------------------------------------------------------------


@few
@given(schema=schemas(), random=randoms)
def test_uniting_schemas_keeps_every_level_once_whatever_the_order(schema, random):
    nobody = random_batch(schema, random, 0)
    first, second, third = (own_schema(nobody, random) for _ in range(3))
    left, right = first.unite(second).unite(third), first.unite(second.unite(third))
    for own, other in ((left, right), (left, third.unite(first).unite(second))):
        assert set(own.names) == set(other.names)
        assert set(own.classes) == set(other.classes)
        for column in own.nominal:
            theirs = other.nominal[other.nominal_position[column.name]]
            assert len(column.levels) == len(theirs.levels) == len({*column.levels, *theirs.levels})
