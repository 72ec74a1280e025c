"""The ARFF reader: what it reads, what it refuses, and that nothing else can come out of it."""

from __future__ import annotations

import gzip
import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sklearn
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.io.arff import loadarff

from suffice.errors import TableError
from suffice.schema.chunk import Chunk, Coded, Values
from suffice.sources.readers.arff import arff
from suffice.sources.readers.arff.arff import ArffReader

WEATHER = """\
% the weather
@relation weather

@attribute outlook {sunny, overcast, rainy}
@attribute temperature real
@attribute humidity integer
@attribute note string
@attribute day date "yyyy-MM-dd"

@data
sunny, 85.5, 85, 'dry, hot', 1970-01-01
rainy, ?, 96, ?, "1970-01-02"
% a comment between the rows

overcast, 1e1, ?, calm, ?
"""

Write = Callable[[str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(content: str | bytes) -> Path:
        path = tmp_path / "table.arff"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written


@pytest.fixture(scope="module")
def shared_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("arff") / "table.arff"


def values_of(column: Values | Coded) -> list[Any]:
    if isinstance(column, Values):
        return [None if math.isnan(number) else number for number in column.data.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]


def table_of(reader: ArffReader, rows: int = 65_536) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {name: [] for name in reader.names}
    for chunk in reader.chunks(rows):
        for name in reader.names:
            table[name] += values_of(chunk.column(name))
    return table


def weights_of(reader: ArffReader, rows: int) -> list[float]:
    weights: list[float] = []
    for chunk in reader.chunks(rows):
        weights += [1.0] * chunk.rows if chunk.weights is None else chunk.weights.tolist()
    return weights


def only_chunk(path: Path, missing_values: Sequence[str | float] = ()) -> Chunk:
    [chunk] = ArffReader(path, missing_values).chunks()
    return chunk


def column_of(write: Write, declaration: str, *cells: str) -> list[Any]:
    """The values of a table of one attribute."""
    path = write("\n".join([f"@attribute x {declaration}", "@data", *cells]))
    return values_of(only_chunk(path).column("x"))


def test_every_kind_of_attribute_is_read(write: Write) -> None:
    reader = ArffReader(write(WEATHER))
    assert reader.names == ("outlook", "temperature", "humidity", "note", "day")
    assert table_of(reader) == {
        "outlook": ["sunny", "rainy", "overcast"],
        "temperature": [85.5, None, 10.0],
        "humidity": [85.0, 96.0, None],
        "note": ["dry, hot", None, "calm"],
        "day": [0.0, 86400.0, None],
    }


def test_columns_say_what_they_are(write: Write) -> None:
    chunk = only_chunk(write(WEATHER))
    kinds = {name: column for name, column in chunk.columns.items() if isinstance(column, Values)}
    assert {name: (column.is_integer, column.is_time) for name, column in kinds.items()} == {
        "temperature": (False, False),
        "humidity": (True, False),
        "day": (False, True),
    }
    outlook, note = chunk.column("outlook"), chunk.column("note")
    assert isinstance(outlook, Coded)
    assert isinstance(note, Coded)
    assert (outlook.levels, outlook.declared) == (("sunny", "overcast", "rainy"), True)
    assert (note.levels, note.declared) == (("dry, hot", "calm"), False)


def test_declared_levels_that_no_row_has_are_kept(write: Write) -> None:
    column = only_chunk(write("@attribute x {c, 'b b', a}\n@data\na")).column("x")
    assert isinstance(column, Coded)
    assert column.levels == ("c", "b b", "a")


def test_each_call_of_chunks_reads_from_the_start(write: Write) -> None:
    reader = ArffReader(write(WEATHER))
    first = reader.chunks(1)
    next(first)
    assert table_of(reader) == table_of(reader)
    assert next(first).rows == 1


def test_a_file_without_rows_gives_no_chunk(write: Write) -> None:
    reader = ArffReader(write("@attribute x real\n@data\n% nothing\n\n"))
    assert (reader.names, list(reader.chunks())) == (("x",), [])


def test_the_path_may_be_text(write: Write) -> None:
    assert ArffReader(str(write(WEATHER))).names[0] == "outlook"


def test_keywords_and_types_may_have_any_case(write: Write) -> None:
    path = write("@RELATION r\n@Attribute x NuMeRiC\n@ATTRIBUTE s String\n@attribute d DATE yyyy\n@DATA\n1,a,1970")
    assert table_of(ArffReader(path)) == {"x": [1.0], "s": ["a"], "d": [0.0]}


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
def test_lines_may_end_in_any_way(write: Write, ending: str) -> None:
    expected = table_of(ArffReader(write(WEATHER)))
    assert table_of(ArffReader(write(WEATHER.replace("\n", ending)))) == expected


def test_a_byte_order_mark_is_no_part_of_the_text(write: Write) -> None:
    assert ArffReader(write(b"\xef\xbb\xbf@attribute x real\n@data\n1")).names == ("x",)


def test_compressed_files_are_read(tmp_path: Path, write: Write) -> None:
    packed = tmp_path / "table.arff.gz"
    packed.write_bytes(gzip.compress(WEATHER.encode()))
    assert table_of(ArffReader(packed)) == table_of(ArffReader(write(WEATHER)))


def test_names_may_be_quoted_and_hold_anything(write: Write) -> None:
    path = write(
        "@attribute 'two words' real\n@attribute \"it's\" {a}\n"
        "@attribute 'it\\'s \\\\ 50\\%, {x}' real % comment\n@attribute\tünïcode\treal\n@data\n1,a,2,3"
    )
    assert ArffReader(path).names == ("two words", "it's", "it's \\ 50%, {x}", "ünïcode")


def test_levels_may_follow_the_name_without_a_space(write: Write) -> None:
    assert table_of(ArffReader(write("@attribute class{a,b}\n@data\nb"))) == {"class": ["b"]}


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("'a,b'", "a,b"),
        ('"a,b"', "a,b"),
        (r"'it\'s'", "it's"),
        ('"it\'s"', "it's"),
        (r'"say \"so\""', 'say "so"'),
        (r"'a\\'", "a\\"),
        (r"'a\tb\nc\rd'", "a\tb\nc\rd"),
        (r"'\u00e9\101\q'", "éAq"),
        (r"'\ud83d'", "ud83d"),
        ("'50%'", "50%"),
        ("'{a}'", "{a}"),
        ("' padded '", " padded "),
        ("'?'", "?"),
        ("''", None),
        ("  plain text  ", "plain text"),
        (r"C:\new", r"C:\new"),
        ("O'Brien", "O'Brien"),
        ("a % comment", "a"),
        ("'a' % it's a comment", "a"),
        ("?", None),
        (" ? % comment", None),
    ],
)
def test_cells_are_read_as_they_are_meant(write: Write, cell: str, text: str | None) -> None:
    assert column_of(write, "string", cell) == [text]


