"""The built-in tables: what they hold, and that importing them costs nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from suffice import datasets
from suffice.errors import TableError

SHAPES = {
    "play_tennis": (14, 5),
    "play_tennis_days": (14, 6),
    "hours_played": (14, 5),
    "mpg": (12, 8),
    "iris": (150, 5),
    "wine": (178, 14),
    "breast_cancer": (569, 31),
}
SEEDS = Path(__file__).parents[3] / "shared" / "seeds"


def test_every_name_has_a_table() -> None:
    assert {name: datasets.load(name).shape for name in datasets.NAMES} == SHAPES


@pytest.mark.parametrize("name", datasets.NAMES)
def test_columns_are_plain_text_or_numbers_without_gaps(name: str) -> None:
    table = datasets.load(name)
    assert {str(kind) for kind in table.schema.types} <= {"string", "int64", "double"}
    assert all(column.null_count == 0 for column in table.columns)


@pytest.mark.parametrize("name", datasets.NAMES)
def test_the_target_is_a_column(name: str) -> None:
    assert datasets.default_target(name) in datasets.load(name).column_names


def test_play_tennis_is_the_table_with_days_without_its_days() -> None:
    with_days = datasets.load("play_tennis_days")
    assert with_days["Day"].to_pylist() == [f"D{day}" for day in range(1, 15)]
    assert with_days.drop_columns("Day").equals(datasets.load("play_tennis"))


def test_play_tennis_has_nine_days_of_play_in_fourteen() -> None:
    assert datasets.load("play_tennis")["PlayTennis"].to_pylist().count("Yes") == 9


def test_hours_played_has_the_mean_and_deviation_of_the_lecture() -> None:
    table = datasets.load("hours_played")
    hours = table["Hours Played"].to_numpy()
    assert hours.mean() == pytest.approx(41.714, abs=5e-4)
    assert hours.std() == pytest.approx(11.6031, abs=5e-5)
    is_overcast = np.array(table["Outlook"].to_pylist()) == "Overcast"
    assert hours[is_overcast].mean() == 49.25


def test_windy_is_words_and_not_truth_values() -> None:
    assert set(datasets.load("hours_played")["Windy"].to_pylist()) == {"False", "True"}


def test_mpg_holds_whole_and_broken_numbers_as_such() -> None:
    table = datasets.load("mpg")
    assert table.schema.field("weight").type == pa.int64()
    assert table.schema.field("acceleration").type == pa.float64()
    assert table.slice(0, 1).to_pylist() == [
        {
            "mpg": "good",
            "cylinders": 4,
            "displacement": 97,
            "horsepower": 75,
            "weight": 2265,
            "acceleration": 18.2,
            "modelyear": 77,
            "maker": "asia",
        }
    ]


@pytest.mark.parametrize(
    ("name", "deck", "header"),
    [
        ("play_tennis_days", "002", "Day\tOutlook\tTemperature\tHumidity\tWind\tPlayTennis"),
        ("hours_played", "000", "Outlook\tTemp.\tHumidity\tWindy\tHours Played"),
        ("mpg", "001", "mpg\tcylinders\tdisplacemen\thorsepower\tweight\tacceleration\tmodelyear\tmaker"),
    ],
)
def test_the_tables_are_those_the_lectures_print(name: str, deck: str, header: str) -> None:
    decks = list(SEEDS.glob(f"{deck}_*.txt"))
    if not decks:
        pytest.skip("the lecture decks are not here")
    printed = decks[0].read_text(encoding="utf-8").split(header + "\n", 1)[1].split("\n\n", 1)[0]
    rows = [line.split("\t") for line in printed.splitlines() if ":\t" not in line]  # ":" stands for rows left out
    found = [list(row.values()) for row in datasets.load(name).to_pylist()]
    assert [[f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in row] for row in found] == rows


@pytest.mark.parametrize(
    ("name", "known"), [("iris", load_iris), ("wine", load_wine), ("breast_cancer", load_breast_cancer)]
)
def test_known_tables_are_those_of_scikit_learn_with_plain_names(name: str, known: Callable[[], Any]) -> None:
    table, bunch = datasets.load(name), known()
    *names, target = table.column_names
    assert names == [feature.removesuffix(" (cm)").replace(" ", "_") for feature in bunch.feature_names]
    assert target == datasets.default_target(name)
    assert {str(table[column].type) for column in names} == {"double"}
    np.testing.assert_array_equal(np.stack([table[column].to_numpy() for column in names], axis=1), bunch.data)
    assert table[target].to_pylist() == bunch.target_names[bunch.target].tolist()


@pytest.mark.parametrize("function", [datasets.load, datasets.default_target])
def test_an_unknown_name_gets_the_nearest_one_suggested(function: object) -> None:
    assert callable(function)
    with pytest.raises(TableError, match=r"'play_tenis'.*'mpg', 'iris'.*Did you mean 'play_tennis'\?"):
        function("play_tenis")
    with pytest.raises(TableError, match="Use one of these, or the path of a file"):
        function("zzz")


def test_importing_the_tables_imports_no_heavy_library() -> None:
    program = "import sys, suffice.datasets; print({'pyarrow', 'sklearn', 'numpy'} & set(sys.modules) or 'nothing')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "nothing"
