"""The walks that the page on architecture tells are those that are taken."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import suffice as sf
from command_line import invoke

ROOT = Path(__file__).parents[2]
PACKAGE = str(ROOT / "src" / "suffice")
[BLOCK] = re.findall(r"```walks\n(.*?)```", (ROOT / "docs" / "architecture.md").read_text(), re.DOTALL)
TOLD = [re.split(r"  +", line) for line in BLOCK.splitlines()]

Run = Callable[[Path], Any]
RUNS: dict[str, Run] = {
    "NaiveBayes().fit": lambda folder: sf.NaiveBayes().fit(folder / "t.csv", "y"),
    "c45().fit": lambda folder: sf.c45().fit(folder / "t.csv", "y"),
    "LogisticRegression": lambda folder: sf.LogisticRegression().fit(folder / "t.csv", "y"),
    "compare": lambda folder: sf.compare(folder / "t.csv", "y", models=["naive_bayes"], folds=3),
    "suffice explain": lambda folder: invoke("explain", folder / "m.json", folder / "t.csv"),
    "suffice predict": lambda folder: invoke("predict", folder / "m.json", folder / "t.csv", "-o", folder / "o.csv"),
}


def calls_to(frame: FrameType | None) -> Iterator[str]:
    """The functions of suffice that are being called, the innermost first; comprehensions are no steps."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(PACKAGE) and not frame.f_code.co_name.startswith("<"):
            yield frame.f_code.co_name
        frame = frame.f_back


@pytest.fixture(scope="module")
def taken(tmp_path_factory: pytest.TempPathFactory) -> dict[str, set[tuple[str, ...]]]:
    """Every path down that was taken, by what was called; in one thread, so that paths are whole."""
    folder = tmp_path_factory.mktemp("walks")
    lines = "".join(f"{n % 17},{n % 5 + 0.5},{'lh'[n % 17 > n % 3 + 6]}\n" for n in range(400))
    (folder / "t.csv").write_text("a,b,y\n" + lines)
    sf.NaiveBayes().fit(folder / "t.csv", "y").save(folder / "m.json")
    found: dict[str, set[tuple[str, ...]]] = {}
    before = sys.getprofile()
    for name, run in RUNS.items():
        paths: set[tuple[str, ...]] = set()

        def note(frame: FrameType, event: str, _: Any, paths: set[tuple[str, ...]] = paths) -> None:
            if event == "call" and frame.f_code.co_filename.startswith(PACKAGE):
                paths.add(tuple(calls_to(frame))[::-1])

        sys.setprofile(note)
        threading.setprofile(note)
        try:
            run(folder)
        finally:
            sys.setprofile(before)
            threading.setprofile(None)
        found[name] = paths
    return found


@pytest.mark.parametrize(("name", "what", "walk"), TOLD, ids=lambda part: part)
def test_a_walk_is_as_it_is_told(taken: dict[str, set[tuple[str, ...]]], name: str, what: str, walk: str) -> None:
    steps = tuple(walk.split(" > "))
    ways = {path[path.index(steps[0]) :] for path in taken[name] if steps[0] in path}
    assert steps in ways or any(path[: len(steps)] == steps for path in ways), what


def test_every_walk_is_told() -> None:
    assert {name for name, _, _ in TOLD} == set(RUNS)
