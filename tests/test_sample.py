"""Sampled rows: in every kind of frame, with the table's own types."""

import builtins

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import SettingError
from suffice.models.generative import Drawn
from suffice.sample import arrow_table, as_frame, sample
from suffice.schema import Nominal, Numeric, Schema

SIZES = ["small", "large", "huge"]
MODELS = [sf.NaiveBayes(), sf.LDA(), sf.JointBayes()]
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)


def people(rows=90):
    random = np.random.default_rng(0)
    days = pd.to_timedelta(random.integers(0, 1000, rows), "D")
    return pd.DataFrame(
        {
            "height": random.normal(170, 9, rows),
            "when": pd.Timestamp("2020-01-01") + days,
            "town": random.choice(["Bonn", "Ulm"], rows),
            "member": random.random(rows) < 0.4,
            "size": pd.Categorical(random.choice(SIZES[:2], rows), categories=SIZES),
            "y": np.array(["a", "b", "c"])[np.arange(rows) % 3],
        }
    )


@every_model
def test_pandas_rows_come_back_as_pandas_with_declared_levels_and_times(model):
    rows = model.fit(people(), "y").sample(50, random_state=0)
    assert isinstance(rows, pd.DataFrame)
    assert list(rows.columns) == list(people().columns)
    assert pd.api.types.is_float_dtype(rows["height"])
    assert pd.api.types.is_datetime64_any_dtype(rows["when"])
    assert rows["when"].dt.year.between(2015, 2027).all()
    assert set(rows["town"]) <= {"Bonn", "Ulm"}
    assert rows["member"].dtype == bool
    assert rows["size"].cat.categories.tolist() == SIZES
    assert set(rows["y"]) == {"a", "b", "c"}


@every_model
def test_polars_rows_come_back_as_polars(model):
    table = pl.from_pandas(people()).with_columns(pl.col("size").cast(pl.Enum(SIZES)))
    rows = model.fit(table, "y").sample(50, random_state=0)
    assert isinstance(rows, pl.DataFrame)
    assert rows.schema["height"] == pl.Float64
    assert rows.schema["when"] == pl.Date
    assert rows.schema["town"] == pl.String
    assert rows.schema["member"] == pl.Boolean
    assert rows.schema["size"] == pl.Categorical


@every_model
def test_arrow_rows_come_back_as_arrow(model):
    rows = model.fit(pa.Table.from_pandas(people()), "y").sample(50, random_state=0)
    assert isinstance(rows, pa.Table)
    assert rows.schema.field("when").type == pa.date32()
    assert pa.types.is_dictionary(rows.schema.field("size").type)
    assert rows["size"].chunk(0).dictionary.to_pylist() == SIZES
    assert pa.types.is_boolean(rows.schema.field("member").type)


@every_model
def test_an_array_gives_arrow_rows(model):
    random = np.random.default_rng(1)
    rows = model.fit(random.normal(size=(40, 2)), np.arange(40) % 2).sample(3, random_state=0)
    assert isinstance(rows, pa.Table)
    assert rows.num_columns == 3


@every_model
def test_a_model_can_read_its_own_rows(model):
    model.fit(people(), "y")
    assert len(model.predict(model.sample(30, random_state=1))) == 30


def test_a_model_can_read_its_own_rows_where_numbers_are_levels():
    table = people().assign(door=np.where(np.arange(90) % 4, 1.0, 2.5))
    model = sf.NaiveBayes(nominal=["door"]).fit(table, "y")
    rows = model.sample(30, random_state=1)
    assert set(rows["door"]) == {1.0, 2.5}
    model.predict(rows)


@every_model
def test_the_same_seed_gives_the_same_rows(model):
    model.fit(people(), "y")
    first = model.sample(20, random_state=7)
    pd.testing.assert_frame_equal(first, model.sample(20, random_state=7))
    pd.testing.assert_frame_equal(first, model.sample(20, random_state=np.random.default_rng(7)))
    assert not first.equals(model.sample(20, random_state=8))


