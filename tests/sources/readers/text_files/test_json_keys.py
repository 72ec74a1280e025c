"""Keys of JSON objects that differ in case only, which DuckDB renames."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from table_of import table_of

import suffice as sf
from suffice.errors import TableError


def written(folder: Path, rows: list[dict[str, Any]], name: str = "t.jsonl") -> Path:
    path = folder / name
    path.write_text(json.dumps(rows) if name.endswith(".json") else "\n".join(map(json.dumps, rows)))
    return path


@pytest.mark.parametrize("name", ["t.jsonl", "t.json"])
def test_keys_that_differ_in_case_only_are_columns_of_their_own(tmp_path: Path, name: str) -> None:
    rows: list[dict[str, Any]] = [{"a": 1, "A": 2, "km/h": 3}, {"a": 4, "A": 5, "km/h": 6}]
    assert table_of(written(tmp_path, rows, name)) == {"a": ["1", "4"], "A": ["2", "5"], "km/h": [3.0, 6.0]}


def test_a_key_that_looks_like_a_renamed_one_keeps_its_cells(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"a": 1, "A": 2, "A_1": "x"}, {"A_1": "y", "A": 5, "a": 4}]
    assert table_of(written(tmp_path, rows)) == {"a": ["1", "4"], "A": ["2", "5"], "A_1": ["x", "y"]}
    assert table_of(written(tmp_path, [{"a": 1, "a_1": 2}, {"a": 3, "a_1": 4}])) == {"a": [1.0, 3.0], "a_1": [2.0, 4.0]}


def test_keys_that_differ_in_case_only_give_the_model_of_the_same_csv_file(tmp_path: Path) -> None:
    rows = [{"x": i, "X": i % 3, "flag": i % 4 == 0, "y": "pq"[i % 2]} for i in range(12)]
    table = tmp_path / "t.csv"
    table.write_text("x,X,flag,y\n" + "".join(",".join(map(str, row.values())) + "\n" for row in rows))
    models = [sf.NaiveBayes().fit(path, "y") for path in (written(tmp_path, rows), table)]
    assert models[0].describe() == models[1].describe()


def test_nested_cells_under_keys_that_differ_in_case_only_are_an_error_that_names_them(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="Column 'A' is nested in some rows"):
        table_of(written(tmp_path, [{"a": 1, "A": [2]}, {"a": 3, "A": [4]}]))
