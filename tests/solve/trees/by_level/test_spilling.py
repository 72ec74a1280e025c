"""Rows that are spilled come back as they were, in groups and in order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_grow_by_level import ALL_BY_LEVEL, SOME_IN_MEMORY, assert_same, both, table_of

import suffice as sf
from suffice.errors import TableError
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.trees.by_level import grow_by_level, spilling
from suffice.solve.trees.by_level.spilling import Spill


def some_rows(rows: int, is_numeric: bool, is_weighted: bool) -> Batch:
    random = np.random.default_rng(rows)
    target: Any = Numeric("y") if is_numeric else Nominal("y", ("p", "q"))
    schema = Schema((Numeric("x"), Nominal("c", ("a", "b")), Numeric("z")), target)
    numeric, codes = random.normal(size=(rows, 2)), random.integers(-1, 2, (1, rows)).astype(np.int32)
    numeric[::7] = np.nan
    outcome = {"response": random.normal(size=rows)} if is_numeric else {"classes": codes[0] + 1}
    return Batch(schema, numeric, codes, weights=random.random(rows) if is_weighted else None, **outcome)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("is_numeric", [False, True])
def test_rows_come_back_as_they_were(is_numeric: bool, is_weighted: bool) -> None:
    group = np.array([0, 0, 1, 2, 2])  # of five nodes; nobody comes to the fourth and fifth
    batches = [some_rows(rows, is_numeric, is_weighted) for rows in (30, 1, 40)]
    places = [np.random.default_rng(rows).integers(0, 3, rows).astype(np.int32) for rows in (30, 1, 40)]
    with Spill(group) as spill:
        for batch, place in zip(batches, places, strict=True):
            spill.add(batch, place)
        found = list(spill.groups(batches[0]))
    assert len(found) == 2
    every_place = np.concatenate(places)
    for number, (batch, place) in enumerate(found):
        rows = np.flatnonzero(group[every_place] == number)
        np.testing.assert_array_equal(place, every_place[rows])
        for name in ("numeric", "codes", "classes", "response", "weights"):
            axis = 1 if name == "codes" else 0
            parts = [getattr(batch, name) for batch in batches]
            if parts[0] is None:
                assert getattr(batch, name) is None
            else:
                np.testing.assert_array_equal(getattr(batch, name), np.take(np.concatenate(parts, axis), rows, axis))


TREES = [sf.c45(), sf.cart(prune=None), sf.c45(missing="direction"), sf.DecisionTreeRegressor(min_leaf=4)]


@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize(("room", "files"), [(1 << 40, 200), (0, 200), (10_000, 200), (1 << 40, 2)])
def test_the_tree_is_the_same_however_much_can_be_spilled(
    tree: Any, room: int, files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grow_by_level, "bytes_for_rows", lambda: room)
    monkeypatch.setattr(grow_by_level, "MOST_FILES", files)
    for memory in (ALL_BY_LEVEL, SOME_IN_MEMORY):
        assert_same(*both(tree, table_of(450, 4), memory))


def test_small_nodes_are_gathered_in_one_pass_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    finished_nodes = grow_by_level.finished_nodes

    def counting(passes: Any, gather: Any, group: Any, finish: Any) -> Any:
        seen.append(int(group[-1]) + 1)
        return finished_nodes(passes, gather, group, finish)

    monkeypatch.setattr(grow_by_level, "finished_nodes", counting)
    both(sf.cart(prune=None), table_of(1500, 5), SOME_IN_MEMORY)
    assert len(seen) == 1
    assert seen[0] > 5


def test_a_full_disk_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(spilling.np, "save", full)
    with pytest.raises(TableError, match=r"could not be put aside in .*: No space left on device\. Make room there"):
        both(sf.cart(prune=None), table_of(1000, 5), SOME_IN_MEMORY)
