"""Standard input and output, pipes, and streams that are closed."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import shlex
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from running import MAIN, Program
from typer.testing import Result

import suffice as sf
from command_line import invoke
from suffice.cli.piped import PREFIX

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes are POSIX")

Shell = Callable[[str], "subprocess.CompletedProcess[bytes]"]
TENNIS = sf.datasets.load("play_tennis")


def _csv() -> bytes:
    rows = [TENNIS.column_names, *zip(*TENNIS.to_pydict().values(), strict=True)]
    return "".join(",".join(map(str, row)) + "\n" for row in rows).encode()


def _json() -> bytes:
    return "".join(f"{row}\n".replace("'", '"') for row in TENNIS.to_pylist()).encode()


def _arff() -> bytes:
    head = "".join(f"@attribute {name} string\n" for name in TENNIS.column_names)
    return b"% the lectures' table\n\n@relation tennis\n" + head.encode() + b"@data\n" + _csv().split(b"\n", 1)[1]


def _written(write: Callable[[Any, Any], Any]) -> bytes:
    file = io.BytesIO()
    write(TENNIS, file)
    return file.getvalue()


def _zipped(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


CONTENTS = {
    "csv": _csv(),
    "csv packed": gzip.compress(_csv()),
    "csv in bzip2": bz2.compress(_csv(), 1),
    "csv in xz": lzma.compress(_csv()),
    "csv in zstandard": pa.Codec("zstd").compress(_csv(), asbytes=True),
    "csv in a zip archive": _zipped("tennis.csv", _csv()),
    "json lines in bzip2": bz2.compress(_json()),
    "json lines in zstandard": pa.Codec("zstd").compress(_json(), asbytes=True),
    "json lines in a zip archive": _zipped("tennis.jsonl", _json()),
    "csv with a mark": b"\xef\xbb\xbf" + _csv(),
    "json lines": _json(),
    "json array": b"[" + _json().replace(b"\n", b",")[:-1] + b"]",
    "arff": _arff(),
    "parquet": _written(pq.write_table),
    "feather": _written(lambda table, file: pyarrow.feather.write_feather(table, file)),
}


def through(content: bytes, *args: object) -> Result:
    return invoke(*args, content=content, COLUMNS="240")


@pytest.fixture
def shell(tmp_path: Path, program: Program) -> Shell:
    """Run a line of the shell, which finds `suffice`."""
    (tmp_path / "suffice").write_text(f'#!/bin/sh\nexec {shlex.join(program(MAIN))} "$@"\n')
    (tmp_path / "suffice").chmod(0o755)

    def run_line(line: str) -> subprocess.CompletedProcess[bytes]:
        path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
        command = ["bash", "-c", line]
        return subprocess.run(
            command, cwd=tmp_path, env=os.environ | path, capture_output=True, timeout=240, check=False
        )

    return run_line


@pytest.fixture(autouse=True)
def _own_temporaries(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests, at the same time, leave theirs elsewhere."""
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("temporaries")))
    monkeypatch.setattr(tempfile, "tempdir", None)


def left_behind() -> list[str]:
    return [name for name in os.listdir(tempfile.gettempdir()) if name.startswith(PREFIX)]


# Input --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", CONTENTS)
def test_any_kind_of_table_is_read_from_standard_input(run: Callable[..., Result], tennis: Path, kind: str) -> None:
    result = through(CONTENTS[kind], "predict", tennis, "-", "--proba")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == run("predict", tennis, "play_tennis", "--proba").stdout


def test_what_comes_packed_may_be_long(run: Callable[..., Result], tennis: Path) -> None:
    """A block of bzip2 tells nothing before all of it is there."""
    rows = "".join(json.dumps({"Outlook": "Rain", "note": os.urandom(40).hex()}) + "\n" for _ in range(20_000))
    for content in (bz2.compress(rows.encode()), lzma.compress(rows.encode())):
        result = through(content, "explain", tennis, "-")
        assert "The table lacks the columns 'Temperature', 'Humidity', 'Wind'" in " ".join(result.stderr.split())


