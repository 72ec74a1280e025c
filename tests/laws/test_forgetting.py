"""Laws of forgetting: what is left is what the other rows have, or the removal is refused, however often it is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import suffice as sf
from suffice.errors import ForgetError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.moments.fourth_moments import MeasureFourthMoments
from suffice.statistics.moments.full_moments import MeasureFullMoments
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.moments.matrix_moments import MatrixMoments, diagonals
from suffice.statistics.moments.pairwise_moments import PairwiseMoments

SCHEMA = Schema((Numeric("a"), Numeric("b"), Numeric("c")), Nominal("y", ("no", "yes")))
INDICATORS = Indicators.of_all_levels(SCHEMA)
MEASURES: dict[str, Any] = {
    "moments": Moments,
    "full moments": MeasureFullMoments(INDICATORS),
    "fourth moments": MeasureFourthMoments(INDICATORS),
}
LARGE = {"moments": 6e3, "full moments": 6e3, "fourth moments": 80.0}  # what some twenty removals can bear
every_measure = pytest.mark.parametrize("kind", MEASURES)
quickly = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32 - 1)
ENOUGH_DIGITS = 1e-7  # 8 digits may be lost, and a bound on rounding is not the rounding itself


def batch_of(
    random: np.random.Generator, rows: int, size: float = 1.0, offset: float = 0.0, gaps: float = 0.0
) -> Batch:
    """Three numbers, two of them bound to each other."""
    x = random.normal(size=(rows, 3))
    x[:, 1] = 2 * x[:, 0] + 0.3 * x[:, 1]
    x[random.random(x.shape) < gaps] = np.nan
    classes = (np.arange(rows) % 2).astype(np.int32)
    return Batch(SCHEMA, size * x + offset, np.empty((0, rows), dtype=np.int32), classes)


def sums(statistic: Any) -> np.ndarray:
    """The highest even powers of each class and column."""
    if isinstance(statistic, Moments):
        return statistic.scatter
    found: np.ndarray = diagonals(statistic.fourth) if hasattr(statistic, "fourth") else statistic.spread()[1]
    return found


def come_and_go(statistic: Any, passing: Any, most: int) -> tuple[Any, int]:
    """Rows come and go until that is refused: what is left then, and how often they did."""
    for cycle in range(most):
        try:
            statistic = statistic.merge(passing).without(passing)
        except ForgetError:
            return statistic, cycle
    return statistic, most


@every_measure
@quickly
@given(seeds, st.sampled_from([1.0, 30.0, 1e3, 1e5]), st.sampled_from([0.0, 1e3, 1e7]), st.sampled_from([0.0, 0.2]))
def test_rows_that_come_and_go_leave_the_others_or_are_refused(
    kind: str, seed: int, size: float, offset: float, gaps: float
) -> None:
    random, measure = np.random.default_rng(seed), MEASURES[kind]
    if gaps and kind == "fourth moments":
        gaps = 0.0
    first = measure.of(batch_of(random, 60, 1.0, offset, gaps))
    left, many = first, int(random.integers(1, 40))
    for _ in range(3):
        passing = measure.of(batch_of(random, int(random.integers(2, 8)), size, offset, gaps))
        left, cycles = come_and_go(left, passing, many)
        assert cycles > 0 or size > 1.0 or offset > 1e3
    np.testing.assert_allclose(sums(left), sums(first), rtol=ENOUGH_DIGITS)


@every_measure
def test_digits_are_counted_over_thousands_of_removals(kind: str) -> None:
    random, measure = np.random.default_rng(3), MEASURES[kind]
    first = measure.of(batch_of(random, 60))
    passing = measure.of(batch_of(random, 4, LARGE[kind] / 4.0))
    left, cycles = come_and_go(first, passing, 2500)
    assert 20 < cycles < 2500
    np.testing.assert_allclose(sums(left), sums(first), rtol=ENOUGH_DIGITS)
    with pytest.raises(ForgetError, match=r"more than 8 digits of the spread of column .*many rows .* came and went"):
        left.merge(passing).without(passing)


@every_measure
def test_rows_of_the_usual_size_may_come_and_go_for_ever(kind: str) -> None:
    random, measure = np.random.default_rng(4), MEASURES[kind]
    first, passing = measure.of(batch_of(random, 60)), measure.of(batch_of(random, 4))
    left, cycles = come_and_go(first, passing, 400)
    assert cycles == 400
    np.testing.assert_allclose(sums(left), sums(first), rtol=1e-11)


@every_measure
def test_what_two_parts_have_lost_they_have_lost_together(kind: str) -> None:
    random, measure = np.random.default_rng(5), MEASURES[kind]
    passing = measure.of(batch_of(random, 4, LARGE[kind]))
    one, other = (measure.of(batch_of(random, 60)) for _ in range(2))
    alone = come_and_go(one.merge(other), passing, 2500)[1]
    worn = come_and_go(one, passing, 8)[0].merge(come_and_go(other, passing, 8)[0])
    assert come_and_go(worn, passing, 2500)[1] == pytest.approx(alone - 16, abs=3)


@pytest.mark.parametrize("make", [sf.NaiveBayes, sf.QDA, lambda: sf.LDA(shrinkage="ledoit_wolf")])
def test_the_count_is_saved_with_the_model(make: Callable[[], Any], tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    size = {"ledoit_wolf": 80.0, "evidence": 2e3}.get(make().get_params().get("shrinkage"), 6e3)  # fourth powers
    rows, large = (batch_of(random, count, unit) for count, unit in ((60, 1.0), (4, size)))
    data = [(batch.numeric, np.array(["no", "yes"])[batch.class_codes()]) for batch in (rows, large)]

    def cycles(model: Any, most: int) -> int:
        for cycle in range(most):
            try:
                model.update(*data[1]).forget(*data[1])
            except ForgetError:
                return cycle
        return most

    straight = cycles(make().fit(*data[0]), 100)
    assert 5 < straight < 100
    model = make().fit(*data[0])
    assert cycles(model, 5) == 5
    model.save(tmp_path / "model.json")
    assert cycles(sf.load(tmp_path / "model.json"), 100) == straight - 5


@pytest.mark.parametrize("make", [sf.LDA, sf.QDA, lambda: sf.GaussianDiscriminant("diagonal")])
@pytest.mark.parametrize("gaps", [0.0, 0.1, 0.5])
def test_rows_that_were_never_there_are_refused_where_some_direction_says_so(
    make: Callable[[], Any], gaps: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Across the line that all rows lie on there is hardly any spread to take away; along each column there is."""
    if gaps == 0.5:
        monkeypatch.setattr(
            "suffice.statistics.moments.full_moments.MOST_PATTERNS", 3
        )  # then pairs are kept, not patterns
    batch = batch_of(np.random.default_rng(6), 300, gaps=gaps)
    model = make().fit(batch.numeric, batch.class_codes())
    before = model.predict_proba([[0.3, 0.5, 0.1]])
    never = np.array([[3.0, -6.0, 0.1], [-3.0, 6.0, -0.1]] * 8)
    with pytest.raises(ForgetError, match="never in the model"):
        model.forget(never, np.repeat([0, 1], 8))
    np.testing.assert_array_equal(model.predict_proba([[0.3, 0.5, 0.1]]), before)


