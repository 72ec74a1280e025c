"""Patterns of missing values: rows by the columns they know, and what is made of these columns only once."""

from __future__ import annotations

import numpy as np

from suffice.models.per_pattern import PerPattern, known_columns
from suffice.schema import AnyArray

NONE = np.nan


class Counting(PerPattern):
    most_kept = 2

    def __init__(self) -> None:
        self.made: list[str] = []

    def ask(self, *chosen: int) -> str:
        return self._once(self._name, np.array(chosen, dtype=np.int64))

    def ask_again(self, *chosen: int, times: int) -> str:
        return self._once(self._again, np.array(chosen, dtype=np.int64), times)

    def _name(self, chosen: AnyArray) -> str:
        self.made.append(f"name of {chosen.tolist()}")
        return self.made[-1]

    def _again(self, chosen: AnyArray, times: int) -> str:
        return self._name(chosen) * times


def test_a_pattern_is_worked_out_once_and_of_many_only_the_first_are_kept() -> None:
    counting = Counting()
    assert [counting.ask(0, 1), counting.ask(2), counting.ask(0, 1), counting.ask(2)] == [
        *["name of [0, 1]", "name of [2]"] * 2
    ]
    assert len(counting.made) == 2
    assert counting.ask(3) == counting.ask(3) == "name of [3]"
    assert len(counting.made) == 4  # there was room for two


def test_another_question_about_the_same_columns_has_an_answer_of_its_own() -> None:
    counting = Counting()
    assert counting.ask(1) == "name of [1]"
    assert counting.ask_again(1, times=2) == counting.ask_again(1, times=2) == "name of [1]name of [1]"
    assert len(counting.made) == 2
    assert counting.ask_again(1, times=0) == ""


def test_rows_come_with_the_columns_they_know() -> None:
    x = np.array([[1.0, NONE], [NONE, NONE], [2.0, NONE], [3.0, 4.0]])
    found = {tuple(columns.tolist()): rows.tolist() for columns, rows in known_columns(x)}
    assert found == {(0,): [0, 2], (): [1], (0, 1): [3]}