def test_a_workbook_is_read_from_standard_input(run: Callable[..., Result], tennis: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (TENNIS.column_names, *zip(*TENNIS.to_pydict().values(), strict=True)):
        book.active.append(list(row))
    book.save(file)
    assert through(file.getvalue(), "predict", tennis, "-").stdout == run("predict", tennis, "play_tennis").stdout


def test_every_command_reads_standard_input(run: Callable[..., Result], tennis: Path, tmp_path: Path) -> None:
    content = CONTENTS["csv"]
    target = ("--target", "PlayTennis", "-m", "naive_bayes")
    compared = through(content, "compare", "-", *target)
    assert compared.exit_code == 0, compared.stderr
    assert compared.stdout.startswith("standard input: PlayTennis (2 classes) from 4 columns")
    assert through(content, "train", "-", *target, "-o", tmp_path / "m.json").exit_code == 0
    assert through(content, "explain", tmp_path / "m.json", "-", "--row", 3).exit_code == 0
    assert "standard input: 14 rows, 5 columns" in through(content, "describe", "-").stdout
    assert through(tennis.read_bytes(), "describe", "-").stdout == run("describe", tennis).stdout


@pytest.mark.parametrize(
    "command",
    [
        ("predict", "MODEL", "play_tennis"),
        ("evaluate", "MODEL", "play_tennis"),
        ("explain", "MODEL", "--set", "Wind=Weak"),
        ("sample", "MODEL", "-n", "2", "--seed", "1"),
        ("export", "MODEL"),
    ],
    ids=lambda command: command[0],
)
def test_a_model_too_may_come_through_standard_input(
    run: Callable[..., Result], tennis: Path, command: tuple[str, ...]
) -> None:
    of_file, piped = ([name if part == "MODEL" else part for part in command] for name in (str(tennis), "-"))
    result = through(tennis.read_bytes(), *piped)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == run(*of_file).stdout


def test_a_process_reads_its_standard_input_and_leaves_nothing_behind(tennis: Path, program: Program) -> None:
    before = left_behind()
    command = [*program(MAIN), "predict", tennis, "/dev/stdin", "--out", "-"]
    result = subprocess.run(command, input=CONTENTS["csv"], capture_output=True, timeout=240, check=False)
    assert (result.returncode, result.stderr) == (0, b"")
    assert result.stdout.split()[:2] == [b"prediction", b"No"]
    assert left_behind() == before


def test_pipes_of_the_shell_are_read_and_written(
    run: Callable[..., Result], shell: Shell, tennis: Path, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_bytes(CONTENTS["csv"])
    once = run("predict", tennis, tmp_path / "t.csv")
    assert once.exit_code == 0
    for command in (
        f"suffice predict {tennis} <(cat t.csv) --out >(cat > o.csv) 2> /dev/null; sleep 0.2; cat o.csv",
        f"mkfifo p && (cat t.csv > p &) && suffice predict {tennis} p --out /dev/stdout > o.csv && cat o.csv",
    ):
        result = shell(command)
        assert (result.returncode, result.stdout) == (0, once.stdout_bytes), command


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "standard input is empty. The first line of a CSV file must name its columns."),
        (b"a,b\n1,2,3\n", "standard input cannot be read: line 2 has 3 cells, the first line has 2."),
        (b"PAR1" + bytes(20), "standard input cannot be read"),
        (b"PK\x03\x04" + bytes(20), "standard input"),
    ],
)
def test_what_is_wrong_with_standard_input_is_said_of_standard_input(content: bytes, message: str) -> None:
    result = through(content, "describe", "-")
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert PREFIX not in result.stderr


def test_a_stream_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=9))
    result = through(b"a,b\n1,2\n3,4\n", "describe", "-")
    assert result.exit_code == 2
    assert "came through standard input takes more than 4 bytes" in result.stderr


def test_what_a_killed_process_left_is_removed_by_the_next() -> None:
    with tempfile.NamedTemporaryFile(prefix=PREFIX, suffix=".csv", delete=False) as file:
        file.write(b"a,b\n")
    assert through(CONTENTS["csv"], "describe", "-").exit_code == 0
    assert not os.path.exists(file.name)


def test_the_library_says_that_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p.csv")
    with pytest.raises(ValueError, match="is a pipe or a device, and a table is read several times"):
        sf.NaiveBayes().fit(tmp_path / "p.csv", "y")


# Output -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_rows_go_to_standard_output_where_that_is_asked(
    run: Callable[..., Result], tennis: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for command in (("predict", tennis, "play_tennis"), ("sample", tennis, "--seed", 1)):
        assert run(*command, "--out", name).stdout == run(*command).stdout
        assert run(*command, "--out", name, "--json").stdout == run(*command, "--json").stdout
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["-", "/dev/stdout"])
def test_a_model_needs_a_file(run: Callable[..., Result], name: str) -> None:
    for command in (("train", "iris", "-m", "lda", "-o", name), ("compare", "iris", "-m", "lda", "--save", name)):
        result = run(*command)
        assert result.exit_code == 2
        assert "is the standard output. A model needs a file." in result.stderr


@pytest.mark.parametrize("command", ["predict {} play_tennis", "describe {}"])
def test_a_closed_standard_output_is_an_error_in_a_line(shell: Shell, tennis: Path, command: str) -> None:
    result = shell(f"suffice {command.format(tennis)} >&-")
    assert result.returncode == 2
    assert result.stderr.startswith(b"error: The standard output is closed.")
    assert result.stderr.count(b"\n") == 1


def test_other_streams_may_be_closed(run: Callable[..., Result], shell: Shell, tennis: Path, tmp_path: Path) -> None:
    assert run("predict", tennis, "play_tennis", "--out", tmp_path / "whole.csv").exit_code == 0
    for streams in (">&-", "<&- >&- 2>&-"):
        assert shell(f"suffice predict {tennis} play_tennis --out p.csv {streams}").returncode == 0
        assert (tmp_path / "p.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    closed = shell(f"suffice predict {tennis} - <&-")
    assert closed.returncode == 2
    assert closed.stderr == b"error: The standard input is closed. Give a file.\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="a device of Linux")
@pytest.mark.parametrize("command", ["predict {} play_tennis", "describe {}"])
def test_a_full_disk_is_an_error_in_a_line(shell: Shell, tennis: Path, command: str) -> None:
    result = shell(f"suffice {command.format(tennis)} > /dev/full")
    assert result.returncode == 2
    assert result.stderr == b"error: The output: No space left on device. Make room there, or write elsewhere.\n"


@pytest.mark.parametrize(
    "command",
    [
        ("predict", "-", "-"),
        ("evaluate", "-", "/dev/stdin"),
        ("explain", "-", "-"),
        ("compare", "-", "--target", "PlayTennis", "--test", "-"),
    ],
    ids=lambda command: command[0],
)
def test_two_inputs_cannot_both_be_the_standard_input(tennis: Path, command: tuple[str, ...]) -> None:
    result = through(tennis.read_bytes(), *command)
    assert result.exit_code == 2
    assert "cannot both be the standard input" in " ".join(result.stderr.split())
