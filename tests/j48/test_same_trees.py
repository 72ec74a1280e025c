"""`sf.c45()` beside J48, Weka's C4.5: the same trees node for node, and the same shares of the classes for every row.

`make test` fetches Weka; without it, or without Java, these tests are skipped. So are those of the real tables, which
are not part of the project, where they are not at hand (../shared/data).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from random_tables import Column, RandomTable, random_table
from tree_nodes import difference, named, nodes_of
from weka import Job, j48, why_not

import suffice as sf
from suffice.errors import SufficeWarning
from suffice.schema import Batch, Nominal
from suffice.sources import gathered
from suffice.sources.keeping.in_memory import InMemory
from suffice.sources.reading import Reading
from suffice.sources.training.training_table import read_table

pytestmark = [
    pytest.mark.skipif(bool(why_not()), reason=why_not()),
    pytest.mark.filterwarnings("ignore:.*no further apart:suffice.errors.SufficeWarning"),
]

TABLES = 80
DATA = Path(__file__).parents[3] / "shared" / "data"
REAL = {
    "anneal.csv": "class",
    "audiology.csv": "class",
    "autos.csv": "symboling",
    "boston-median.csv": "high_price",
    "breast-cancer-wisconsin.csv": "class",
    "heart-cleveland.csv": "disease",
    "heart.csv": "target",
    "hypothyroid.csv": "Class",
    "iris.csv": "class",
    "kr-vs-kp.csv": "class",
    "labor.csv": "class",
    "lenses.csv": "lenses",
    "liver-bupa.csv": "selector",
    "lymphography.csv": "class",
    "mushroom.csv": "class",
    "penguins.csv": "species",
    "pima-diabetes.csv": "class",
    "promoters.csv": "y",
    "sick.csv": "Class",
    "sonar.csv": "Class",
    "tic-tac-toe.csv": "Class",
    "titanic3.csv": "survived",
    "vehicle.csv": "Class",
    "vote.csv": "Class",
    "wine.csv": "class",
}

# What J48 is told, and what ours is -----------------------------------------------------------------------------------

Grower = Callable[[InMemory, str], sf.DecisionTreeClassifier]


def grown(table: InMemory, target: str, **settings: Any) -> sf.DecisionTreeClassifier:
    return sf.c45(leaf_smoothing=0, **settings).fit(table, target)


def without_raising(table: InMemory, target: str) -> sf.DecisionTreeClassifier:
    """A tree that is pruned without its rows can only turn subtrees into leaves."""
    return grown(table, target, prune=None).pruned("pessimistic")


OPTIONS: dict[str, Grower] = {
    "": grown,
    "-U -O": partial(grown, prune=None),
    "-S": without_raising,
    "-M 5": partial(grown, min_leaf=5),
    "-M 1": partial(grown, min_leaf=1),
    "-M 1 -U -O": partial(grown, min_leaf=1, prune=None),
    "-C 0.1": partial(grown, confidence=0.1),
    "-C 0.5 -M 3": partial(grown, confidence=0.5, min_leaf=3),
}
OPTIONS_OF = {"random": tuple(OPTIONS), "real": ("", "-U -O", "-S")}  # of real tables the others take their time


@dataclass(frozen=True)
class Case:
    """A table as J48 reads it and as ours was read, once, and what J48 makes of it under every set of options."""

    name: str
    table: InMemory
    target: str
    written: RandomTable
    path: Path
    columns: list[str]
    theirs: dict[str, dict[str, Any]]

    def differs(self, options: str) -> str:
        """Where our tree is not J48's; empty where it is."""
        tree = OPTIONS[options](self.table, self.target)
        their, classes = self.theirs[options], list(self.written.classes)
        where = difference(nodes_of(tree), named(their["nodes"], self.columns, classes))
        if where:
            return f"{self.name}, {options!r}: {where}"
        expected = np.array(their["posteriors"])[:, [classes.index(str(label)) for label in tree.classes_]]
        found = tree.predict_proba(self.table)
        worst = int(np.abs(found - expected).max(axis=1).argmax())
        is_same = np.allclose(found, expected, rtol=0, atol=1e-6)
        return "" if is_same else f"{self.name}, {options!r}: row {worst} {found[worst]}, J48 {expected[worst]}"


