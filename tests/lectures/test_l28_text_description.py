"""L28, deck 004: the text description of decision trees, with counts: the mushroom tree and the heart tree's form.

The mushroom table is not part of the project; without it (../shared/data) its tests are skipped.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import suffice as sf

MUSHROOM = Path(__file__).parents[3] / "shared" / "data" / "mushroom.csv"
DECK = """\
odor = a: e (400.0)
odor = c: p (192.0)
odor = f: p (2160.0)
odor = l: e (400.0)
odor = m: p (36.0)
odor = n
|   spore-print-color = b: e (48.0)
|   spore-print-color = h: e (48.0)
|   spore-print-color = k: e (1296.0)
|   spore-print-color = n: e (1344.0)
|   spore-print-color = o: e (48.0)
|   spore-print-color = r: p (72.0)
|   spore-print-color = u: e (0.0)
|   spore-print-color = w
|   |   gill-size = b: e (528.0)
|   |   gill-size = n
|   |   |   gill-spacing = c: p (32.0)
|   |   |   gill-spacing = d: e (0.0)
|   |   |   gill-spacing = w
|   |   |   |   population = a: e (0.0)
|   |   |   |   population = c: p (16.0)
|   |   |   |   population = n: e (0.0)
|   |   |   |   population = s: e (0.0)
|   |   |   |   population = v: e (48.0)
|   |   |   |   population = y: e (0.0)
|   spore-print-color = y: e (48.0)
odor = p: p (256.0)
odor = s: p (576.0)
odor = y: p (576.0)"""

needs_mushrooms = pytest.mark.skipif(not MUSHROOM.is_file(), reason=f"the mushroom table is not there ({MUSHROOM})")


@cache
def mushrooms() -> pd.DataFrame:
    return pd.read_csv(MUSHROOM, keep_default_na=False, na_values=[""])


def with_declared_level_as_categorical() -> pd.DataFrame:
    declared = pd.Categorical(mushrooms()["gill-spacing"], categories=["c", "d", "w"])
    return mushrooms().assign(**{"gill-spacing": declared})


def with_declared_level_as_dictionary() -> pa.Table:
    table = pa.Table.from_pandas(mushrooms(), preserve_index=False)
    position = table.column_names.index("gill-spacing")
    codes = mushrooms()["gill-spacing"].map({"c": 0, "d": 1, "w": 2}).to_numpy("int8")
    return table.set_column(position, "gill-spacing", pa.DictionaryArray.from_arrays(codes, ["c", "d", "w"]))


@needs_mushrooms
@pytest.mark.parametrize(
    "table", [with_declared_level_as_categorical, with_declared_level_as_dictionary], ids=["pandas", "pyarrow"]
)
def test_the_mushroom_tree_is_the_decks_line_for_line(table: object) -> None:
    tree = sf.c45().fit(table(), "class")  # type: ignore[operator]
    assert tree.describe().split("\n\n")[1] == DECK
    assert (tree.leaf_count, tree.node_count) == (25, 30)
    assert "25 leaves, 30 nodes" in tree.describe().splitlines()[0]


@needs_mushrooms
def test_a_level_that_no_row_has_needs_to_be_declared() -> None:
    tree = sf.c45().fit(mushrooms(), "class")
    expected = [line for line in DECK.splitlines() if "gill-spacing = d" not in line]
    assert tree.describe().split("\n\n")[1].splitlines() == expected
    assert (tree.leaf_count, tree.node_count) == (24, 29)


@needs_mushrooms
def test_the_counts_of_the_leaves_add_up_to_all_mushrooms() -> None:
    leaves = [line for line in DECK.splitlines() if ":" in line]
    assert len(leaves) == 25
    assert sum(float(line.split("(")[1].strip(")")) for line in leaves) == 8124


def test_the_form_of_the_heart_tree() -> None:
    """Levels are in the order they are declared; a leaf says its class after a colon."""
    rows = [
        ("normal", "true", "present", 4),
        ("normal", "false", "absent", 9),
        ("fixed_defect", "true", "present", 3),
        ("fixed_defect", "false", "present", 3),
    ]
    cells = [row[:3] for row in rows for _ in range(row[3])]
    table = pd.DataFrame(cells, columns=["thal", "[#_major_vessels > 0]", "heart disease"])
    table["thal"] = pd.Categorical(table["thal"], ["normal", "fixed_defect"])
    table["[#_major_vessels > 0]"] = pd.Categorical(table["[#_major_vessels > 0]"], ["true", "false"])
    tree = sf.id3().fit(table[["thal", "[#_major_vessels > 0]", "heart disease"]], "heart disease")
    first = tree.describe().split("\n\n")[1].splitlines()
    assert first == [
        "[#_major_vessels > 0] = true: present (7.0)",
        "[#_major_vessels > 0] = false",
        "|   thal = normal: absent (9.0)",
        "|   thal = fixed_defect: present (3.0)",
    ]


def test_a_leaf_counts_its_rows_of_another_class_after_a_slash() -> None:
    table = pd.DataFrame({"a": ["u"] * 4 + ["v"] * 3, "y": ["p", "p", "p", "q", "q", "q", "q"]})
    assert sf.id3().fit(table, "y").describe().split("\n\n")[1] == "a = u: p (4.0/1.0)\na = v: q (3.0)"
