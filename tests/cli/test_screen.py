from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from conftest import Start


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_every_encoding_can_show_a_comparison(start: Start, encoding: str) -> None:
    command = ("compare", "iris", "--model", "lda", "--folds", "2")
    result = start(*command, PYTHONIOENCODING=encoding, PYTHONUTF8="0", COLUMNS="90")
    assert result.returncode == 0, result.stderr
    text = result.stdout.decode(encoding)
    assert ("±" if encoding == "utf-8" else "+-" if encoding == "ascii" else "standard error") in text
    assert "LDA: species" in text


def test_a_heading_that_the_encoding_lacks_is_written_plainly(start: Start) -> None:
    command = ("compare", "hours_played", "--task", "regression", "--model", "mean", "--folds", "2")
    heading = start(*command, PYTHONIOENCODING="ascii", PYTHONUTF8="0", COLUMNS="90").stdout.decode("ascii")
    assert "R2" in heading.splitlines()[3]


def test_json_is_valid_in_every_encoding(start: Start, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("größe,y\n" + "klein,ä\ngroß,ö\n" * 5, encoding="utf-8")
    for encoding in ("ascii", "utf-8"):
        result = start("describe", "t.csv", "--json", PYTHONIOENCODING=encoding)
        document = json.loads(result.stdout.decode(encoding))
        assert document["columns"][0]["name"] == "größe"


def test_rows_are_utf_8_whatever_the_terminal_speaks(start: Start, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("x,y\n" + "1,ä\n2,ö\n" * 5, encoding="utf-8")
    assert start("train", "t.csv", "-t", "y", "-m", "naive_bayes", "-o", "m.json").returncode == 0
    result = start("predict", "m.json", "t.csv", PYTHONIOENCODING="ascii")
    assert result.stdout.decode("utf-8").split()[1:3] == ["ä", "ö"]


def test_an_error_with_letters_the_terminal_lacks_is_shown(start: Start) -> None:
    result = start("compare", "müll.csv", "-t", "y", PYTHONIOENCODING="ascii")
    assert result.returncode == 2
    assert b"There is no file 'm?ll.csv'" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are POSIX here")
@pytest.mark.parametrize(("seconds", "is_seen"), [(0.0, True), (60.0, False)])
def test_progress_shows_on_a_terminal_after_a_while_only(tmp_path: Path, seconds: float, is_seen: bool) -> None:
    import pty
    import subprocess

    code = (
        f"import suffice.cli.progress_line as line; line.PATIENCE = {seconds}\n"
        "import suffice.cli.data as data, time; load = data.Data.table\n"
        "def slow(self):\n    time.sleep(0.5)\n    return load(self)\n"
        "data.Data.table = slow\nfrom suffice.cli import main; main()"
    )
    main_end, terminal = pty.openpty()
    program = [sys.executable, "-c", code, "describe", "iris", "--json"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=terminal, env=environment)
    os.close(terminal)
    output, _ = process.communicate(timeout=120)
    shown = os.read(main_end, 1 << 16) if is_seen else b""
    os.close(main_end)
    assert json.loads(output)["rows"] == 150
    assert (b"reading the table" in shown) is is_seen
