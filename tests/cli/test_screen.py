from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import MAIN, Program, Run

COMPARISON = ("compare", "iris", "--model", "lda", "--folds", "2")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_every_encoding_can_show_a_comparison(run: Run, encoding: str) -> None:
    result = run(*COMPARISON, columns=90, encoding=encoding)
    assert result.exit_code == 0, result.stderr
    text = result.stdout_bytes.decode(encoding)
    assert ("±" if encoding == "utf-8" else "+-" if encoding == "ascii" else "standard error") in text
    assert "LDA: species" in text


def test_a_process_finds_out_what_its_terminal_speaks(tmp_path: Path) -> None:
    path = tmp_path / "tolerances.csv"
    path.write_text("tolerance,y\n" + "±1,a\n±2,b\n" * 5, encoding="utf-8")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "COLUMNS": "90"}
    command = [sys.executable, "-c", MAIN, "describe", str(path)]
    result = subprocess.run(command, env=environment, capture_output=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    assert "2 levels: +-1, +-2" in result.stdout.decode("ascii")


def test_a_heading_that_the_encoding_lacks_is_written_plainly(run: Run) -> None:
    command = ("compare", "hours_played", "--task", "regression", "--model", "mean", "--folds", "2")
    heading = run(*command, columns=90, encoding="ascii").stdout_bytes.decode("ascii")
    assert "R2" in heading.splitlines()[3]


def test_json_is_valid_in_every_encoding(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("größe,y\n" + "klein,ä\ngroß,ö\n" * 5, encoding="utf-8")
    for encoding in ("ascii", "utf-8"):
        result = run("describe", tmp_path / "t.csv", "--json", encoding=encoding)
        document = json.loads(result.stdout_bytes.decode(encoding))
        assert document["columns"][0]["name"] == "größe"


def test_rows_are_utf_8_whatever_the_terminal_speaks(run: Run, tmp_path: Path) -> None:
    data, model = tmp_path / "t.csv", tmp_path / "m.json"
    data.write_text("x,y\n" + "1,ä\n2,ö\n" * 5, encoding="utf-8")
    assert run("train", data, "-t", "y", "-m", "naive_bayes", "-o", model).exit_code == 0
    result = run("predict", model, data, encoding="ascii")
    assert result.stdout_bytes.decode("utf-8").split()[1:3] == ["ä", "ö"]


def test_an_error_with_letters_the_terminal_lacks_is_shown(run: Run) -> None:
    result = run("compare", "müll.csv", "-t", "y", encoding="ascii")
    assert result.exit_code == 2
    assert b"There is no file 'm?ll.csv'" in result.stderr_bytes


@pytest.mark.skipif(sys.platform == "win32", reason="terminals are POSIX here")
@pytest.mark.parametrize(("seconds", "is_seen"), [(0.0, True), (60.0, False)])
def test_progress_shows_on_a_terminal_after_a_while_only(program: Program, seconds: float, is_seen: bool) -> None:
    import pty

    code = (
        f"import suffice.cli.progress_line as line; line.PATIENCE = {seconds}\n"
        "import suffice.cli.data as data, time; load = data.Data.table\n"
        "def slow(self):\n    time.sleep(0.5)\n    return load(self)\n"
        f"data.Data.table = slow\n{MAIN}"
    )
    main_end, terminal = pty.openpty()
    command = [*program(code), "describe", "iris", "--json"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=terminal, env=environment)
    os.close(terminal)
    output, _ = process.communicate(timeout=120)
    shown = os.read(main_end, 1 << 16) if is_seen else b""
    os.close(main_end)
    assert json.loads(output)["rows"] == 150
    assert (b"reading the table" in shown) is is_seen
