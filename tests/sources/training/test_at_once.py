"""Closed-form models read a file once, under the schema that its first rows suggest; where they mislead, twice."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.base import clone

import suffice as sf
from suffice.errors import SettingError, SufficeWarning, TableError
from suffice.sources.readers import parquet_files
from suffice.sources.readers.files import Files
from suffice.sources.readers.parquet_files import ParquetFiles
from suffice.statistics.moments.full_moments import MeasureFullMoments

ROWS = 400
LATE = 300  # in none of the first chunks

QUIET = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Files, "chunk_rows", 64)
    monkeypatch.setattr(parquet_files, "CHUNK_ROWS", 64)


@pytest.fixture
def passes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows every pass over a Parquet file read."""
    found: list[int] = []
    own = ParquetFiles.batches

    def watched(self: Any, names: Any, rows: int) -> Iterator[Any]:
        place = len(found)
        found.append(0)
        for batch in own(self, names, rows):
            found[place] += batch.num_rows
            yield batch

    monkeypatch.setattr(ParquetFiles, "batches", watched)
    return found


def columns() -> dict[str, Any]:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, ROWS)
    return {
        "size": random.normal(y),
        "visits": random.integers(0, 9, ROWS).astype(float),
        "city": random.choice(["Lyon", "Oslo"], ROWS).astype(object),
        "y": np.array(["no", "yes"], dtype=object)[y],
    }


def changed(name: str, value: Any, row: int = LATE) -> pa.Table:
    found = columns()
    found[name][row] = value
    return pa.table(found)


def sorted_by_class() -> pa.Table:
    return pa.table(columns()).sort_by("y")


def of_numbers_and_words() -> pa.Table:
    found = columns()
    found["size"] = [f"{size:.3f}" for size in found["size"]]
    found["size"][LATE] = "large"
    return pa.table(found)


def empty_at_first() -> pa.Table:
    found = columns()
    found["size"] = np.where(np.arange(ROWS) < LATE, np.nan, found["size"])
    return pa.table(found)


@QUIET
@pytest.mark.parametrize("model", [sf.NaiveBayes(), sf.LDA(), sf.QDA()], ids=["naive Bayes", "LDA", "QDA"])
@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (pa.table(columns()), 1),
        (changed("visits", 0.5), 1),  # not whole after all, which changes no batch
        (changed("city", None), 1),
        (changed("y", None), 1),
        (changed("city", "Rome"), 2),
        (changed("y", "perhaps"), 2),
        (of_numbers_and_words(), 2),
        (empty_at_first(), 2),
        (sorted_by_class(), 2),
    ],
    ids=["as before", "fraction", "gap", "no class", "level", "class", "word", "empty at first", "one class at first"],
)
def test_the_model_is_that_of_the_rows_in_memory_whatever_comes_late(
    model: Any, table: pa.Table, expected: int, passes: list[int], tmp_path: Path
) -> None:
    pq.write_table(table, tmp_path / "t.parquet")
    here, there = clone(model).fit(table, "y"), clone(model).fit(tmp_path / "t.parquet", "y")
    assert passes == [ROWS] * expected
    assert there.schema_ == here.schema_
    assert there.describe(full=True) == here.describe(full=True)
    for name, part in there.statistic_.parts.items():
        assert part.schema == here.schema_, name
    np.testing.assert_allclose(there.predict_proba(table), here.predict_proba(table), rtol=1e-10)


@QUIET
def test_a_file_of_one_chunk_is_read_once(passes: list[int], tmp_path: Path) -> None:
    pq.write_table(pa.table(columns()).slice(0, 60), tmp_path / "t.parquet")
    sf.NaiveBayes().fit(tmp_path / "t.parquet", "y")
    assert passes == [60]


@QUIET
def test_levels_that_are_pooled_by_how_frequent_they_are_take_passes_of_their_own(
    passes: list[int], tmp_path: Path
) -> None:
    table = pa.table({**columns(), "many": [f"level {row % 40}" for row in range(ROWS)]})
    pq.write_table(table, tmp_path / "t.parquet")
    there = sf.LDA().fit(tmp_path / "t.parquet", "y")
    assert passes == [ROWS] * 3
    np.testing.assert_allclose(there.predict_proba(table), sf.LDA().fit(table, "y").predict_proba(table), rtol=1e-10)


def test_warnings_and_errors_are_said_once_and_of_all_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    named = changed("y", None).append_column("name", [[f"n{row}" for row in range(ROWS)]])
    pq.write_table(named, path)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", SufficeWarning)
        sf.NaiveBayes().fit(path, "y")
    texts = [str(warning.message) for warning in said]
    assert sum("1 of 400 rows has no class" in text for text in texts) == 1
    assert sum("Column 'name' is left out: it looks like an identifier: 399 levels" in text for text in texts) == 1
    assert len(texts) == 2
    pq.write_table(changed("size", np.inf), path)
    with pytest.raises(TableError, match=f"row {LATE + 1} "):
        sf.NaiveBayes().fit(path, "y")


def test_a_model_too_large_for_memory_is_refused_before_it_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(*given: Any) -> None:
        raise AssertionError("measured")

    pq.write_table(pa.table(columns()), tmp_path / "t.parquet")
    monkeypatch.setattr("suffice.estimators.enough_memory.ALWAYS_FITS", 0)
    monkeypatch.setattr("suffice.estimators.enough_memory.free_memory", lambda: 1)
    monkeypatch.setattr(MeasureFullMoments, "of", measure)
    with pytest.raises(SettingError, match="of memory"):
        sf.LDA().fit(tmp_path / "t.parquet", "y")
