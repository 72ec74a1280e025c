from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.schema import Numeric
from suffice.schema.disguise import COMMA, POINT, WORD, Writing, disguised_number, is_missing_word, written_number
from suffice.schema.spelling import Content


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("45%", 45, "%"),
        ("4.5 %", 4.5, "%"),
        ("$1,234.50", 1234.5, "$"),
        ("1,234,567", 1234567, ""),
        ("€ 3", 3, "€"),
        ("3 €", 3, "€"),
        ("-$5", -5, "$"),
        ("$-5", -5, "$"),
        ("($1,234)", -1234, "$"),
        ("(12.5)", -12.5, ""),
        ("\u22127", -7, ""),
        ("1 234.5", 1234.5, ""),
        ("1\u202f234", 1234, ""),
        ("1'234'567", 1234567, ""),
        ("+$.5", 0.5, "$"),
        ("£1e3", 1000, "£"),
    ],
)
def test_numbers_written_for_people_with_a_decimal_point(text: str, number: float, unit: str) -> None:
    assert disguised_number(text) == (number, unit)


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("1,5", 1.5, ""),
        ("1.234,5", 1234.5, ""),
        ("1.234.567", 1234567, ""),
        ("0,123", 0.123, ""),
        ("1234,567", 1234.567, ""),
        ("45,5 %", 45.5, "%"),
        ("1\u00a0234,50 €", 1234.5, "€"),
        ("-,5", -0.5, ""),
        ("1,5e3", 1500, ""),
        ("12", 12, ""),
    ],
)
def test_numbers_written_for_people_with_a_decimal_comma(text: str, number: float, unit: str) -> None:
    assert disguised_number(text, COMMA) == (number, unit)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "$",
        "%",
        "()",
        "(-5)",
        "-$-5",
        "$5%",
        "$5€",
        "1,23",
        "1,2345",
        "1,23,456",
        "1,234 567",
        "007",
        "$007",
        "0,123",
        *["1_000", "0x10", "5-10", "1/2", "12:30", "5 kg", "x1", "1.2.3", "½", "１２", "1" * 61, "--5", "( 5", "5)"],
    ],
)
def test_what_is_no_number_with_a_decimal_point(text: str) -> None:
    assert disguised_number(text) is None


@given(st.integers(-(10**12), 10**12), st.sampled_from([POINT, COMMA]), st.integers(0, 4))
def test_what_python_writes_with_groups_is_read_back(number: int, mark: str, places: int) -> None:
    value = number / 10**places
    swapped = str.maketrans(",.", ".,") if mark == COMMA else {}
    text = f"{value:,.{places}f}".translate(swapped)
    found = disguised_number(text, mark)
    assert found is not None
    assert found[0] == float(f"{value:.{places}f}")


@pytest.mark.parametrize("text", ["NA", "n/a", "N/A", "?", "-", "null", "None", "nan", " NaN ", "#DIV/0!", "–", "."])
def test_words_for_no_value(text: str) -> None:
    assert is_missing_word(text)
    assert math.isnan(written_number(text, Numeric("age")) or 0)


@pytest.mark.parametrize(
    ("cells", "marks", "content"),
    [
        (["1,5", "2"], ",", Content.NUMBER),
        (["1,234", "2"], ".,", Content.WHOLE),
        (["1,234", "1.5"], ".", Content.NUMBER),
        (["1,234", "1.234,5"], ",", Content.NUMBER),
        (["1.234", "1,5"], ",", Content.NUMBER),
        (["1.5", "1,5"], "", None),
        (["$5", "€5"], "", None),
        (["$5", "5"], ".,", Content.WHOLE),
        (["5%", "0.5"], "", None),
        (["5%", "n/a"], ".,", Content.WHOLE),
        (["5%", "nan"], ".,", Content.WHOLE),
        (["1", "2", "?"], ".,", Content.WHOLE),
        (["1", "2"], "", None),  # which needs no disguise
        (["?", "NA"], "", None),
        (["2020-03-01", "-"], ".,", Content.DATE),
        (["true", "NA"], "", None),
        (["9007199254740993", "NA"], "", None),
        (["1", "two"], "", None),
        ([1.5, "1,5"], ",", Content.NUMBER),
        ([True, "1,5"], "", None),
    ],
)
def test_a_column_has_one_decimal_mark_and_one_unit(cells: list, marks: str, content: Content | None) -> None:
    writing = Writing.of_levels(cells)
    assert writing.marks == marks
    if content is not None:
        assert (writing.comma if marks == COMMA else writing.point) is content


OTHERS = ["12:30", "true", "1e3", "9007199254740993", 3, 2.5]
CELLS = st.sampled_from(
    [
        "1,234",
        "1.234",
        "1,5",
        "1.5",
        "12",
        "$5",
        "5 €",
        "7%",
        "0%",
        "(3)",
        "NA",
        "?",
        "nan",
        "x",
        "007",
        "2020-03-01",
        *OTHERS,
    ]
)


@given(st.lists(CELLS), st.lists(CELLS), st.lists(CELLS))
def test_parts_merge_to_the_whole_in_any_order(first: list, second: list, third: list) -> None:
    parts = [Writing.of_levels(part) for part in (first, second, third)]
    whole = Writing.of_levels(first + second + third)
    assert parts[0].merge(parts[1]).merge(parts[2]) == whole
    assert parts[2].merge(parts[0].merge(parts[1])) == whole


@given(st.lists(CELLS, min_size=1))
def test_every_cell_of_a_numeric_column_has_a_number(cells: list) -> None:
    writing = Writing.of_levels(cells)
    numeric = writing.numeric("c")
    if numeric is not None and not numeric.time:
        assert all(written_number(cell, numeric) is not None for cell in cells)
    if writing == WORD:
        assert numeric is None


def test_the_mark_of_the_table_decides_what_a_column_leaves_open() -> None:
    open_column = Writing.of_levels(["1,234"])
    assert open_column.numeric("c", POINT) == Numeric("c", is_whole=True)
    assert open_column.numeric("c", COMMA) == Numeric("c", decimal=COMMA)
    assert Writing.of_levels(["1,234", "1,5"]).numeric("c", POINT) == Numeric("c", decimal=COMMA)


@pytest.mark.parametrize(
    ("text", "numeric", "number"),
    [
        ("$1,200", Numeric("c", unit="$"), 1200),
        ("1,200", Numeric("c", unit="$"), 1200),
        ("€5", Numeric("c", unit="$"), None),
        ("$5", Numeric("c"), None),
        ("45%", Numeric("c"), None),
        ("45", Numeric("c", unit="%"), 45),
        ("1.5", Numeric("c", decimal=COMMA), None),
        ("1.500", Numeric("c", decimal=COMMA), 1500),
        ("1,5", Numeric("c"), None),
        ("007", Numeric("c", decimal=COMMA), 7),
        (1.5, Numeric("c", decimal=COMMA), 1.5),
        ("x", Numeric("c"), None),
    ],
)
def test_a_known_column_reads_cells_as_it_is_written(text: str, numeric: Numeric, number: float | None) -> None:
    assert written_number(text, numeric) == number
