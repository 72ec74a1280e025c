"""Further spellings of missing: cells that are spelled as users say are missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from values_of import values_of

import suffice as sf
from suffice.sources import open_reader, read_table
from suffice.sources.missing_spellings import blanked


def frame_with(cells: list[Any]) -> pd.DataFrame:
    return pd.DataFrame({"it": pd.Series(cells, dtype=object)})


@pytest.mark.parametrize(
    ("cells", "spellings", "expected"),
    [
        ([1.0, -999.0, 3.0], [-999], [1.0, None, 3.0]),
        ([1.0, -999.0, 3.0], ["-999"], [1.0, None, 3.0]),
        (["x", "?", "z"], ["?"], ["x", None, "z"]),
        (["1", "-999", "z"], [-999], ["1", None, "z"]),
        ([True, False], [0], [True, False]),
        ([True, False], [False], [True, None]),
        (["x", "NA"], [], ["x", "NA"]),
        (["x", "NA"], ["NA"], ["x", None]),
    ],
)
def test_spellings_of_missing_are_numbers_by_value_and_text_by_letter(
    cells: list[Any], spellings: list[Any], expected: list[Any]
) -> None:
    [chunk] = open_reader(frame_with(cells)).chunks()
    assert values_of(blanked(chunk, spellings).column("it")) == expected


@pytest.mark.parametrize("kind", [float, int])
def test_spellings_of_missing_reach_a_matrix(kind: type) -> None:
    [chunk] = open_reader(np.array([[1, -999], [2, 3]], dtype=kind)).chunks()
    assert values_of(blanked(chunk, ["?", -999]).column("x1")) == [None, 3.0]


def test_text_that_is_all_numbers_but_for_a_spelling_of_missing_becomes_numeric() -> None:
    cells = [str(i) for i in range(11)]
    frame = frame_with([*cells, "?", "-999"]).assign(y=list("pqpqpqpqpqpqp"))
    model = sf.NaiveBayes(missing_values=["?", -999]).fit(frame, "y")
    assert [column.name for column in model.schema_.numeric] == ["it"]
    assert model.statistic_.parts["moments"].weight.sum() == 11
    np.testing.assert_allclose(model.predict_proba(frame_with(["?"])), [model.model_.priors], rtol=1e-12)


def test_without_the_spelling_a_column_is_nominal_and_a_note_says_what_to_do() -> None:
    frame = frame_with([*(str(i % 10) for i in range(40)), "unknown"]).assign(y=["p", "q"] * 20 + ["p"])
    schema = read_table(frame, "y").schema
    assert [column.name for column in schema.nominal] == ["it"]
    assert schema.notes == (
        "'it' would be numeric but for 'unknown'; if that means missing, say missing_values=['unknown'].",
    )


def test_text_that_is_all_numbers_is_numeric() -> None:
    frame = frame_with(["1", "2", "3", "1"]).assign(y=list("pqpq"))
    assert read_table(frame, "y").schema.numeric
