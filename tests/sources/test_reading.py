"""The settings that say how a table is read, in whatever collection they come."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import TableError

TABLE = pd.DataFrame({"a": [1.0, 2.0, 8.0, 9.0], "b": [1, 2, 1, 2], "c": [0.5, 0.25, 0.5, 2.0], "y": list("ppqq")})
COLLECTIONS = {
    "list": list,
    "tuple": tuple,
    "dictionary": dict.fromkeys,
    "array": np.array,
    "index": pd.Index,
    "series": pd.Series,
}
every_collection = pytest.mark.parametrize("collection", COLLECTIONS.values(), ids=COLLECTIONS)
Collection = Callable[[list[str]], Any]


@every_collection
def test_columns_are_named_in_any_collection(collection: Collection) -> None:
    table = TABLE.assign(words=["a b c d e", "one two three four five", "p q r s t", "and so it goes on"])
    assert sf.LDA(drop=collection(["a", "c"])).fit(TABLE, "y").schema_.names == ("b",)
    nominal = sf.NaiveBayes(nominal=collection(["a", "b"])).fit(TABLE, "y").schema_.nominal
    assert [column.name for column in nominal] == ["a", "b"]
    assert len(sf.NaiveBayes(text=collection(["words"])).fit(table, "y").schema_.text) == 1
    kept = list(sf.LDA().fit(TABLE, "y").predictions(TABLE, keep=collection(["a", "b"])))
    assert kept[0].column_names == ["a", "b", "prediction"]
    result = sf.compare(TABLE, "y", models=["nb", "lda", "id3"], skip=collection(["nb", "id3"]), folds=2)
    assert {row.model for row in result.rows} == {"majority", "lda"}


@every_collection
def test_a_saved_model_was_told_what_to_read_in_any_collection(tmp_path: Path, collection: Collection) -> None:
    model = sf.LDA(drop=collection(["a", "b"]), missing_values=np.array([0.25])).fit(TABLE, "y")
    model.save(tmp_path / "m.json")
    again = sf.load(tmp_path / "m.json")
    assert list(again.drop) == ["a", "b"]
    assert again.missing_values == [0.25]
    assert again.describe() == model.describe()


def test_a_number_counts_an_array_s_columns_or_is_a_frame_s_name() -> None:
    array, classes = TABLE[["a", "b", "c"]].to_numpy(), TABLE["y"]
    for number in (0, 1, np.int64(1)):
        model = sf.NaiveBayes(nominal=number).fit(array, classes)
        assert [column.name for column in model.schema_.nominal] == [f"x{number}"]
        assert sf.LDA(drop=number).fit(array, classes).schema_.names == tuple(f"x{k}" for k in range(3) if k != number)
    frame = TABLE.rename(columns={"a": 0, "b": 5})
    model = sf.LDA(drop="c").fit(frame, "y")
    assert next(model.predictions(frame, keep=5)).column_names == ["5", "prediction"]
    assert next(sf.LDA().fit(array, classes).predictions(array, keep=[2])).column_names == ["x2", "prediction"]
    with pytest.raises(TableError, match="There is no column 'x7' in the table"):
        model.predictions(frame, keep=7)


def test_a_column_is_read_in_one_way() -> None:
    for first, second in (("drop", "keep"), ("drop", "text"), ("nominal", "text")):
        with pytest.raises(TableError, match=f"Column 'b' is named in `{first}` and in `{second}`. Take it out of one"):
            sf.NaiveBayes(**{first: ["b"], second: ["a", "b"]}).fit(TABLE, "y")
