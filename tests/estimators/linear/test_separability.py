"""How a table is read before its classes are asked to be separable."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SufficeWarning, TableError


def test_codes_that_count_as_levels_have_a_side_each() -> None:
    table = pd.DataFrame({"code": [1, 2, 3] * 4, "y": ["a", "b", "a"] * 4})
    assert not sf.linearly_separable(table, "y")
    answer = sf.linearly_separable(table, "y", nominal="code")
    assert answer
    assert answer.columns == ("code",)


def test_a_further_spelling_of_missing_is_on_a_side_of_its_own() -> None:
    table = pd.DataFrame({"x": [-10.0, -9.0, 1.0, 2.0] * 3, "y": ["a", "b", "a", "a"] * 3})
    assert not sf.linearly_separable(table, "y")
    assert sf.linearly_separable(table, "y", missing_values=[-9])


def named_rows() -> pd.DataFrame:
    return pd.DataFrame({"name": [f"row {k}" for k in range(24)], "x": [0.0, 1.0, 1.0, 0.0] * 6, "y": [*"aabb"] * 6})


def test_a_column_that_names_every_row_separates_them_if_it_is_kept() -> None:
    with pytest.warns(SufficeWarning, match="'name'"):
        assert sf.linearly_separable(named_rows(), "y").kind == "none"
    assert sf.linearly_separable(named_rows(), "y", keep=["name"])


@pytest.mark.filterwarnings("error")
def test_a_column_that_is_dropped_separates_nothing() -> None:
    table = named_rows().assign(side=[0.0, 0.0, 1.0, 1.0] * 6)
    answer = sf.linearly_separable(table, "y", drop="name")
    assert answer
    assert answer.columns == ("side",)
    assert sf.linearly_separable(table, "y", drop=["name", "side"]).kind == "none"


@pytest.mark.parametrize("setting", ["nominal", "keep", "drop"])
def test_a_column_that_there_is_not_is_an_error_that_names_the_setting(setting: str) -> None:
    settings: dict[str, Any] = {setting: ["nmae"]}
    with pytest.raises(TableError, match=rf"named in `{setting}`\) 'nmae' in the table\. Did you mean 'name'"):
        sf.linearly_separable(named_rows(), "y", **settings)
