from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from suffice.cli.wide_text import fitted
from suffice.report.text import text_table
from suffice.shown import places


def word(random: Random) -> str:
    return "".join(random.choices("abc=|.19", k=random.randint(1, 8)))


@given(st.integers(1, 3), st.integers(1, 8), st.integers(0, 4), st.integers(0, 2**32 - 1))
def test_a_table_keeps_every_cell_and_fits_the_width(labels: int, columns: int, count: int, seed: int) -> None:
    random = Random(seed)
    heading, *rows = ([word(random) for _ in range(labels + columns)] for _ in range(1 + count))
    text = text_table(heading, rows, labels=labels)
    width = labels * 10 + 12
    folded = fitted(text, width, labels)
    assert all(len(line) <= width for line in folded.splitlines())
    blocks = [block.splitlines() for block in folded.split("\n\n")]
    for row_number, row in enumerate(rows):
        cells = [cell for block in blocks for cell in block[row_number + 2].split()[labels:]]
        assert cells == row[labels:]
        assert all(block[row_number + 2].split()[:labels] == row[:labels] for block in blocks)


def test_text_that_fits_is_left_alone() -> None:
    text = "P(No) = 5/14\n\nWind  No\n----  --\nWeak   1"
    assert fitted(text, 20) == text


def test_long_lines_wrap_between_words_and_long_words_stay_whole() -> None:
    assert fitted("one two three\n" + "x" * 20, 9) == "one two\n  three\n" + "x" * 20


def test_a_column_wider_than_the_screen_is_not_cut() -> None:
    text = text_table(["a", "b"], [["label", "x" * 30]])
    assert "x" * 30 in fitted(text, 20)


def test_a_label_that_leaves_no_room_is_wrapped() -> None:
    rows = [["prior", "", "5/14", "9/14"], ["row", "one two three four five six seven eight", "1", "2"]]
    text = text_table(["", "", "No", "Yes"], rows, labels=2)
    assert fitted(text, 45, labels=2).splitlines() == [
        "                                     No   Yes",
        "-----  --------------------------  ----  ----",
        "prior                              5/14  9/14",
        "row    one two three four five        1     2",
        "       six seven eight",
    ]
    first, second = fitted(text, 26, labels=2).split("\n\n")
    assert first.splitlines() == [
        "                        No",
        "-----  -------------  ----",
        "prior                 5/14",
        "row    one two three     1",
        "       four five six",
        "       seven eight",
    ]
    assert second.splitlines()[3] == "row    one two three     2"


def test_a_long_line_of_a_tree_goes_on_under_its_bars() -> None:
    tree = "sex = m\n|   |   town in {Lyon, Oslo, Rome, Bern}: yes (3.0)\n|   |   town = Paris: no (1.0)"
    assert fitted(tree, 32).splitlines() == [
        "sex = m",
        "|   |   town in {Lyon, Oslo,",
        "|   |     Rome, Bern}: yes (3.0)",
        "|   |   town = Paris: no (1.0)",
    ]


def test_letters_of_two_places_keep_columns_aligned() -> None:
    table = text_table(["値 (Gaussian)", "いいえ", "yes 🙂"], [["平均", "1.5", "10"], ["variance", "0.25", "3"]])
    assert len({places(line) for line in table.splitlines()}) == 1
    blocks = fitted(table, 24).split("\n\n")
    assert len(blocks) == 2
    assert all(places(line) <= 24 for block in blocks for line in block.splitlines())
    assert [line.split()[-1] for line in blocks[0].splitlines()] == ["いいえ", "------", "1.5", "0.25"]
