import numpy as np
import pytest

from suffice.schema import Alignment, Batch, Nominal, Numeric, Schema
from suffice.statistics.counts import Counts
from suffice.statistics.moments.indicators import MOST_LEVELS, Indicators

CLASSES = Nominal("y", ("a", "b"))
SCHEMA = Schema((Nominal("sky", ("sun", "rain", "fog")), Numeric("x"), Nominal("wind", ("weak", "strong"))), CLASSES)


def random_batch(schema, rows=60, seed=0):
    random = np.random.default_rng(seed)
    numeric = random.normal(size=(rows, len(schema.numeric)))
    numeric[random.random(numeric.shape) < 0.2] = np.nan
    codes = [random.integers(-1, len(column.levels), rows) for column in schema.nominal]
    classes = random.integers(0, 2, rows).astype(np.int32)
    return Batch(schema, numeric, np.array(codes, dtype=np.int32).reshape(len(codes), rows), classes)


def slow_expansion(indicators, batch):
    rows = []
    for row in range(batch.rows):
        cells = batch.numeric[row].tolist()
        for position, (column, kept) in enumerate(zip(batch.schema.nominal, indicators.kept, strict=True)):
            code = batch.codes[position, row]
            cells += [np.nan if code < 0 else float(column.levels[code] == level) for level in kept]
        rows.append(cells)
    return np.array(rows).reshape(batch.rows, indicators.dimensions)


@pytest.mark.parametrize(
    "kept", [(("sun", "rain", "fog"), ("weak", "strong")), (("fog", "sun"), ()), ((), ("strong",))]
)
def test_a_cell_becomes_zeros_and_a_one_and_a_missing_cell_all_missing(kept):
    indicators, batch = Indicators(SCHEMA, kept), random_batch(SCHEMA)
    np.testing.assert_array_equal(indicators.expand(batch), slow_expansion(indicators, batch))


def test_without_nominal_columns_the_numbers_are_taken_as_they_are():
    schema = Schema((Numeric("x"), Numeric("z")), CLASSES)
    batch = random_batch(schema)
    assert Indicators.of_all_levels(schema).expand(batch) is batch.numeric


def test_a_schema_without_columns_has_no_dimensions():
    indicators = Indicators.of_all_levels(Schema((), CLASSES))
    assert (indicators.dimensions, indicators.names, len(indicators.source)) == (0, (), 0)


def test_dimensions_know_their_names_and_columns():
    indicators = Indicators.of_all_levels(SCHEMA)
    assert indicators.names == ("x", "sky=sun", "sky=rain", "sky=fog", "wind=weak", "wind=strong")
    assert indicators.source.tolist() == [0, 1, 1, 1, 2, 2]
    assert indicators.starts == (1, 4, 6)


def table_of_frequencies(frequency):
    schema = Schema((Nominal("city", tuple(range(len(frequency)))),), CLASSES)
    table = np.zeros((len(frequency), 2))
    table[:, 1] = frequency
    return Counts(schema, table)


def test_past_thirty_levels_the_rarest_are_pooled():
    frequency = np.random.default_rng(0).permutation(np.arange(1, 43))
    kept = Indicators.of_frequent_levels(table_of_frequencies(frequency)).kept[0]
    assert len(kept) == MOST_LEVELS == 30
    assert kept == tuple(level for level in range(42) if frequency[level] > 12)


def test_of_equally_frequent_levels_the_first_are_kept():
    assert Indicators.of_frequent_levels(table_of_frequencies(np.ones(35))).kept[0] == tuple(range(30))


def test_up_to_thirty_levels_all_are_kept():
    assert Indicators.of_frequent_levels(table_of_frequencies(np.arange(30))).kept[0] == tuple(range(30))


def test_of_levels_with_indicators_the_most_frequent_keep_them(monkeypatch):
    monkeypatch.setattr("suffice.statistics.moments.indicators.MOST_LEVELS", 2)
    schema = Schema((Nominal("a", ("p", "q", "r", "s")), Nominal("b", ("t",))), Nominal("y", (0, 1)))
    counts = Counts(schema, np.array([[9.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 1.0], [11.0, 3.0]]))
    indicators = Indicators(schema, (("q", "r", "s"), ("t",)))
    assert not indicators.is_bounded
    assert indicators.bounded(counts).kept == (("r", "s"), ("t",))
    assert indicators.bounded(counts).is_bounded


def test_a_pooled_level_makes_no_indicator_but_is_not_missing():
    counts = table_of_frequencies(np.arange(40, 0, -1))
    indicators = Indicators.of_frequent_levels(counts)
    codes = np.array([[0, 29, 30, 39, -1]], dtype=np.int32)
    batch = Batch(counts.schema, np.empty((5, 0)), codes, np.zeros(5, dtype=np.int32))
    expanded = indicators.expand(batch)
    assert expanded.shape == (5, 30)
    assert expanded.sum(axis=1)[:4].tolist() == [1.0, 1.0, 0.0, 0.0]
    assert np.isnan(expanded[4]).all()


def nominal_schema(levels):
    return Schema((Nominal("sky", levels),), CLASSES)


def test_a_level_that_is_pooled_on_one_side_is_pooled_in_both():
    first = Indicators(nominal_schema(("fog", "rain", "sun")), (("rain", "sun"),))
    second = Indicators(nominal_schema(("hail", "rain", "sun")), (("hail", "rain"),))
    schema = first.schema.unite(second.schema)
    united = first.unite(second, schema)
    assert united.kept == (("hail", "rain"),)
    assert united.kept == second.unite(first, schema).kept


def test_under_another_schema_new_levels_get_indicators_and_pooled_ones_stay_pooled():
    old = Indicators(nominal_schema(("fog", "rain", "sun")), (("rain", "sun"),))
    new = nominal_schema(("sun", "snow", "fog"))
    moved = old.aligned(Alignment.between(old.schema, new))
    assert moved.kept == (("sun", "snow"),)
    assert old.positions_of(moved).tolist() == [1, -1]