def test_an_old_random_state_is_a_seed_and_a_generator_moves_on():
    model = sf.NaiveBayes().fit(people(), "y")
    first, second = (model.sample(9, random_state=np.random.RandomState(3)) for _ in range(2))
    pd.testing.assert_frame_equal(first, second)
    generator = np.random.default_rng(3)
    assert not model.sample(9, random_state=generator).equals(model.sample(9, random_state=generator))


@every_model
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_no_rows_are_an_empty_frame(model, kind):
    rows = sample(model.fit(people(), "y").model_, 0, 0, kind)
    assert rows.shape == (0, 6)


@pytest.mark.parametrize("count", [-1, 2.0, "3", True, None])
def test_a_count_that_is_none_is_an_error(count):
    model = sf.NaiveBayes().fit(people(), "y")
    with pytest.raises(SettingError, match=f"whole number of at least 0, not {count!r}"):
        model.sample(count)


def drawn(codes, classes=(0, 0), numeric=()):
    numbers = np.array(numeric, dtype=np.float64).reshape(len(classes), -1)
    return Drawn(numbers, np.array(codes, dtype=np.int32).reshape(-1, len(classes)), np.array(classes, dtype=np.int32))


def test_missing_cells_are_null_in_every_kind_of_column():
    schema = Schema(
        (Numeric("x"), Numeric("when", time="moment"), Nominal("c", ("p", "q")), Nominal("d", ("r", "s"), True)),
        Nominal("y", ("a", "b")),
    )
    table = arrow_table(schema, drawn([[1, -1], [0, -1]], (1, 0), [[0.5, 86400.5], [np.nan, np.nan]]))
    assert [column.null_count for column in table.columns] == [1, 1, 1, 1, 0]
    assert table["when"][0].as_py() == pd.Timestamp("1970-01-02 00:00:00.5")
    assert (table["c"][0].as_py(), table["d"][0].as_py()) == ("q", "r")
    assert table["y"].to_pylist() == ["b", "a"]


def test_times_before_1970_are_times_too():
    schema = Schema((Numeric("when", time="moment"),), Nominal("y", ("a",)))
    table = arrow_table(schema, drawn([], numeric=[[-86400.0], [-0.5]]))
    assert table["when"][0].as_py() == pd.Timestamp("1969-12-31")
    assert table["when"][1].as_py() == pd.Timestamp("1969-12-31 23:59:59.5")


@pytest.mark.parametrize("seed", ["x", -1, 1.5])
def test_what_seeds_nothing_is_an_error(seed):
    model = sf.LDA().fit(people(), "y")
    with pytest.raises(SettingError, match=f"random_state must be a whole number of at least 0, .*, not {seed!r}"):
        model.sample(3, random_state=seed)


def test_levels_of_words_and_numbers_become_words():
    table = arrow_table(Schema((Nominal("c", (1, "x")),), Nominal("y", (True, False))), drawn([[0, 1]]))
    assert table["c"].to_pylist() == ["1", "x"]
    assert table["y"].to_pylist() == [True, True]


def test_levels_beyond_64_bits_become_words():
    table = arrow_table(Schema((Nominal("c", (1, 2**63)),), Nominal("y", (2**64,))), drawn([[0, 1]]))
    assert table["c"].to_pylist() == ["1", "9223372036854775808"]
    assert table["y"].to_pylist() == ["18446744073709551616"] * 2


def test_a_column_without_levels_is_null():
    table = arrow_table(Schema((Nominal("c", ()),), Nominal("y", ("a",))), drawn([[-1, -1]]))
    assert table["c"].to_pylist() == [None, None]
    assert as_frame(table, "pandas")["c"].isna().all()
    assert as_frame(table, "polars")["c"].null_count() == 2


def test_the_target_gets_a_name_of_its_own():
    schema = Schema((Nominal("class", ("p",)), Nominal("class_", ("q",))), Nominal("class", ("a",)))
    assert arrow_table(schema, drawn([[0, 0], [0, 0]])).column_names == ["class", "class_", "class__"]


def test_a_library_that_is_not_installed_leaves_an_arrow_table(monkeypatch):
    original = builtins.__import__

    def without_polars(name, *rest):
        if name == "polars":
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without_polars)
    table = pa.table({"a": [1]})
    assert as_frame(table, "polars") is table
    assert as_frame(table, "anything else") is table