def test_one_text_in_several_spellings_is_one_level(write: Write) -> None:
    column = only_chunk(write("@attribute x string\n@data\na b\n'a b'\n\"a b\"\n a b ")).column("x")
    assert isinstance(column, Coded)
    assert (column.levels, column.codes.tolist()) == (("a b",), [0, 0, 0, 0])


def test_a_quoted_question_mark_is_a_level_and_an_unquoted_one_is_missing(write: Write) -> None:
    assert column_of(write, "{a, '?'}", "?", "'?'", "a") == [None, "?", "a"]


def test_an_empty_cell_is_missing(write: Write) -> None:
    path = write("@attribute a {x}\n@attribute b real\n@attribute c string\n@data\n,,\nx,1,' '")
    assert table_of(ArffReader(path)) == {"a": [None, "x"], "b": [None, 1.0], "c": [None, " "]}


@pytest.mark.parametrize("row", ["a,b,1", "a ,\tb\t, 1", "a\tb\t1", "'a'\t\t\"b\" ,1\t% comment", "'a','b','1'"])
def test_values_are_separated_by_commas_or_tabs_with_any_spaces(write: Write, row: str) -> None:
    path = write(f"@attribute a {{a,\tb}}\n@attribute b string\n@attribute c real\n@data\n\t{row} \n")
    assert table_of(ArffReader(path)) == {"a": ["a"], "b": ["b"], "c": [1.0]}


@pytest.mark.parametrize("cell", ["1.5", "+1.5", " 1.5 ", "15e-1", "'1.5'", ".15E1"])
def test_numbers_may_be_written_in_any_usual_way(write: Write, cell: str) -> None:
    assert column_of(write, "numeric", cell, "?", "2") == [1.5, None, 2.0]


