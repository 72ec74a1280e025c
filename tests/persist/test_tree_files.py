"""Files of trees: they come back whole, and a forged one cannot lead the kernels astray."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import suffice as sf
from suffice import persist
from suffice.errors import ModelFileError

TENNIS = sf.datasets.load("play_tennis")
TREES = [sf.id3(), sf.c45(), sf.cart(prune=None), sf.id3(criterion="standard_deviation"), sf.cart(criterion="variance")]


def _table_of(tree: Any) -> tuple[Any, str]:
    is_number = isinstance(tree, sf.DecisionTreeRegressor)
    return (sf.datasets.load("hours_played"), "Hours Played") if is_number else (TENNIS, "PlayTennis")


@pytest.mark.parametrize("tree", TREES, ids=repr)
def test_a_tree_comes_back_from_its_file_as_it_was(tree: Any, tmp_path: Path) -> None:
    table, target = _table_of(tree)
    tree.fit(table, target).save(tmp_path / "tree.json")
    loaded = sf.load(tmp_path / "tree.json")
    assert loaded.describe() == tree.describe()
    np.testing.assert_array_equal(loaded.predict(table), tree.predict(table))
    np.testing.assert_array_equal(loaded.feature_importances_, tree.feature_importances_)
    assert loaded.pruned(max_leaves=2).leaf_count <= 2


def _forged(path: Path, change: Any) -> None:
    """Change the nodes of a saved tree and make the checksum fit again."""
    document = json.loads(path.read_text(encoding="utf-8"))
    document.pop("checksum")
    change(document["model"]["nodes"])
    document["checksum"] = persist.checksum(document, {})
    path.write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("first_branch", 0),  # a branch that leads back to the root: rows would go round for ever
        ("first_branch", 10**6),
        ("branch_count", 10**6),
        ("branch_count", -3),
        ("column", 99),
        ("missing_branch", 50),
        ("subset", 10**6),
    ],
)
def test_a_forged_tree_is_refused(field: str, values: int, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    sf.cart(prune=None).fit(TENNIS, "PlayTennis").save(path)

    def change(nodes: dict[str, Any]) -> None:
        nodes[field]["values"][0] = values

    _forged(path, change)
    with pytest.raises(ModelFileError):
        sf.load(path)


def test_a_tree_whose_counts_do_not_fit_its_classes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    sf.id3().fit(TENNIS, "PlayTennis").save(path)

    def change(nodes: dict[str, Any]) -> None:
        nodes["statistic"]["values"] = nodes["statistic"]["values"][:-1]
        nodes["statistic"]["shape"][0] -= 1

    _forged(path, change)
    with pytest.raises(ModelFileError):
        sf.load(path)
