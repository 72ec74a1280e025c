"""Whatever is in a table, the command line shows nothing that a terminal obeys."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from pathlib import Path

import pytest
from running import MAIN, Program

import suffice as sf
from nasty_names import NASTY, require_plain, table
from suffice.shown import shown

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table in a file, and a model and a tree of it."""
    path = tmp_path_factory.mktemp("nasty")
    frame = table(tuple(sign for sign in NASTY if sign not in ("\ud800", "\x00", "\r")))
    frame.columns = [*frame.columns[:-1], "class"]
    frame.to_parquet(path / "table.parquet")
    sf.NaiveBayes().fit(frame, "class").save(path / "model.json")
    sf.c45(prune=None).fit(frame, "class").save(path / "tree.json")
    return path


@pytest.fixture
def suffice(program: Program) -> list[str]:
    """The command line as a process."""
    return program(MAIN)


def run(suffice: list[str], folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*suffice, *args], cwd=folder, capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.parametrize(
    "args",
    [
        ("describe", "table.parquet"),
        ("describe", "model.json"),
        ("describe", "tree.json", "--rules"),
        ("explain", "model.json", "--set", "size\x1b[31m=1"),
        ("explain", "tree.json", "table.parquet", "--row", "3"),
        ("describe", "table.parquet", "--json"),
        ("describe", "model.json", "--json"),
        ("predict", "model.json", "table.parquet", "--json", "--proba"),
        ("export", "model.json"),
        ("train", "table.parquet", "--target", "cl\x1bass", "--out", "other.json"),
        ("train", "table.parquet", "--target", "class", "--out", "other.json"),
    ],
    ids=" ".join,
)
def test_the_command_line_shows_nothing_that_a_terminal_obeys(
    args: tuple[str, ...], folder: Path, suffice: list[str]
) -> None:
    result = run(suffice, folder, *args)
    assert "Traceback" not in result.stderr
    assert result.stdout or result.stderr
    require_plain(result.stdout)
    require_plain(result.stderr)
    if "--json" in args:
        for line in [result.stdout] if args[0] == "describe" else result.stdout.splitlines():
            assert json.loads(line)


def test_an_exported_model_that_is_shown_loads_as_it_was(folder: Path, suffice: list[str]) -> None:
    (folder / "shown.json").write_text(run(suffice, folder, "export", "model.json").stdout, encoding="utf-8")
    assert sf.load(folder / "shown.json").classes_.tolist() == sf.load(folder / "model.json").classes_.tolist()


def test_predictions_in_a_file_are_exact_and_on_a_terminal_are_shown(folder: Path, suffice: list[str]) -> None:
    classes = set(sf.load(folder / "model.json").classes_.tolist())
    out = folder / "rows.csv"
    assert run(suffice, folder, "predict", "model.json", "table.parquet", "--out", str(out)).returncode == 0
    with out.open(encoding="utf-8", newline="") as file:
        exact = {row[0] for row in list(csv.reader(file))[1:]}
    assert exact <= classes
    assert any(not label.isprintable() for label in exact)
    printed = on_terminal(suffice, folder, "predict", "model.json", "table.parquet")
    assert {row[0] for row in list(csv.reader(io.StringIO(printed)))[1:]} == {shown(label) for label in exact}


def on_terminal(suffice: list[str], folder: Path, *args: str) -> str:
    """What a command prints when its output is a terminal."""
    pty = pytest.importorskip("pty")
    reader, writer = pty.openpty()
    with subprocess.Popen([*suffice, *args], cwd=folder, stdout=writer) as process:
        os.close(writer)
        parts = []
        while True:
            try:
                parts.append(os.read(reader, 65_536))
            except OSError:  # the other end is closed
                break
            if not parts[-1]:
                break
    os.close(reader)
    assert process.returncode == 0
    return b"".join(parts).decode().replace("\r\n", "\n")