def test_weights_fill_up_with_ones(write: Write) -> None:
    chunk = only_chunk(write("@attribute x real\n@attribute s string\n@data\n1,a,{0.5}\n2,b\n3,c {2} % twice"))
    assert chunk.weights is not None
    assert chunk.weights.tolist() == [0.5, 1.0, 2.0]
    assert values_of(chunk.column("s")) == ["a", "b", "c"]


def test_without_weights_there_are_none(write: Write) -> None:
    assert only_chunk(write(WEATHER)).weights is None


@pytest.mark.parametrize(
    ("pattern", "cell", "moment"),
    [
        ("", "2001-02-03T04:05:06", datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC)),
        ("'yyyy-MM-dd\\'T\\'HH:mm:ss'", "2001-02-03T04:05:06", datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC)),
        ("yyyy-MM-dd'T'HH:mm:ss", "1901-2-3T4:5:6", datetime(1901, 2, 3, 4, 5, 6, tzinfo=UTC)),
        ("yyyyMMddHHmm", "200102030405", datetime(2001, 2, 3, 4, 5, tzinfo=UTC)),
        ('"dd.MM.yy"', "03.02.99", datetime(1999, 2, 3, tzinfo=UTC)),
        ('"M/d/yy h:mm a"', "'2/3/01 12:30 AM'", datetime(2001, 2, 3, 0, 30, tzinfo=UTC)),
        ('"M/d/yy h:mm a"', "'2/3/2001 12:30 pm'", datetime(2001, 2, 3, 12, 30, tzinfo=UTC)),
        ('"EEE, d MMM yyyy"', "'Sat, 3 Feb 2001'", datetime(2001, 2, 3, tzinfo=UTC)),
        ('"MMMM d yyyy"', "'february 3 2001'", datetime(2001, 2, 3, tzinfo=UTC)),
        ('"HH:mm:ss.SSS"', "00:00:01.500", datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2001-02-03T04:05:06+02:00", datetime(2001, 2, 3, 2, 5, 6, tzinfo=UTC)),
        ("yyyy-MM-dd'T'HH:mm:ssX", "2001-02-03T04:05:06Z", datetime(2001, 2, 3, 4, 5, 6, tzinfo=UTC)),
        ('"yyyy-MM-dd HH:mm Z"', "'2001-02-03 04:05 -0330'", datetime(2001, 2, 3, 7, 35, tzinfo=UTC)),
        ('"yyyy-MM-dd HH:mm z"', "'2001-02-03 04:05 GMT'", datetime(2001, 2, 3, 4, 5, tzinfo=UTC)),
        ("\"h 'o''clock' a\"", '"3 o\'clock PM"', datetime(1970, 1, 1, 15, tzinfo=UTC)),
        ("\"yyyy''MM\"", '"2001\'02"', datetime(2001, 2, 1, tzinfo=UTC)),
    ],
)
def test_dates_follow_their_pattern(write: Write, pattern: str, cell: str, moment: datetime) -> None:
    assert column_of(write, f"date {pattern}", cell, "?") == [moment.timestamp(), None]


def test_further_spellings_of_missing_hold_for_every_kind(write: Write) -> None:
    path = write(
        "@attribute a {x, NA, y}\n@attribute b real\n@attribute c string\n@attribute d date yyyy\n@data\n"
        "x, NA, NA, NA\nNA, 'NA', none, 1970\n-, -, -, -\ny, 2, z, 1970"
    )
    chunk = only_chunk(path, ["NA", "-"])
    assert {name: values_of(column) for name, column in chunk.columns.items()} == {
        "a": ["x", None, None, "y"],
        "b": [None, None, None, 2.0],
        "c": [None, "none", None, "z"],
        "d": [None, 0.0, None, 0.0],
    }
    nominal = chunk.column("a")
    assert isinstance(nominal, Coded)
    assert (nominal.levels, nominal.declared) == (("x", "y"), True)


@pytest.mark.parametrize("spelling", ["-9", -9, -9.0])
def test_a_number_as_spelling_of_missing_counts_by_its_value(write: Write, spelling: str | float) -> None:
    path = write("@attribute x real\n@data\n-9\n -9.0\n9\n'-9'")
    assert values_of(only_chunk(path, [spelling]).column("x")) == [None, None, 9.0, None]


