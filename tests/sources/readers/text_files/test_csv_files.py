"""The types and cells of a short CSV file are told without asking DuckDB, and are those that DuckDB tells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from suffice.sources.csv_file import CsvFile
from suffice.sources.readers.text_files import csv_files
from suffice.sources.readers.text_files.csv_files import CsvFiles

CELLS = {
    "whole": ["0", "-7", "12", "999999999999999999", "-0", "", " 3", "4 "],
    "large": ["1000000000000000000", "9223372036854775808", "1", "-1"],
    "fractions": ["0.5", "1", "-2.25", ".5", "3.", "1e5", "1e-7", "-1E+3", "", "0.0", "-.0"],
    "extreme": ["1e308", "1.5", "1e309", "1e-400", "4e-324", "0e9", "0.1"],
    "odd": ["+1", "1", "2.5", "007", "1_000", "0x10", "nan", "inf", "NaN", "1,5"],
    "days": ["2024-02-29", "2024-02-30", "1999-12-31", ""],
    "moments": ["2024-02-29 10:00:00", "2024-02-29T10:00:00.5", "2024-02-29 10:00:00Z", "2024-02-29"],
    "clocks": ["10:00:00", "25:00:00", "23:59:59.25"],
    "words": ["a", "1", "", "true", "yes"],
}


def files_of(columns: list[list[str]], path: Path) -> CsvFiles:
    names = [f"c{place}" for place in range(len(columns))]
    lines = [names, *zip(*columns, strict=True)]
    path.write_text("".join(";".join(f'"{cell}"' if cell else "" for cell in line) + "\n" for line in lines))
    return CsvFiles(CsvFile(str(path)), [str(path)], (), ())


def types_of(columns: list[list[str]], path: Path) -> dict[str, str]:
    return files_of(columns, path)._types


def cells_of(files: CsvFiles, names: Sequence[str]) -> pa.Table:
    return pa.Table.from_batches(files.batches(names, 3))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_they_are_those_that_duckdb_tells(tmp_path: Path, data: st.DataObject) -> None:
    rows = data.draw(st.integers(1, 4))
    kinds = data.draw(st.lists(st.sampled_from(sorted(CELLS)), min_size=6, max_size=12))
    columns = [data.draw(st.lists(st.sampled_from(CELLS[kind]), min_size=rows, max_size=rows)) for kind in kinds]
    found = files_of(columns, tmp_path / "table.csv")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_files, "type_of_all", lambda values, candidates: "")
        asked = files_of(columns, tmp_path / "table.csv")
    assert asked._cells is None
    assert asked._types == found._types
    for names in (found.names, found.names[::-2]):
        assert cells_of(found, names).equals(cells_of(asked, names))


def test_a_small_file_is_read_once_and_a_larger_one_in_every_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = [["1", "", "-20"], ["0.5", ".5", "1e3"], ["a", "", "b"], ["", "", ""]]
    small = files_of(columns, tmp_path / "small.csv")
    monkeypatch.setattr(csv_files, "KEPT_BYTES", 1)
    large = files_of(columns, tmp_path / "large.csv")
    assert small._cells is not None
    assert large._cells is None
    assert cells_of(small, small.names).equals(cells_of(large, small.names))
    assert [batch.num_rows for batch in small.batches(["c1"], 2)] == [2, 1]
    monkeypatch.delattr(csv_files, "scanned")
    assert cells_of(small, ["c2"])["c2"].to_pylist() == ["a", None, "b"]


def test_duckdb_is_asked_where_only_it_can_tell_or_where_there_are_more_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []
    ask = csv_files._first_that_hold

    def watched(cells: object, candidates: dict[str, tuple[str, ...]]) -> dict[str, str]:
        asked.append(list(candidates))
        return ask(cells, candidates)

    monkeypatch.setattr(csv_files, "_first_that_hold", watched)
    columns = [["1", "2"], ["0.5", "1"], ["a", "b"], ["", ""], ["2024-01-01", "2024-01-02"], ["1e-400", "0.1"]]
    types = ["BIGINT", "DOUBLE", "VARCHAR", "BIGINT", "DATE", "DOUBLE"]
    assert list(types_of(columns, tmp_path / "short.csv").values()) == types
    assert asked[0] == ["c4", "c5"]
    asked.clear()
    rows = csv_files.SAMPLE_ROWS
    assert list(types_of([["1"] * rows, ["x"] * rows], tmp_path / "long.csv").values()) == ["BIGINT", "VARCHAR"]
    assert asked[0] == ["c0", "c1"]
