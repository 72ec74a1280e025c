"""Predictions that cannot be finished leave nothing under the final name, and the old file as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from running import MAIN, Program

import suffice as sf

pytest.importorskip("resource", reason="limits on files are Unix'")


LITTLE_ROOM = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
"""
NAMED = """
import os, sys
with open(sys.argv.pop(), "w") as file:
    file.write(str(os.getpid()))
"""


@pytest.fixture(scope="module")
def arguments(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Of a command that predicts for so many rows that there is time to interrupt it."""
    folder, iris = tmp_path_factory.mktemp("unfinished"), sf.datasets.load("iris")
    sf.LDA().fit(iris, "species").save(folder / "model.json")
    many = pa.concat_tables([iris] * 1000)
    pq.write_table(many, folder / "rows.parquet")
    return ["predict", str(folder / "model.json"), str(folder / "rows.parquet")]


def test_a_full_disk_leaves_no_partial_predictions(arguments: list[str], program: Program, tmp_path: Path) -> None:
    output = tmp_path / "answers.csv"
    output.write_text("old\n")
    command = [*program(LITTLE_ROOM + MAIN), *arguments, "-o", str(output)]
    result = subprocess.run(command, capture_output=True, timeout=300)
    assert result.returncode != 0
    assert b"File too large" in result.stderr
    assert b"Traceback" not in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["answers.csv"]
    assert output.read_text() == "old\n"


def test_an_interruption_leaves_no_partial_predictions(
    arguments: list[str], program: Program, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    number = tmp_path_factory.mktemp("process") / "number"
    command = [*program(NAMED + MAIN), *arguments, "-o", str(tmp_path / "answers.csv"), str(number)]
    started = subprocess.Popen(command)
    try:
        end = time.monotonic() + 200
        while not list(tmp_path.glob("*.partial")):  # until it writes
            assert started.poll() is None
            assert time.monotonic() < end
            time.sleep(0.005)
        os.kill(int(number.read_text()), signal.SIGINT)
        assert started.wait(200) == 130
    finally:
        started.kill()
        started.wait()
    assert list(tmp_path.iterdir()) == []
