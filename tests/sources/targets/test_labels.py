"""Labelled rows: classes and weights beside the columns, rows that do not count, further spellings of missing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from values_of import values_of

import suffice as sf
from suffice.errors import SufficeWarning, TableError
from suffice.schema import Chunk
from suffice.sources import Reading, extended, open_reader, read_as, read_table
from suffice.sources.engines.local import Local
from suffice.sources.reader import CHUNK_ROWS, Renamed
from suffice.sources.targets.labels import Labels, counting_rows
from suffice.sources.targets.target import coded_target
from suffice.sources.targets.weights import require_weights


class Labelled:
    """The rows of a reader with their labels: columns by name, arrays beside them."""

    def __init__(self, reader: Any, target: Any = None, weights: Any = None) -> None:
        names = tuple(given if isinstance(given, str) else None for given in (target, weights))
        arrays = [None if isinstance(given, str) else given for given in (target, weights)]
        self.labels, self.engine = Labels(*names), Local(reader, reader.names, target=arrays[0], weights=arrays[1])

    @property
    def names(self) -> tuple[str, ...]:
        return self.labels.others(self.engine.names)

    def every_row(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        return map(self.labels.of, self.engine.chunks(rows))

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        return (counting for chunk in self.every_row(rows) if (counting := counting_rows(chunk)).rows)


def cells_of(table: Labelled, name: str) -> list[Any]:
    return [cell for chunk in table.chunks(2) for cell in values_of(chunk.column(name))]


FRAME = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0, 5.0], "w": [1.0, 0.0, 2.0, 1.0, 1.0], "y": ["p", "q", None, "q", "p"]})


# Rows that count ----------------------------------------------------------------------------------------------------


def test_target_and_weights_are_no_columns_of_the_table() -> None:
    labelled = Labelled(open_reader(FRAME), "y", "w")
    assert labelled.names == ("a",)
    assert all(chunk.names == ("a",) for chunk in labelled.chunks())


def test_rows_without_a_class_or_with_weight_zero_do_not_count() -> None:
    labelled = Labelled(open_reader(FRAME), "y", "w")
    assert cells_of(labelled, "a") == [1.0, 4.0, 5.0]
    weights = [chunk.weights for chunk in labelled.chunks(2) if chunk.weights is not None]
    assert np.concatenate(weights).tolist() == [1.0, 1.0, 1.0]


def test_every_row_can_still_be_seen() -> None:
    labelled = Labelled(open_reader(FRAME), "y", "w")
    assert sum(chunk.rows for chunk in labelled.every_row(2)) == 5


def test_classes_may_be_codes_beside_the_table() -> None:
    labelled = Labelled(open_reader(FRAME), coded_target(list("abcde")))
    assert labelled.names == ("a", "w", "y")
    classes = [value for chunk in labelled.chunks(2) for value in values_of(chunk.target)]  # type: ignore[arg-type]
    assert classes == list("abcde")


@pytest.mark.parametrize(("what", "given"), [("y", {"target": coded_target(list("ab"))}), ("sample_weight", {})])
def test_too_few_classes_or_weights_are_an_error_at_once(what: str, given: dict[str, Any]) -> None:
    given = given or {"weights": np.ones(2)}
    seen = []
    with pytest.raises(TableError, match=rf"X has 4 rows or more, {what} has 2\. Give one for every row"):
        seen += [chunk.rows for chunk in Labelled(open_reader(FRAME), **given).chunks(2)]
    assert seen == [] or seen == [2]


@pytest.mark.parametrize(("what", "given"), [("y", {"target": coded_target(list("abcdef"))}), ("sample_weight", {})])
def test_too_many_classes_or_weights_are_an_error_at_the_end(what: str, given: dict[str, Any]) -> None:
    given = given or {"weights": np.ones(6)}
    with pytest.raises(TableError, match=rf"inconsistent numbers of samples: X has 5 rows, {what} has 6"):
        list(Labelled(open_reader(FRAME), **given).chunks(2))


# The warning of rows without a class --------------------------------------------------------------------------------


def test_rows_without_a_class_are_counted_in_a_warning_that_says_what_to_do() -> None:
    with pytest.warns(SufficeWarning) as caught:
        table = read_table(FRAME, "y")
    [warning] = caught
    text = str(warning.message)
    assert text.startswith("1 of 5 rows has no class ('y' is missing there) and is left out.")
    assert "Fill the target in" in text
    assert sum(batch.rows for batch in table.batches()) == 4


@pytest.mark.parametrize("model", [sf.NaiveBayes(), sf.JointBayes(), sf.LDA(), sf.QDA()])
def test_the_warning_comes_once_in_a_fit_however_many_passes_it_takes(model: Any, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    rows = "".join(f"{i % 7},{'' if i % 10 == 0 else 'pq'[i % 2]}\n" for i in range(200))
    path.write_text("a,y\n" + rows)
    with pytest.warns(SufficeWarning) as caught:
        model.fit(path, "y").predict(path)
    assert [str(warning.message)[:28] for warning in caught] == ["20 of 200 rows have no class"]
    assert caught[0].filename == __file__


def test_no_warning_where_every_row_has_a_class() -> None:
    read_table(FRAME[FRAME["y"].notna()], "y")  # a warning would be an error here


def test_a_spelling_of_missing_in_the_target_leaves_the_row_out() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "y": ["p", "?", "q"]})
    with pytest.warns(SufficeWarning, match="1 of 3 rows has no class"):
        schema = read_table(frame, "y", reading=Reading(missing_values=("?",))).schema
    assert schema.classes == ("p", "q")


def test_update_warns_of_rows_without_a_class_too() -> None:
    model = sf.NaiveBayes().fit(FRAME[FRAME["y"].notna()], "y")
    with pytest.warns(SufficeWarning, match="1 of 5 rows has no class"):
        model.update(FRAME, "y")


def test_a_target_that_is_missing_throughout_is_an_error() -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "y": pd.Series([None, None], dtype="str")})
    with pytest.raises(TableError, match=r"the target is missing in all 2 rows.*Check the file"):
        read_table(frame, "y")


# Weights ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf])
def test_a_weight_that_is_no_weight_is_named_by_its_row(wrong: float) -> None:
    weights = np.array([1.0, 1.0, 1.0, wrong, 1.0])
    with pytest.raises(TableError, match=r"Weights must be numbers of at least 0; row 4 \(the first is 1\) has"):
        require_weights(weights)
    frame = FRAME.assign(w=weights, y=list("pqpqp"))
    with pytest.raises(TableError, match=r"row 4 \(the first is 1\) has"):
        list(Labelled(open_reader(frame), "y", "w").chunks(2))


def test_weights_that_are_all_zero_are_an_error_however_they_are_given() -> None:
    frame = FRAME.assign(w=0.0, y=list("pqpqp"))
    for weights in (np.zeros(5), "w"):
        with pytest.raises(TableError, match=r"All weights are zero, so no row counts\. Give"):
            read_table(frame, "y", weights)


@pytest.mark.parametrize("weights", [["a"] * 5, [None, {}, 1, 2, 3]])
def test_weights_that_are_no_numbers_are_an_error(weights: list[Any]) -> None:
    with pytest.raises(TableError, match="Weights must be numbers of at least 0"):
        read_table(FRAME.assign(y=list("pqpqp")), "y", weights)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (["heavy", "light", "heavy", "light", "1"], "The weights 'w' must be numbers, but there is 'heavy'. Name"),
        (pd.date_range("2020-01-01", periods=5), "The weights 'w' must be numbers, but they are times. Name another"),
        ([1.0, None, 1.0, 1.0, 1.0], r"row 2 \(the first is 1\) has none \(column 'w'\)"),
        ([1.0, 1.0, -2.0, 1.0, 1.0], r"row 3 \(the first is 1\) has -2.0 \(column 'w'\)"),
        ([1.0, 1.0, 1.0, 1e200, 1.0], r"row 4 \(the first is 1\) has 1e\+200 \(column 'w'\)"),
    ],
)
@pytest.mark.parametrize("is_file", [False, True])
def test_a_column_that_holds_no_weights_is_named(tmp_path: Path, cells: Any, message: str, is_file: bool) -> None:
    table: Any = FRAME.assign(w=cells, y=list("pqpqp"))
    if is_file:
        table.to_csv(tmp_path / "t.csv", index=False)
        table = tmp_path / "t.csv"
    with pytest.raises(TableError, match=message):
        read_table(table, "y", "w")


@pytest.mark.parametrize("spelling", [(True, False), ("true", "false"), ("TRUE", "FALSE"), ("1", "0"), (1.0, 0.0)])
def test_truths_are_weights_of_one_and_zero_however_they_are_spelled(spelling: tuple[Any, Any]) -> None:
    yes, no = spelling
    table = read_table(FRAME.assign(w=[yes, no, yes, yes, yes], y=list("pqpqp")), "y", "w")
    assert sum(batch.row_weights().sum() for batch in table.batches()) == 4.0


def test_weights_that_the_model_reads_as_a_column_are_named() -> None:
    frame = FRAME.assign(y=list("pqpqp"))
    known = read_table(frame, "y").schema
    for target, weights, message in (("y", "a", "'a' cannot be the weights"), ("a", None, "'a' cannot be the target")):
        with pytest.raises(TableError, match=f"Column {message}: the model reads it"):
            read_as(known, frame, target, weights)


def test_weights_in_two_dimensions_are_an_error() -> None:
    with pytest.raises(TableError, match="Sample weights must be 1D"):
        require_weights(np.ones((2, 2)))


def test_one_weight_serves_all_rows() -> None:
    table = read_table(FRAME.assign(y=list("pqpqp")), "y", 2.0)
    assert [batch.row_weights().tolist() for batch in table.batches()] == [[2.0] * 5]


def test_a_weight_counts_a_row_as_often_as_it_says() -> None:
    frame = pd.DataFrame({"a": ["x", "x", "z"], "w": [2.0, 1.0, 3.0], "y": ["p", "q", "q"]})
    doubled = frame.loc[[0, 0, 1, 2, 2, 2], ["a", "y"]]
    weighted = sf.NaiveBayes().fit(frame, "y", sample_weight="w")
    np.testing.assert_allclose(
        weighted.predict_proba(frame), sf.NaiveBayes().fit(doubled, "y").predict_proba(frame), rtol=1e-12
    )


# Names --------------------------------------------------------------------------------------------------------------


def test_columns_may_be_renamed_in_order() -> None:
    reader = Renamed(open_reader(np.array([[1.0, 2.0]])), ("age", "height"))
    assert [chunk.names for chunk in reader.chunks()] == [("age", "height")]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"target": "Y"}, r"There is no target 'Y' in the table\. .*Its columns are 'a', 'w', 'y'"),
        ({"target": "y", "weights": "v"}, "There is no column of weights 'v'"),
        ({"target": "y", "reading": Reading(nominal=("b",))}, r"There is no column \(named in `nominal`\) 'b'"),
        ({"target": "y", "reading": Reading(keep=("b",))}, r"There is no column \(named in `keep`\) 'b'"),
    ],
)
def test_a_column_that_is_not_there_is_an_error_that_lists_those_that_are(call: dict[str, Any], words: str) -> None:
    with pytest.raises(TableError, match=words):
        read_table(FRAME, **call)


def test_a_near_name_is_suggested() -> None:
    frame = pd.DataFrame({"PlayTennis": ["a"], "Wind": ["b"]})
    with pytest.raises(TableError, match=r"There is no target 'PlayTenis' in the table\. Did you mean 'PlayTennis'\?"):
        read_table(frame, "PlayTenis")


def test_hundreds_of_columns_are_not_all_listed() -> None:
    with pytest.raises(TableError, match=r"'x19', … \(300 in all\)\.$"):
        read_table(np.zeros((2, 300)), "y")


def test_a_table_that_lacks_columns_is_an_error_that_names_them() -> None:
    schema = read_table(FRAME.assign(y=list("pqpqp")), "y").schema
    with pytest.raises(TableError, match=r"lacks the column 'w', which the model reads\. It has 'a'"):
        read_as(schema, FRAME[["a"]])
    with pytest.raises(TableError, match="lacks the columns 'a', 'w'"):
        read_as(schema, FRAME[["y"]])


@pytest.mark.parametrize("name", ["W", " w "])
def test_a_column_that_came_by_another_name_is_suggested(name: str) -> None:
    schema = read_table(FRAME.assign(y=list("pqpqp")), "y").schema
    with pytest.raises(TableError, match=f"lacks the column 'w'.* If '{name}' is 'w', rename it"):
        read_as(schema, FRAME.rename(columns={"w": name}))


def test_a_table_extends_its_schema_by_what_its_rows_bring() -> None:
    frame = pd.DataFrame({"a": ["x", "z"], "n": [1, 2], "y": ["p", "q"]})
    schema = read_table(frame, "y").schema
    more = pd.DataFrame({"a": ["new", "z"], "n": [1.5, None], "y": ["r", "q"]})
    wider = extended(read_as(schema, more, "y")).schema
    assert wider.nominal[0].levels == ("new", "x", "z")
    assert wider.classes == ("p", "q", "r")
    assert [column.name for column in wider.numeric] == ["n"]


def test_weights_that_are_words_are_an_error_that_speaks_of_weights() -> None:
    frame = pd.DataFrame({"it": ["1", "2", "3"], "w": ["1", "heavy", "2"], "y": list("pqp")})
    with pytest.raises(TableError, match=r"The weights 'w' must be numbers, but there is 'heavy'\. Name a column of"):
        sf.NaiveBayes().fit(frame, "y", sample_weight="w")


def test_a_title_above_the_names_is_suspected(tmp_path: Path) -> None:
    path = tmp_path / "titled.csv"
    path.write_text("Sales 2024,,\nprice,age,y\n1,2,p\n2,3,q\n")
    with pytest.raises(TableError, match=r"There is no target 'y'.* the first line may be a title"):
        sf.NaiveBayes().fit(path, "y")
