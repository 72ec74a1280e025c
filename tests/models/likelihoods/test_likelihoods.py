"""Every likelihood against a slow oracle that goes through the table cell by cell."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import suffice as sf
from suffice.errors import TableError
from suffice.models.generative import Drawn
from suffice.models.likelihoods import kernel_density
from suffice.models.likelihoods.categorical import add_levels
from suffice.models.likelihoods.gaussian import add_densities
from suffice.models.likelihoods.kernel_density import gathered, log_density
from suffice.models.likelihoods.likelihood import NO_BLOCKS
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.bandwidth import silverman_bandwidth
from suffice.solve.likelihoods.categorical import solve_categorical
from suffice.solve.likelihoods.gaussian import solve_gaussian
from suffice.solve.likelihoods.kernel_density import solve_kernel_density
from suffice.solve.likelihoods.poisson import RATE_FLOOR, solve_poisson
from suffice.statistics.counts import Counts
from suffice.statistics.moments.column_moments import Moments
from suffice.statistics.tally import Tally
from suffice.statistics.totals import MeasureTotals
from suffice.statistics.value_counts import MeasureValueCounts

COLUMNS = ("visits", "height", "flat")
SCHEMA = Schema(
    (
        Numeric("visits"),
        Nominal("wind", ("Strong", "Weak")),
        Numeric("height"),
        Nominal("one", ("only", "never")),
        Numeric("flat"),
        Nominal("sky", ("clear", "cloud", "rain")),
    ),
    Nominal("y", ("a", "b", "c")),
)


def table(rows=90, seed=0):
    """Counts, heights and a constant; two nominal columns that vary and one that does not; a tenth missing."""
    random = np.random.default_rng(seed)
    classes = random.integers(0, 3, rows).astype(np.int32)
    numeric = np.column_stack([random.poisson(1 + classes), random.normal(170 + 5 * classes, 9), np.full(rows, 2.0)])
    codes = np.stack([random.integers(0, 2, rows), np.zeros(rows), random.integers(0, 3, rows)]).astype(np.int32)
    numeric[random.random(numeric.shape) < 0.1] = np.nan
    codes[random.random(codes.shape) < 0.1] = -1
    return Batch(SCHEMA, numeric, codes, classes)


BATCH = table()


def categorical(smoothing=1.0):
    return solve_categorical(Counts.of(BATCH), smoothing, "uniform")


def gaussian(is_shared=False):
    return solve_gaussian(Moments.of(BATCH), COLUMNS, is_shared)


def poisson():
    return solve_poisson(MeasureTotals(("visits", "flat")).of(BATCH))


def kde():
    return solve_kernel_density(MeasureValueCounts(("height", "flat", "visits")).of(BATCH))


LIKELIHOODS = {
    "categorical": categorical,
    "gaussian": gaussian,
    "shared gaussian": lambda: gaussian(is_shared=True),
    "poisson": poisson,
    "kde": kde,
}
every_likelihood = pytest.mark.parametrize("solve", LIKELIHOODS.values(), ids=LIKELIHOODS.keys())


def scored(likelihood, batch=BATCH, start=0.0):
    total = np.full((batch.rows, batch.schema.class_count), start)
    likelihood.add_log_likelihood(batch, total)
    return total


def by_cell(batch, columns, log):
    """Σ over the known numbers of log(value, class, column name)."""
    return [
        [
            sum(
                log(batch.numeric[i, SCHEMA.numeric_position[name]], k, name)
                for name in columns
                if not math.isnan(batch.numeric[i, SCHEMA.numeric_position[name]])
            )
            for k in range(SCHEMA.class_count)
        ]
        for i in range(batch.rows)
    ]


def own_values(name, k):
    values = BATCH.numeric[BATCH.class_codes() == k, SCHEMA.numeric_position[name]]
    return values[~np.isnan(values)]


def test_add_levels_looks_up_every_known_level():
    random = np.random.default_rng(1)
    codes = random.integers(-1, 3, (4, 30)).astype(np.int32)
    offsets, logs = np.array([0, 3, 6, 9, 12], dtype=np.int32), random.normal(size=(12, 2))
    start = random.normal(size=(30, 2))
    total = start.copy()
    add_levels(codes, NO_BLOCKS, offsets, logs, total)
    for i in range(30):
        for k in range(2):
            slow = start[i, k] + sum(logs[3 * j + codes[j, i], k] for j in range(4) if codes[j, i] >= 0)
            assert total[i, k] == pytest.approx(slow)


def test_add_densities_goes_over_the_known_cells_of_rows_with_gaps():
    random = np.random.default_rng(2)
    x = random.normal(size=(40, 5)) * 3
    x[random.random(x.shape) < 0.3] = np.nan
    x[0] = np.nan
    x[1] = 0.0
    mean, variance = random.normal(size=(3, 5)), random.uniform(0.1, 4.0, (3, 5))
    constant = -0.5 * np.log(2 * np.pi * variance)
    total = np.full((40, 3), 7.0)
    add_densities(x, NO_BLOCKS, mean, 1 / variance, constant, constant.sum(axis=1), total)
    slow = 7.0 + np.nansum(stats.norm.logpdf(x[:, None, :], mean, np.sqrt(variance)), axis=2)
    np.testing.assert_allclose(total, slow, rtol=1e-12)
    assert total[0].tolist() == [7.0, 7.0, 7.0]


def test_log_density_sums_the_bumps_near_and_far():
    random = np.random.default_rng(3)
    values = np.sort(np.concatenate([random.normal(size=200), [40.0, 41.0]]))
    weight, bandwidth = random.uniform(0.5, 3.0, len(values)), 0.2
    x = np.concatenate([random.normal(size=50), values[:5], [-60.0, 20.0, 39.0, 500.0]])
    found = np.empty(len(x))
    log_density(x, values, weight, bandwidth, found)
    for point, log in zip(x, found, strict=True):
        exponents = [-0.5 * ((point - value) / bandwidth) ** 2 for value in values]
        largest = max(exponents)
        slow = largest + math.log(sum(w * math.exp(e - largest) for w, e in zip(weight, exponents, strict=True)))
        assert log == pytest.approx(slow, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("smoothing", [0.0, 1.0, 2.5])
def test_categorical_adds_the_log_of_every_known_fraction(smoothing):
    slow = np.zeros((BATCH.rows, 3))
    for j in (0, 2):  # the column in between does not vary
        levels = len(SCHEMA.nominal[j].levels)
        for k in range(3):
            own = [code for code, c in zip(BATCH.codes[j], BATCH.class_codes(), strict=True) if c == k and code >= 0]
            for i, code in enumerate(BATCH.codes[j]):
                if code >= 0:
                    slow[i, k] += math.log((own.count(code) + smoothing) / (len(own) + smoothing * levels))
    np.testing.assert_allclose(scored(categorical(smoothing)), slow, rtol=1e-12)


def test_a_level_without_rows_in_a_class_is_impossible_there_without_smoothing():
    schema = Schema((Nominal("wind", ("Strong", "Weak")),), Nominal("y", ("a", "b")))
    batch = Batch(schema, np.empty((3, 0)), np.array([[0, 0, 1]], dtype=np.int32), np.array([0, 1, 1], dtype=np.int32))
    found = scored(solve_categorical(Counts.of(batch), 0.0, "uniform"), batch)
    np.testing.assert_allclose(np.exp(found), [[1, 0.5], [1, 0.5], [0, 0.5]])


@pytest.mark.parametrize("is_shared", [False, True])
def test_gaussian_adds_the_normal_log_density(is_shared):
    def log(value, k, name):
        deviation = own_values(name, k).std()
        if is_shared:
            parts = [own_values(name, c) - own_values(name, c).mean() for c in range(3)]
            deviation = np.concatenate(parts).std()
        return stats.norm.logpdf(value, own_values(name, k).mean(), deviation)

    np.testing.assert_allclose(scored(gaussian(is_shared)), by_cell(BATCH, ("visits", "height"), log), rtol=1e-10)


def test_gaussian_reads_only_its_own_columns():
    own = solve_gaussian(Moments.of(BATCH), ("height",), False)
    slow = by_cell(
        BATCH,
        ("height",),
        lambda x, k, name: stats.norm.logpdf(x, own_values(name, k).mean(), own_values(name, k).std()),
    )
    np.testing.assert_allclose(scored(own), slow, rtol=1e-10)
    assert (scored(solve_gaussian(Moments.of(BATCH), ("flat",), False)) == 0).all()


def test_poisson_adds_the_log_probability_of_each_count():
    slow = by_cell(BATCH, ("visits", "flat"), lambda x, k, name: stats.poisson.logpmf(x, own_values(name, k).mean()))
    np.testing.assert_allclose(scored(poisson()), slow, rtol=1e-12)


def test_a_class_without_counts_has_a_rate_floor_and_one_without_values_the_overall_rate():
    schema = Schema((Numeric("visits"),), Nominal("y", ("a", "b", "c")))
    x = np.array([[0.0], [0.0], [3.0], [5.0], [np.nan]])
    batch = Batch(schema, x, np.empty((0, 5), dtype=np.int32), np.array([0, 0, 1, 1, 2], dtype=np.int32))
    np.testing.assert_allclose(solve_poisson(MeasureTotals(("visits",)).of(batch)).rate[:, 0], [RATE_FLOOR * 2, 4, 2])


@pytest.mark.parametrize("value", [-1.0, 1.5, np.inf])
def test_what_is_no_count_is_an_error_that_names_the_column(value):
    batch = Batch(SCHEMA, np.array([[value, 1.0, 2.0]]), np.zeros((3, 1), dtype=np.int32))
    with pytest.raises(TableError, match=f"Column 'visits' is to be Poisson, but {value} is no count"):
        scored(poisson(), batch)


def test_kde_adds_the_log_of_the_mean_of_the_bumps():
    def log(value, k, name):
        values = own_values(name, k)
        width = silverman_bandwidth(Tally.of(values), 1.0)
        return math.log(np.mean(stats.norm.pdf(value, values, width)))

    np.testing.assert_allclose(scored(kde()), by_cell(BATCH, ("height", "visits"), log), rtol=1e-9)


def test_a_class_without_values_takes_the_bumps_of_all_classes():
    schema = Schema((Numeric("height"),), Nominal("y", ("a", "b")))
    x = np.array([[1.0], [2.0], [4.0], [np.nan]])
    batch = Batch(schema, x, np.empty((0, 4), dtype=np.int32), np.array([0, 0, 0, 1], dtype=np.int32))
    found = scored(solve_kernel_density(MeasureValueCounts(("height",)).of(batch)), batch)
    np.testing.assert_array_equal(found[:, 0], found[:, 1])


@every_likelihood
def test_likelihoods_add_to_what_is_there(solve):
    np.testing.assert_allclose(scored(solve(), start=-3.0), scored(solve()) - 3.0)


@every_likelihood
def test_a_row_without_known_values_adds_nothing(solve):
    empty = Batch(SCHEMA, np.full((2, 3), np.nan), np.full((3, 2), -1, dtype=np.int32))
    assert scored(solve(), empty).tolist() == [[0, 0, 0], [0, 0, 0]]
    assert solve().factors(empty) == []


@every_likelihood
def test_the_factors_of_a_row_add_up_to_its_log_likelihood(solve):
    likelihood, total = solve(), scored(solve())
    for i in range(20):
        row = BATCH.take(slice(i, i + 1))
        factors = likelihood.factors(row)
        np.testing.assert_allclose(sum((f.log for f in factors), np.zeros(3)), total[i], rtol=1e-10, atol=1e-12)
        assert all(factor.name in likelihood.columns for factor in factors)
        assert not any(factor.name in likelihood.silent for factor in factors)


def test_factors_read_as_they_were_computed():
    row = Batch(SCHEMA, np.array([[3.0, 171.5, 2.0]]), np.array([[1], [0], [2]], dtype=np.int32))
    counted = categorical().factors(row)[0]
    own = [code for code, c in zip(BATCH.codes[0], BATCH.class_codes(), strict=True) if c == 0 and code >= 0]
    assert (counted.name, counted.value) == ("wind", "Weak")
    assert counted.texts[0] == f"{own.count(1) + 1}/{len(own) + 2}"
    heights = own_values("height", 0)
    assert gaussian().factors(row)[1].texts[0] == f"N(171.5; {heights.mean():.4g}, {heights.var():.4g})"
    assert poisson().factors(row)[0].texts[0] == f"Pois(3; {own_values('visits', 0).mean():.4g})"
    assert kde().factors(row)[0].texts[0].startswith("kde(171.5; h=")


def test_columns_without_evidence_are_silent_and_add_nothing():
    assert categorical().silent == ("one",)
    assert gaussian().silent == ("flat",)
    assert kde().silent == ("flat",)
    zeros = Batch(SCHEMA, np.zeros((4, 3)), np.zeros((3, 4), dtype=np.int32), np.array([0, 1, 2, 0], dtype=np.int32))
    silent = solve_poisson(MeasureTotals(("visits",)).of(zeros))
    assert silent.silent == ("visits",)
    assert silent.parameter_count == 0
    assert (scored(silent) == 0).all()


def test_a_column_that_is_all_missing_is_silent_in_every_likelihood():
    gone = Batch(SCHEMA, np.full((6, 3), np.nan), np.full((3, 6), -1, dtype=np.int32), np.arange(6, dtype=np.int32) % 3)
    assert solve_categorical(Counts.of(gone), 1.0, "uniform").silent == ("wind", "one", "sky")
    assert solve_gaussian(Moments.of(gone), COLUMNS, False).silent == COLUMNS
    assert solve_kernel_density(MeasureValueCounts(COLUMNS).of(gone)).silent == COLUMNS
    assert solve_poisson(MeasureTotals(COLUMNS).of(gone)).silent == COLUMNS


def test_parameters_are_every_number_in_the_tables_of_columns_that_vary():
    assert categorical().parameter_count == (2 + 3) * 3
    assert gaussian().parameter_count == 2 * (3 + 3)
    assert gaussian(is_shared=True).parameter_count == 2 * (3 + 1)
    assert poisson().parameter_count == 2 * 3
    kept = sum(len(np.unique(own_values(name, k))) for name in ("height", "visits") for k in range(3))
    assert kde().parameter_count == kept + 2 * 3


def test_a_tally_of_few_values_is_left_as_it_is():
    tally = Tally.of(np.arange(float(kernel_density.MOST_VALUES)))
    assert gathered(tally, 1e6) is tally


MANY = {
    "normal": lambda random: random.normal(size=20_000),
    "gamma far from zero": lambda random: 1e6 + random.gamma(2.0, 30.0, 20_000),
    "two peaks": lambda random: np.concatenate([random.normal(0, 1, 5_000), random.normal(50, 0.1, 15_000)]),
    "uniform": lambda random: random.uniform(-1e-6, 1e-6, 5_000),
}


@pytest.mark.parametrize("draw", MANY.values(), ids=MANY.keys())
def test_gathered_values_keep_weight_mean_and_density(draw):
    random = np.random.default_rng(4)
    values = draw(random)
    tally = Tally.of(values, random.uniform(0.5, 2.0, len(values)))
    bandwidth = silverman_bandwidth(tally, float(values.std()))
    few = gathered(tally, bandwidth)
    assert len(few.values) < len(tally.values)
    assert (np.diff(few.values) > 0).all()
    assert few.total == pytest.approx(tally.total, rel=1e-12)
    assert few.weight @ few.values == pytest.approx(tally.weight @ tally.values, rel=1e-12, abs=1e-12 * tally.total)
    x = np.concatenate([random.choice(values, 400), np.linspace(values.min(), values.max(), 101)])
    before, after = np.empty(len(x)), np.empty(len(x))
    log_density(x, tally.values, tally.weight, bandwidth, before)
    log_density(x, few.values, few.weight, bandwidth, after)
    assert np.abs(np.exp(after) - np.exp(before)).max() < np.exp(before).max() / 5_000
    assert np.abs(np.exp(after - before)[:400] - 1).mean() < 1 / 5_000


def test_drawing_a_declared_column_without_known_values_and_smoothing_gives_no_code_past_its_levels():
    gone = Batch(SCHEMA, np.full((6, 3), np.nan), np.full((3, 6), -1, dtype=np.int32), np.arange(6, dtype=np.int32) % 3)
    codes = np.full((3, 4), -1, dtype=np.int32)
    classes = np.zeros(4, dtype=np.int32)
    likelihood = solve_categorical(Counts.of(gone), 0.0, "uniform")
    likelihood.draw(Drawn(np.empty((4, 3)), codes, classes), np.random.default_rng(0))
    assert (codes < np.array([[2], [2], [3]])).all()


def test_a_count_that_is_always_zero_is_drawn_as_zero_and_one_never_known_as_missing() -> None:
    table = {"zero": [0.0, 0.0, 0.0, 0.0], "unknown": [np.nan] * 4, "x": [1.0, 2.0, 3.0, 4.0]}
    kinds = {"zero": "poisson", "unknown": "poisson"}
    model = sf.NaiveBayes(likelihoods=kinds).fit(pd.DataFrame(table), ["a", "b", "a", "b"])
    drawn = model.sample(5, random_state=0)
    assert (drawn["zero"] == 0).all()
    assert drawn["unknown"].isna().all()