def test_a_number_as_spelling_of_missing_holds_for_levels_too(write: Write) -> None:
    path = write("@attribute x {1, 9}\n@attribute s string\n@data\n9,9\n1,1")
    chunk = only_chunk(path, [9])
    assert [values_of(column) for column in chunk.columns.values()] == [[None, "1"], [None, "1"]]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("@attribute x real\n1", 2, "a line @data must come first"),
        ("@attribute x real\n\n", 2, "ends without @data"),
        ("", 0, "ends without @data"),
        ("@data\n1", 1, "before any @attribute"),
        ("@attribute x real\n@data now", 2, "'now' stands where the line should end"),
        ("@inputs x", 1, "@relation, @attribute or @data is expected"),
        ("@attribute x real\n@attribute 'x' real\n@data", 2, "'x' is declared twice"),
        ("@attribute", 1, "lacks a name"),
        ("@attribute x", 1, "lacks a type"),
        ("@attribute x % real", 1, "lacks a type"),
        ("@attribute x float", 1, "the type 'float', which is unknown"),
        ("@attribute two words real", 1, "'real' stands where the line should end"),
        ("@attribute x real [0, 1]", 1, r"'\[0, 1\]' stands where"),
        ("@attribute 'x real", 1, "a quote is opened and not closed"),
        ("@attribute x {a, b", 1, "not closed by a brace"),
        ("@attribute x {a, 'b}", 1, "a quote is opened and not closed"),
        ("@attribute x {10%, 20%}", 1, "quote a level that holds"),
        ("@attribute x {a, 'a'}", 1, "the level 'a' twice"),
        ("@attribute x {a} b", 1, "'b' stands where"),
        ("@attribute x relational\n@attribute y real\n@end x\n@data", 1, "'x' is relational"),
        ("@attribute x date 'yyyy-ww'", 1, "the letter 'w', which is not read here"),
        ("@attribute x date '-'", 1, "'-' has no field"),
        ('@attribute x date "yyyy\'T"', 1, "opens a quote and does not close it"),
        ("@attribute x real\n@attribute y real\n@data\n1,2\n{0 1}", 5, "the row is sparse"),
        ("@attribute x real\n@attribute y real\n@data\n\n1", 5, "1 values, but 2 attributes"),
        ("@attribute x real\n@attribute y real\n@data\n1,2,3", 4, "3 values, but 2 attributes"),
        ("@attribute x real\n@attribute y string\n@data\n1,'a','b'", 4, "3 values, but 2 attributes"),
        ("@attribute x real\n@data\n1\n2\none", 5, "'x' holds numbers, but here it has 'one'"),
        ("@attribute x real\n@data\n1_000", 3, "'x' holds numbers, but here it has '1_000'"),
        ("@attribute x real\n@data\n'?'", 3, r"'x' holds numbers, but here it has '\?'"),
        (
            "@attribute x {a, b}\n@data\na\nc",
            4,
            r"the level 'c', which is not declared \(declared: 'a', 'b'\)",
        ),
        ("@attribute x {a}\n@data\nA", 3, "the level 'A', which is not declared"),
        ("@attribute x date\n@data\nyesterday", 3, "'x' holds dates such as"),
        ("@attribute x date yyyy-MM-dd\n@data\n2001-02-30", 3, "here it has '2001-02-30'"),
        ("@attribute x date yyyyyyyyyyyyMM\n@data\n99999999999901", 3, "here it has '99999999999901'"),
        ("@attribute x date 'h a'\n@data\n'13 AM'", 3, "here it has '13 AM'"),
        ("@attribute x string\n@data\n'a", 3, "a quote is opened and not closed"),
        ("@attribute x string\n@data\n'a\\'", 3, "a quote is opened and not closed"),
        ("@attribute x string\n@data\n'it''s'", 3, "follows a value without a comma"),
        ("@attribute x string\n@data\na}", 3, "follows a value without a comma"),
        ("@attribute x real\n@data\n1,{heavy}", 3, "is no weight of a row"),
        ("@attribute x real\n@data\n1,{-1}", 3, "is no weight of a row"),
        ("@attribute x real\n@data\n1,{inf}", 3, "is no weight of a row"),
        ("@attribute x string\n@data\na{b}c", 3, "is no weight of a row"),
        (b"@attribute x string\n@data\nfine\nna\xefve", 4, "bytes that are not UTF-8"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(write: Write, content: str | bytes, line: int, message: str) -> None:
    path = write(content)
    with pytest.raises(TableError, match=message) as caught:
        table_of(ArffReader(path))
    assert str(caught.value).startswith(f"{path}, line {line}: ")


def test_the_line_is_right_far_into_the_file(write: Write) -> None:
    rows = "% comment\n" + "1\n" * 100_000 + "\none\n"
    with pytest.raises(TableError, match="line 100005: attribute 'x' holds numbers"):
        table_of(ArffReader(write("@attribute x real\n@data\n" + rows)))


def test_long_values_are_shortened_in_errors(write: Write) -> None:
    with pytest.raises(TableError) as caught:
        column_of(write, "real", "x" * 10_000)
    assert len(str(caught.value)) < 500


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"nowhere\.arff cannot be read"):
        ArffReader(tmp_path / "nowhere.arff")