@settings(quickly, max_examples=50)
@given(seeds, st.integers(1, 5), st.sampled_from([0.0, 1e6]))
def test_what_is_left_has_no_negative_eigenvalue_or_is_refused(seed: int, dimensions: int, offset: float) -> None:
    random = np.random.default_rng(seed)
    x = random.normal(size=(40, dimensions)) @ random.normal(size=(dimensions, dimensions)) + offset
    were_there = bool(random.random() < 0.5)
    other = x[:5] if were_there else random.normal(size=(5, dimensions)) * 2 + offset
    classes = np.zeros(40, dtype=np.int32)
    whole, removed = (MatrixMoments.of(part, classes[: len(part)], None, 1) for part in (x, other))
    try:
        left = whole.without(removed, dimensions)
    except ForgetError:
        assert not were_there
        return
    root = np.sqrt(whole.squares[0])
    assert np.linalg.eigvalsh(left.scatter[0] / np.outer(root, root))[0] > -1e-10


@settings(quickly, max_examples=50)
@given(seeds, st.integers(1, 6), st.booleans(), st.sampled_from([0.0, -40.0, 1e6]))
def test_rows_that_were_there_are_never_refused_for_a_direction(
    seed: int, dimensions: int, is_collinear: bool, offset: float
) -> None:
    random = np.random.default_rng(seed)
    x = random.normal(size=(60, dimensions)) * 10.0 ** random.integers(-3, 4, dimensions) + offset
    if is_collinear:
        x[:, -1] = 3.0 * x[:, 0]
    gone = random.permutation(60)[: int(random.integers(1, 58))]
    kept = np.setdiff1d(np.arange(60), gone)
    classes, weights = np.zeros(60, dtype=np.int32), random.choice([0.1, 1.0, 3.7], 60)

    def moments(rows: Any) -> MatrixMoments:
        return MatrixMoments.of(x[rows], classes[rows], weights[rows], 1)

    left, root = moments(np.arange(60)).without(moments(gone), dimensions), np.sqrt(moments(np.arange(60)).squares[0])
    assert np.abs((left.scatter - moments(kept).scatter) / np.outer(root, root)).max() < 1e-13 * (1 + offset**2)
    x[random.random(x.shape) < 0.3] = np.nan
    pairs, removed = (PairwiseMoments.of(x[rows], classes[rows], weights[rows], 1) for rows in (np.arange(60), gone))
    pairs.without(removed, dimensions)


def test_fractional_weights_lose_digits_too() -> None:
    rows = batch_of(np.random.default_rng(7), 4)
    light = ClassWeights.of(replace(rows, weights=np.array([0.1, 0.2, 0.3, 0.7])))
    heavy = ClassWeights.of(replace(rows, weights=np.array([0.1, 0.2, 0.3, 0.7]) * 1e6))
    left, cycles = come_and_go(light, heavy, 2500)
    assert 10 < cycles < 2500
    np.testing.assert_allclose(left.weight, light.weight, rtol=ENOUGH_DIGITS)
    with pytest.raises(ForgetError, match="more than 8 digits of the weight of class 'no'"):
        left.merge(heavy).without(heavy)
    whole = ClassWeights.of(replace(rows, weights=np.array([1e6, 2e6, 3e6, 7e6])))
    left, cycles = come_and_go(ClassWeights.of(rows), whole, 2500)
    assert (cycles, left.weight.tolist(), left.lost) == (2500, [2.0, 2.0], None)
