"""Predictions that cannot be finished leave nothing under the final name, and the old file as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import suffice as sf

resource = pytest.importorskip("resource", reason="limits on files are Unix'")


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Predicts for so many rows that there is time to interrupt it."""
    folder, iris = tmp_path_factory.mktemp("unfinished"), sf.datasets.load("iris")
    sf.LDA().fit(iris, "species").save(folder / "model.json")
    many = pa.concat_tables([iris] * 1000)
    pq.write_table(many, folder / "rows.parquet")
    return [sys.executable, "-m", "suffice", "predict", str(folder / "model.json"), str(folder / "rows.parquet")]


def test_a_full_disk_leaves_no_partial_predictions(command: list[str], tmp_path: Path) -> None:
    output = tmp_path / "answers.csv"
    output.write_text("old\n")

    def little_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    result = subprocess.run([*command, "-o", str(output)], preexec_fn=little_room, capture_output=True, timeout=300)
    assert result.returncode != 0
    assert b"File too large" in result.stderr
    assert b"Traceback" not in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["answers.csv"]
    assert output.read_text() == "old\n"


def test_an_interruption_leaves_no_partial_predictions(command: list[str], tmp_path: Path) -> None:
    started = subprocess.Popen([*command, "-o", str(tmp_path / "answers.csv")], start_new_session=True)
    try:
        end = time.monotonic() + 200
        while not list(tmp_path.glob("*.partial")):  # until it writes
            assert started.poll() is None
            assert time.monotonic() < end
            time.sleep(0.005)
        os.kill(started.pid, signal.SIGINT)
        assert started.wait(200) == 130
    finally:
        started.kill()
        started.wait()
    assert list(tmp_path.iterdir()) == []