@pytest.mark.parametrize("damage", [lambda packed: packed[:-20], lambda packed: b"no gzip", lambda packed: packed[:40]])
def test_a_damaged_compressed_file_is_an_error(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "table.arff.gz"
    noise = "\n".join(map(str, np.random.default_rng(0).normal(size=5000).tolist()))
    path.write_bytes(damage(gzip.compress(f"@attribute x real\n@data\n{noise}".encode())))
    with pytest.raises(TableError, match="cannot be read"):
        table_of(ArffReader(path))


@pytest.mark.parametrize(
    "line", ["'" * 50_001, "\\" * 50_000, "'" + "\\" * 50_001, " \t" * 50_000 + "x", "a,{" * 20_000]
)
def test_awkward_lines_take_no_longer_than_others(write: Write, line: str) -> None:
    path = write(f"@attribute x string\n@attribute y date \"E'a'E'a'E'a'E'a'E'a'E\"\n@data\n{line}\na,{'a' * 50_000}")
    with pytest.raises(TableError):
        table_of(ArffReader(path))


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 100])
def test_chunks_put_together_are_the_whole(write: Write, rows: int) -> None:
    header, data = WEATHER.split("@data\n")
    reader = ArffReader(write(header + "@data\n" + data * 5))
    assert table_of(reader, rows) == table_of(reader)
    sizes = [chunk.rows for chunk in reader.chunks(rows)]
    assert sizes == [rows] * (15 // rows) + ([15 % rows] if 15 % rows else [])


def test_a_chunk_is_read_in_blocks_that_cannot_be_seen(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    header, data = WEATHER.split("@data\n")
    reader = ArffReader(write(header + "@data\n" + data * 5))
    whole = table_of(reader)
    monkeypatch.setattr(arff, "CELLS_AT_ONCE", 10)
    assert table_of(reader) == whole
    monkeypatch.setattr(arff, "MOST_NUMBERS", 20)
    assert table_of(reader) == whole
    assert max(chunk.rows for chunk in reader.chunks()) == 4


@pytest.mark.parametrize("number", [3, 61, 1590, 42585])
def test_real_files_are_read_as_scipy_reads_them(number: int) -> None:
    folder = Path(sklearn.__file__).parent / "datasets/tests/data/openml" / f"id_{number}"
    paths = list(folder.glob("*.arff.gz"))
    if not paths:
        pytest.skip("this scikit-learn comes without its tests' data")
    with gzip.open(paths[0], "rt", encoding="utf-8") as file:
        expected, _ = loadarff(file)
    found = table_of(ArffReader(paths[0]))
    assert list(found) == list(expected.dtype.names)
    for name, values in found.items():
        is_text = expected[name].dtype.kind == "S"
        gap, read = ("?", lambda cell: cell.decode()) if is_text else (math.nan, float)
        np.testing.assert_array_equal(
            [gap if value is None else value for value in values], [read(cell) for cell in expected[name]]
        )


def test_levels_are_the_same_object_in_every_chunk(write: Write) -> None:
    columns = [chunk.column("outlook") for chunk in ArffReader(write(WEATHER)).chunks(1)]
    assert len({id(column.levels) for column in columns if isinstance(column, Coded)}) == 1


Table = tuple[dict[str, str], list[list[Any]], list[float | None]]  # declarations by name, rows, weights

AWKWARD = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.text("?'\"\\,%{}@ \t\n\r;aé0", max_size=6)
DATES = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31)).map(lambda date: date.replace(microsecond=0))


