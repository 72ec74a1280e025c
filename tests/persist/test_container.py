"""Model files on disk: what is one, as far as its beginning tells."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

import suffice as sf
from suffice.persist import LARGE_ARRAY, is_model_file


@pytest.mark.parametrize("columns", [2, round((2 * LARGE_ARRAY) ** 0.5)], ids=["JSON", "zip"])
def test_what_save_writes_is_a_model_file(tmp_path: Path, columns: int) -> None:
    numbers = np.random.default_rng(0).normal(size=(20, columns))
    sf.LDA(shrinkage=0.5).fit(numbers, [0, 1] * 10).save(tmp_path / "model")
    assert is_model_file(tmp_path / "model")


def test_tables_and_workbooks_are_no_model_files(tmp_path: Path) -> None:
    (tmp_path / "table.json").write_text('{"format": "a value", "version": 4}\n')
    with zipfile.ZipFile(tmp_path / "table.zip", "w") as archive:
        archive.writestr("table.csv", "a,b\n1,2\n")
    assert not is_model_file(tmp_path / "table.json")
    assert not is_model_file(tmp_path / "table.zip")
    assert not is_model_file(tmp_path)


def test_a_damaged_archive_is_a_model_unless_its_name_says_something_else(tmp_path: Path) -> None:
    for name in ("model", "table.xlsx"):
        (tmp_path / name).write_bytes(b"PK\x03\x04 nothing of a zip")
    assert is_model_file(tmp_path / "model")
    assert not is_model_file(tmp_path / "table.xlsx")