@pytest.fixture(scope="module")
def every_case(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Case]]:
    """Random tables, and real ones where they are at hand, with J48's trees of them, all from one Java process."""
    home = tmp_path_factory.mktemp("j48")
    found = {"random": random_tables(home), "real": real_tables(home) if DATA.is_dir() else []}
    jobs = [(case, options) for kind, cases in found.items() for case in cases for options in OPTIONS_OF[kind]]
    trees = j48([Job(case.path, options) for case, options in jobs], home)
    for (case, options), tree in zip(jobs, trees, strict=True):
        case.theirs[options] = tree
    return found


def differences_of(cases: list[Case], options: str) -> str:
    found = [where for case in cases if (where := case.differs(options))]
    return f"{len(found)} of {len(cases)}\n" + "\n".join(found[:5]) if found else ""


# Random tables -------------------------------------------------------------------------------------------------------


def random_tables(home: Path) -> list[Case]:
    cases = []
    for seed in range(TABLES):
        table = random_table(seed)
        path = table.write(home / f"{seed}.arff")
        names = [f"c{position}" for position in range(len(table.columns))]
        rows = gathered(read_table(path, "y", reading=Reading(keep=names)))
        cases.append(Case(f"seed {seed}", InMemory.of(rows), "y", table, path, names, {}))
    return cases


@pytest.mark.parametrize("options", OPTIONS_OF["random"], ids=lambda options: options or "defaults")
def test_random_tables(every_case: dict[str, list[Case]], options: str) -> None:
    assert not differences_of(every_case["random"], options)


def test_the_random_tables_make_trees_worth_comparing(every_case: dict[str, list[Case]]) -> None:
    cases = every_case["random"]
    sizes = {options: [len(case.theirs[options]["nodes"]) for case in cases] for options in OPTIONS}
    assert np.mean(sizes[""]) > 5
    assert np.mean(sizes["-M 1 -U -O"]) > 50
    assert sum(one != other for one, other in zip(sizes[""], sizes["-S"], strict=True)) >= 5  # something is raised


# Real tables ---------------------------------------------------------------------------------------------------------


def rows_of(path: Path, target: str) -> Batch:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)
        return gathered(read_table(path, target, reading=Reading()))


def as_read(batch: Batch) -> tuple[RandomTable, list[str]]:
    """A table with the columns, levels and classes that ours find in a file."""
    columns = []
    for column in batch.schema.columns:
        if isinstance(column, Nominal):
            codes = batch.codes[batch.schema.nominal_position[column.name]]
            levels = tuple(f"v{code}" for code in range(len(column.levels)))
            columns.append(Column(np.where(codes < 0, np.nan, codes), levels))
        else:
            columns.append(Column(batch.numeric[:, batch.schema.numeric_position[column.name]]))
    classes = tuple(str(label) for label in batch.schema.classes)
    return RandomTable(tuple(columns), batch.class_codes(), classes, None), list(batch.schema.names)


def real_tables(home: Path) -> list[Case]:
    cases = []
    for file, target in REAL.items():
        rows = rows_of(DATA / file, target)
        table, names = as_read(rows)
        path = table.write(home / f"{file}.arff")
        cases.append(Case(file, InMemory.of(rows), target, table, path, names, {}))
    return cases


@pytest.mark.skipif(not DATA.is_dir(), reason=f"the real tables are not there ({DATA})")
@pytest.mark.filterwarnings("ignore:.*is left out:suffice.errors.SufficeWarning")
@pytest.mark.parametrize("options", OPTIONS_OF["real"], ids=lambda options: options or "defaults")
def test_real_tables(every_case: dict[str, list[Case]], options: str) -> None:
    assert not differences_of(every_case["real"], options)