@st.composite
def tables(draw: st.DrawFn) -> Table:
    names = draw(st.lists(AWKWARD, min_size=1, max_size=4, unique=True))
    declarations: dict[str, str] = {}
    cells: list[st.SearchStrategy[Any]] = []
    for name in names:
        kind = draw(st.sampled_from(["real", "string", "date", "nominal"]))
        if kind == "nominal":
            levels = draw(st.lists(AWKWARD, min_size=1, max_size=4, unique=True))
            kind = "{" + ", ".join(draw(spelled(level)) for level in levels) + "}"
            cells.append(st.none() | st.sampled_from(levels))
        else:
            values = {"real": st.floats(allow_nan=False), "string": AWKWARD, "date": DATES}
            cells.append(st.none() | values[kind])
        declarations[name] = kind
    rows = draw(st.lists(st.tuples(*cells).map(list), max_size=6))
    weights = draw(st.lists(st.none() | st.floats(0, 1e9), min_size=len(rows), max_size=len(rows)))
    return declarations, rows, weights


def spelled(value: Any) -> st.SearchStrategy[str]:
    """The ways a value may be written."""
    if value is None:
        return st.just("?")
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    escapes = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
    ways = [
        quote + "".join("\\" + sign if sign == quote else escapes.get(sign, sign) for sign in text) + quote
        for quote in "'\""
    ]
    is_plain = text.strip() == text and text not in ("", "?") and set(text).isdisjoint("'\"\\,%{}\t\n\r")
    return st.sampled_from([*ways, text] if is_plain else ways)


@st.composite
def files(draw: st.DrawFn) -> tuple[Table, str]:
    declarations, rows, weights = table = draw(tables())
    gaps = st.sampled_from([",", ", ", " ,", "\t,\t"])
    name_ways = {
        name: spelled(name).filter(lambda way: way[0] in "'\"" or not any(map(str.isspace, way)))
        for name in declarations
    }
    lines = [f"@attribute {draw(name_ways[name])} {kind}" for name, kind in declarations.items()]
    lines.append("@data")
    for row, weight in zip(rows, weights, strict=True):
        cells = [draw(spelled(value)) for value in row]
        line = cells[0] + "".join(draw(gaps) + cell for cell in cells[1:])
        lines.append(line if weight is None else f"{line}{draw(st.sampled_from([',', ' ']))}{{{weight!r}}}")
    return table, draw(st.sampled_from(["\n", "\r\n", "\n%\n\n"])).join(lines)


@given(files())
@settings(deadline=None)
def test_any_table_that_is_written_is_read_back(shared_path: Path, case: tuple[Table, str]) -> None:
    (declarations, rows, weights), text = case
    shared_path.write_bytes(text.encode())
    reader = ArffReader(shared_path)
    assert reader.names == tuple(declarations)
    expected = [
        [
            value.replace(tzinfo=UTC).timestamp() if isinstance(value, datetime) else None if value == "" else value
            for value in row
        ]
        for row in rows
    ]
    assert table_of(reader) == {name: [row[position] for row in expected] for position, name in enumerate(declarations)}
    assert table_of(reader, 2) == table_of(reader)
    assert weights_of(reader, 2) == [1.0 if weight is None else weight for weight in weights]


def read_or_refuse(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        table_of(ArffReader(path, ["-", 9]), 3)
    except TableError as error:
        message = str(error)
    else:
        return
    assert str(path) in message


@given(st.binary(max_size=300))
@settings(deadline=None)
@example(b"@data")
@example(b"''")
@example(b"\xff\xfe@\x00d\x00")
def test_any_bytes_are_read_or_refused_with_a_table_error(shared_path: Path, content: bytes) -> None:
    read_or_refuse(shared_path, content)
    read_or_refuse(shared_path, b"@attribute x string\n@attribute y date yyyy-MM-dd\n@data\n" + content)
    read_or_refuse(shared_path, b"@attribute x " + content + b"\n@data\n1")
    read_or_refuse(shared_path, b"@attribute x date " + content + b"\n@data\n1")


@given(
    st.lists(
        st.tuples(st.integers(0, len(WEATHER)), st.integers(0, 5), st.text("@'\"\\,%{}?\t\n 09ayMd-:", max_size=4)),
        min_size=1,
        max_size=5,
    )
)
@settings(max_examples=300, deadline=None)
def test_a_damaged_file_is_read_or_refused_with_a_table_error(
    shared_path: Path, edits: list[tuple[int, int, str]]
) -> None:
    text = WEATHER
    for start, removed, inserted in edits:
        text = text[:start] + inserted + text[start + removed :]
    read_or_refuse(shared_path, text.encode())
