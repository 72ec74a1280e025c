import numpy as np
import pytest

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.moments.full_moments import MeasureFullMoments
from suffice.statistics.moments.higher_moments import Tails
from suffice.statistics.moments.indicators import Indicators
from suffice.statistics.moments.scatter_and_higher_moments import MeasureScatterAndTails
from suffice.statistics.statistic import MeasureTogether

SCHEMA = Schema((Numeric("x"), Nominal("level", ("l", "m", "n")), Numeric("z")), Nominal("y", ("a", "b", "c")))


def random_batch(rows, gaps, is_weighted):
    random = np.random.default_rng(0)
    x = 1e3 + random.exponential(size=(rows, 2))
    x[random.random(x.shape) < gaps] = np.nan
    codes = random.integers(0, 3, (1, rows), dtype=np.int32)
    weights = random.integers(0, 3, rows).astype(float) if is_weighted else None
    return Batch(SCHEMA, x, codes, random.integers(0, 2, rows, dtype=np.int32), weights)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_tails_around_the_means_of_the_scatter_are_those_of_the_rows(gaps, is_weighted):
    batch = random_batch(3_000, gaps, is_weighted)
    parts = {"full": MeasureFullMoments(Indicators.of_all_levels(SCHEMA)), "tails": Tails}
    found, expected = MeasureScatterAndTails(parts).of(batch).parts, MeasureTogether(parts).of(batch).parts
    for name in ("weight", "mean", "deviation", "third", "fourth"):
        wanted = getattr(expected["tails"], name)
        np.testing.assert_allclose(getattr(found["tails"], name), wanted, rtol=1e-8, atol=1e-6)
    for pattern, moments in expected["full"].patterns.items():
        np.testing.assert_array_equal(found["full"].patterns[pattern].scatter, moments.scatter)


def test_moments_of_columns_are_told_only_where_no_cell_is_missing():
    measure = MeasureFullMoments(Indicators.of_all_levels(SCHEMA))
    complete, gappy = random_batch(500, 0.0, True), random_batch(500, 0.2, False)
    assert measure.of(gappy).of_columns() is None
    assert measure.of(complete.take(np.s_[:0])).of_columns() is None
    moments = measure.of(complete).of_columns()
    np.testing.assert_allclose(moments.mean[0, 1], np.average(*_of_class(complete, 0)), rtol=1e-12)
    assert moments.scatter.shape == (3, 2)


def _of_class(batch, k):
    is_own = batch.classes == k
    return batch.numeric[is_own, 1], None, batch.weights[is_own]
