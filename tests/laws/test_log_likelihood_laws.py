"""What the statistics of linear models promise: any split of the rows gives the whole, a weight is repetition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import reduce
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import batches, parts_of, randoms, schemas

from suffice.schema import Batch
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.log_likelihood import MeasureHessianProduct, MeasureLogLikelihood
from suffice.statistics.linear.margins import Margins, MeasureMargins
from suffice.statistics.linear.occurrences import MeasureOccurrences
from suffice.statistics.reweighed import MeasureReweighed
from suffice.statistics.row_sample import MeasureRowSample, RowCount

few = settings(max_examples=15, deadline=None)
schemas_of_classes = schemas(least_classes=2)


@st.composite
def cases(draw: st.DrawFn, weights: str = "any") -> tuple[Design, Batch, np.random.Generator]:
    """Rows, any design for them, and a source of chance."""
    batch = draw(batches(draw(schemas_of_classes), weights=weights))
    random, degree = draw(randoms), draw(st.sampled_from((1, 1, 2)))
    width = len(batch.schema.numeric)
    centre = random.normal(size=width) + np.nan_to_num(np.nanmax(np.append(batch.numeric.ravel(), np.nan), initial=0))
    scale, has_missing = random.choice([0.0, 0.7, 2.0], width, p=[0.1, 0.5, 0.4]), random.random(width) < 0.5
    design = Design(batch.schema, centre, centre, scale, has_missing, degree, np.empty(0, bool))
    is_used = random.random(design.cell_count) < 0.8
    is_used[0] = True
    return replace(design, is_used=is_used), batch, random


def weights_of(design: Design, random: np.random.Generator) -> np.ndarray:
    return random.normal(0.0, 0.3, (design.schema.class_count - 1, design.dimensions))


MEASURES: dict[str, Callable[[Design, np.random.Generator], Any]] = {
    "LogLikelihood": lambda design, random: MeasureLogLikelihood(design, 0, weights_of(design, random)),
    "LogLikelihood with Hessian": lambda design, random: MeasureLogLikelihood(
        design, 1, weights_of(design, random), True
    ),
    "LogLikelihood of weighed classes": lambda design, random: MeasureReweighed(
        MeasureLogLikelihood(design, 0, weights_of(design, random), True), random.random(design.schema.class_count)
    ),
    "HessianProduct": lambda design, random: MeasureHessianProduct(
        design, 0, weights_of(design, random), weights_of(design, random)
    ),
    "Occurrences": lambda design, random: MeasureOccurrences(design),
    "Margins": lambda design, random: MeasureMargins(design, 0, weights_of(design, random), 5),
}


def assert_same(first: Any, second: Any, kind: str) -> None:
    if isinstance(first, Margins):  # which of several rows with the same margin are kept does not matter
        assert first.smallest == pytest.approx(second.smallest, rel=1e-9), kind
        np.testing.assert_allclose(first.margins, second.margins, rtol=1e-9, atol=1e-9, err_msg=kind)
        assert first.rows.rows == second.rows.rows == len(first.margins), kind
        return
    for field in fields(first):
        one, other = getattr(first, field.name), getattr(second, field.name)
        assert (one is None) == (other is None), f"{kind}.{field.name}"
        if one is not None:
            size = 1.0 + float(np.max(np.abs(other), initial=0.0))
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-11 * size, err_msg=f"{kind}.{field.name}")


def merge_all(statistics: list[Any]) -> Any:
    return reduce(lambda first, second: first.merge(second), statistics)


# A law draws its rows once and then holds for every kind: to draw takes longer than to measure.


@few
@given(case=cases())
def test_any_split_of_the_rows_in_any_order_gives_the_whole(case):
    design, batch, random = case
    parts = parts_of(batch, random)
    for kind, make in MEASURES.items():
        measure = make(design, random)
        assert_same(merge_all([measure.of(part) for part in parts]), measure.of(batch), kind)


@few
@given(case=cases())
def test_merging_with_no_rows_changes_nothing(case):
    design, batch, random = case
    for kind, make in MEASURES.items():
        measure = make(design, random)
        nothing, whole = measure.of(batch.take(np.s_[:0])), measure.of(batch)
        assert_same(nothing.merge(whole), whole, kind)
        assert_same(whole.merge(nothing), whole, kind)


@few
@given(case=cases())
def test_merge_is_associative_and_commutative_and_leaves_both_sides_as_they_were(case):
    design, batch, random = case
    parts = parts_of(batch, random, 3)
    for kind, make in MEASURES.items():
        measure = make(design, random)
        first, second, third = (measure.of(part) for part in parts)
        both = first.merge(second)
        assert_same(both.merge(third), first.merge(second.merge(third)), kind)
        assert_same(both, second.merge(first), kind)
        assert_same(first, measure.of(parts[0]), kind)
        assert_same(second, measure.of(parts[1]), kind)


@few
@given(case=cases(weights="whole"))
def test_a_whole_weight_equals_so_many_repetitions(case):
    design, batch, random = case
    repeated = batch.take(np.repeat(np.arange(batch.rows), batch.row_weights().astype(int)))
    repeated = replace(repeated, weights=None)
    for kind, make in MEASURES.items():
        if kind != "Margins":
            measure = make(design, random)
            assert_same(measure.of(batch), measure.of(repeated), kind)


@few
@given(batch=batches(), random=randoms, share=st.floats(0.0, 1.0))
def test_a_sample_of_rows_is_the_same_in_any_consecutive_slices_merged_in_any_order(batch, random, share):
    measure = MeasureRowSample(share)
    cuts = [0, *sorted(random.integers(0, batch.rows + 1, 3).tolist()), batch.rows]
    parts = [measure.of(batch.take(slice(*pair))) for pair in pairwise(cuts)]
    whole = measure.of(batch).batch
    in_order = merge_all(parts).batch
    np.testing.assert_array_equal(in_order.numeric, whole.numeric)
    np.testing.assert_array_equal(in_order.codes, whole.codes)
    shuffled = merge_all([parts[k] for k in random.permutation(len(parts))]).batch
    assert sorted(map(repr, rows_of(shuffled))) == sorted(map(repr, rows_of(whole)))
    counts = [RowCount.of(batch.take(slice(*pair))) for pair in pairwise(cuts)]
    assert merge_all(counts).rows == batch.rows


def rows_of(batch: Batch) -> list[Any]:
    return [
        (batch.numeric[i].tolist(), batch.codes[:, i].tolist(), int(batch.class_codes()[i]), batch.row_weights()[i])
        for i in range(batch.rows)
    ]
