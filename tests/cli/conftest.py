"""The command line, run inside the test or as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import MAIN, Program, Run, Start
from typer.testing import Result

import suffice as sf
from command_line import invoke


@pytest.fixture
def run() -> Run:
    def run_command(*args: object, columns: object = 240, encoding: str = "utf-8") -> Result:
        return invoke(*args, encoding=encoding, COLUMNS=str(columns))

    return run_command


@pytest.fixture(scope="session")
def program() -> Iterator[Program]:
    """The command that runs some code in a process of its own, which has imported the package already."""
    if not hasattr(os, "fork"):
        yield lambda code: [sys.executable, "-c", code]
        return
    import forked_program

    with forked_program.serving() as server:
        yield lambda code: forked_program.program(server, code)


@pytest.fixture
def start(tmp_path: Path, program: Program) -> Start:
    """Run the command line as a process; `before` is Python code that runs first."""

    def start_command(*args: object, before: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
        command = [*program(f"{before}\n{MAIN}"), *(str(arg) for arg in args)]
        return subprocess.run(
            command, env=os.environ | environment, cwd=tmp_path, capture_output=True, timeout=120, check=False
        )

    return start_command


@pytest.fixture(scope="session")
def tennis(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A naive Bayes model of PlayTennis, unsmoothed, in a file."""
    path = tmp_path_factory.mktemp("models") / "tennis.json"
    sf.NaiveBayes(smoothing=0).fit(sf.datasets.load("play_tennis"), "PlayTennis").save(path)
    return path


@pytest.fixture(scope="session")
def iris_lda(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "lda.json"
    sf.LDA().fit(sf.datasets.load("iris"), "species").save(path)
    return path


@pytest.fixture(scope="session")
def iris_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("models") / "tree.json"
    sf.c45().fit(sf.datasets.load("iris"), "species").save(path)
    return path


@pytest.fixture(scope="session")
def hours_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A regression tree of the hours played, two tests deep."""
    path = tmp_path_factory.mktemp("models") / "hours.json"
    sf.id3(criterion="standard_deviation", max_depth=2).fit(sf.datasets.load("hours_played"), "Hours Played").save(path)
    return path


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A file with an identifier, a spelling of missing, weights, and a target of 0 and 1."""
    lines = ["name,sex,age,weight,survived"]
    for number in range(40):
        age = "?" if number % 10 == 0 else str(20 + number % 15)
        lines.append(f"person {number},{'fm'[number % 2]},{age},{1 + number % 3},{(number % 2 + number // 7) % 2}")
    path = tmp_path / "people.csv"
    path.write_text("\n".join(lines) + "\n")
    return path
