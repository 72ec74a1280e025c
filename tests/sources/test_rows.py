import numpy as np
import pyarrow as pa
import pytest
from batches import Batches

import suffice as sf
from suffice.errors import SettingError, SufficeWarning, TableError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.sources import Reading, read_table
from suffice.sources.given_source import as_rows
from suffice.sources.keeping.in_memory import InMemory
from suffice.statistics.counts import Counts
from suffice.statistics.row_sample import RowCount

IRIS = sf.datasets.load("iris")


@pytest.fixture
def batch() -> Batch:
    [batch] = read_table(sf.datasets.load("play_tennis"), "PlayTennis").batches()
    return batch


def test_fewer_columns_are_measured_and_mapped(batch: Batch) -> None:
    rows = as_rows(Batches((batch, batch)))
    wanted = rows.schema.with_columns([rows.schema.columns[1], rows.schema.columns[3]])
    narrow = rows.with_schema(wanted)
    assert narrow.schema == wanted
    np.testing.assert_array_equal(
        narrow.measure(Counts).table, InMemory.of(batch).with_schema(wanted).measure(Counts).table * 2
    )
    assert [part.codes.shape for part in narrow.map(lambda part: part)] == [(2, batch.rows)] * 2
    assert rows.with_schema(rows.schema) is rows


def test_a_batch_without_some_columns_of_every_kind() -> None:
    text = [f"some words and the number {i}" for i in range(30)]
    table = pa.table({"a": range(30), "t": text, "l": ["u", "v", "w"] * 10, "b": np.arange(30) / 7, "y": [0, 1] * 15})
    [batch] = read_table(table, "y", reading=Reading(reads_text=True, text=("t",))).batches()
    kept = [column for column in batch.schema.columns if column.name in ("b", "l")]
    narrow = batch.narrowed(batch.schema.with_columns(kept))
    np.testing.assert_array_equal(narrow.numeric[:, 0], np.arange(30) / 7)
    np.testing.assert_array_equal(narrow.codes, batch.codes)
    assert narrow.texts == ()
    words = batch.narrowed(batch.schema.with_columns(batch.schema.text))
    assert words.numeric.shape == (30, 0)
    assert words.codes.shape == (0, 30)
    assert words.texts[0] is batch.texts[0]


def test_the_rows_of_a_file_are_counted_as_they_are_read(tmp_path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("x,y\n1,a\n2,\n3,b\n4,a\n5,b\n")
    with pytest.warns(SufficeWarning, match="1 of 5 rows has no class"):
        table = read_table(path, "y")
    counting, counted = table.counting()
    assert counted.rows_read == 0
    assert counting.measure(RowCount).rows == 4
    assert counted.rows_read == 5


def test_a_tree_is_grown_of_a_source_without_columns_like_identifiers() -> None:
    random = np.random.default_rng(0)
    schema = Schema((Nominal("id", tuple(f"i{i}" for i in range(200))), Numeric("x")), Nominal("y", ("a", "b")))
    x = random.normal(size=(200, 1))
    codes = np.arange(200, dtype=np.int32)[None, :]
    batch = Batch(schema, x, codes, (x[:, 0] > 0).astype(np.int32))
    with pytest.warns(SufficeWarning, match="'id' .* left out of trees"):
        tree = sf.cart().fit(Batches((batch.take(slice(0, 120)), batch.take(slice(120, 200)))), "y")
    assert tree.schema_.names == ("x",)


def test_what_tells_of_a_table_takes_a_source_too(batch: Batch) -> None:
    tennis, source = sf.datasets.load("play_tennis"), Batches((batch,))
    assert str(sf.rank_features(source, "PlayTennis")) == str(sf.rank_features(tennis, "PlayTennis"))
    assert str(sf.linearly_separable(source, None)) == str(sf.linearly_separable(tennis, "PlayTennis"))
    rules = sf.id3().fit(tennis, "PlayTennis").rules()
    assert rules.predict(source).tolist() == rules.predict(tennis).tolist()
    with pytest.raises(TableError, match="Give the target"):
        sf.linearly_separable(tennis, None)


def test_a_model_of_arrays_is_judged_by_what_its_target_is_called() -> None:
    frame = IRIS.to_pandas()
    model = sf.LDA().fit(frame.drop(columns="species"), frame["species"])
    assert str(sf.evaluate(model, IRIS)) == str(sf.evaluate(model, IRIS, "species"))
    with pytest.raises(SettingError, match="Give the target"):
        sf.evaluate(model, frame.drop(columns="species").to_numpy())
