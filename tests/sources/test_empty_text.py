"""Empty text is a missing value, whatever holds it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import suffice as sf
from suffice.errors import TableError
from suffice.schema import Nominal, Numeric

FRAME = pd.DataFrame(
    {
        "n": ["1", "2", "", "3", "4", ""] * 5,
        "b": ["1", " ", "2", "3", "  ", "5"] * 5,
        "c": ["u", "", "v", "v", "u", ""] * 5,
        "y": ["p", "q", "", "p", "q", "q"] * 5,
    }
)
TABLE = pa.Table.from_pandas(FRAME, preserve_index=False)


def csv(folder: Path) -> Any:
    FRAME.to_csv(folder / "table.csv", index=False)
    return folder / "table.csv"


def parquet(folder: Path) -> Any:
    pq.write_table(TABLE, folder / "table.parquet")
    return folder / "table.parquet"


def json_lines(folder: Path) -> Any:
    FRAME.to_json(folder / "table.jsonl", orient="records", lines=True)
    return folder / "table.jsonl"


def arff(folder: Path) -> Any:
    header = ["@relation it", *(f"@attribute {name} string" for name in FRAME), "@data"]
    lines = [",".join(f"'{cell}'" for cell in row) for row in FRAME.to_numpy()]
    (folder / "table.arff").write_text("\n".join([*header, *lines]) + "\n")
    return folder / "table.arff"


SOURCES: dict[str, Callable[[Path], Any]] = {
    "csv": csv,
    "parquet": parquet,
    "json lines": json_lines,
    "arff": arff,
    "pandas object": lambda folder: FRAME.astype(object),
    "pandas str": lambda folder: FRAME.astype("str"),
    "pandas arrow": lambda folder: TABLE.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda folder: pl.from_arrow(TABLE),
    "pyarrow": lambda folder: TABLE,
    "views": lambda folder: TABLE.cast(pa.schema([(name, pa.string_view()) for name in TABLE.column_names])),
    "relation": lambda folder: duckdb.connect().from_arrow(TABLE),
}


@pytest.fixture(params=SOURCES)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return SOURCES[request.param](tmp_path)


@pytest.mark.filterwarnings("ignore:5 of 30 rows have no class")
def test_empty_text_is_missing_in_every_source(table: Any) -> None:
    model = sf.NaiveBayes().fit(table, "y")
    whole = Numeric("n", is_whole=True), Numeric("b", is_whole=True), Nominal("c", ("u", "v"))
    assert model.schema_.columns == whole
    assert model.classes_.tolist() == ["p", "q"]
    assert model.statistic_.parts["classes"].weight.tolist() == [10, 15]
    assert [note for note in model.schema_.notes if "' '" in note] == [
        "'b' is read as numbers: ' ', '  ' are missing. nominal=['b'] reads it as levels."
    ]


@pytest.mark.filterwarnings("ignore:5 of 30 rows have no class")
def test_empty_text_is_missing_in_rows_to_answer_for(table: Any) -> None:
    rows = FRAME[FRAME.y != ""]
    known = {name: rows[name].where(rows[name].str.strip() != "", None) for name in ("n", "b", "c")}
    model = sf.NaiveBayes().fit(pd.DataFrame({**known, "y": rows.y}), "y")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answers = model.predict_proba(table)
        assert model.score(table, "y") == model.score(rows, "y")
    np.testing.assert_array_equal(answers[[0, 1]], model.predict_proba(pd.DataFrame(known))[[0, 1]])
    given = model.explain({"n": "", "b": "3", "c": ""})
    assert given.posterior.tolist() == model.explain({"b": 3}).posterior.tolist()


@pytest.mark.parametrize("library", ["pandas", "pyarrow", "polars", "parquet"])
def test_an_empty_category_is_no_level(library: str, tmp_path: Path) -> None:
    frame = FRAME[FRAME.y != ""].astype({"c": pd.CategoricalDtype(["v", "", "u"])})
    table: Any = frame
    if library != "pandas":
        table = pa.Table.from_pandas(frame, preserve_index=False)
    if library == "polars":
        table = pl.from_arrow(table)
    if library == "parquet":
        pq.write_table(table, tmp_path / "table.parquet")
        table = tmp_path / "table.parquet"
    model = sf.NaiveBayes().fit(table, "y")
    column = model.schema_.nominal[0]
    assert set(column.levels) == {"u", "v"}
    assert model.statistic_.parts["counts"].table.sum() == 15


def test_a_class_of_empty_text_beside_the_table_is_an_error() -> None:
    for labels in (["p", "q", ""], np.array(["p", "q", ""], dtype=object), pd.Series(["p", "q", ""])):
        with pytest.raises(TableError, match=r"empty text.* Leave out the rows without a class"):
            sf.NaiveBayes().fit([[1.0], [2.0], [3.0]], labels)


def test_blanks_are_missing_among_times_and_a_level_among_words() -> None:
    frame = FRAME[FRAME.y != ""].assign(n="2020-03-01", c=["u", " ", "v", "v", "u"] * 5)
    frame.loc[0, "n"] = " "
    columns = {column.name: column for column in sf.NaiveBayes().fit(frame, "y").schema_.columns}
    assert columns["n"] == Numeric("n", "moment", is_whole=True)
    assert columns["c"] == Nominal("c", (" ", "u", "v"))
