from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import Run, Start

from suffice.version import __version__

HEAVY = ("numpy", "scipy", "sklearn", "pyarrow", "duckdb", "narwhals", "pandas")
COMMANDS = ("compare", "evaluate", "train", "predict", "describe", "explain", "sample", "export", "datasets")
CODE = """
import sys
from suffice.cli import app
try:
    app(sys.argv[1:], prog_name="suffice")
finally:
    print([name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.parametrize("args", [("--help",), ("--version",), (), *((command, "--help") for command in COMMANDS)])
def test_help_imports_nothing_heavy(args: tuple[str, ...]) -> None:
    program = [sys.executable, "-c", CODE.format(heavy=HEAVY), *args]
    result = subprocess.run(program, capture_output=True, text=True, timeout=60, check=True)
    assert result.stderr.strip() == "[]"
    assert result.stdout.startswith(("Usage: suffice", "suffice "))


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_short_help_with_an_example(run: Run, command: str) -> None:
    result = run(command, "--help", columns=80)
    assert result.exit_code == 0
    assert f"Example: suffice {command}" in result.stdout
    assert len(result.stdout.splitlines()) <= 30
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_version_and_the_list_of_commands(run: Run) -> None:
    assert run("--version").stdout == f"suffice {__version__}\n"
    assert all(f"  {command}" in run("--help").stdout for command in COMMANDS)
    assert run().stdout == run("--help").stdout


def test_the_module_is_the_command(start: Start) -> None:
    result = subprocess.run([sys.executable, "-m", "suffice", "--version"], capture_output=True, check=True)
    assert result.stdout.decode() == f"suffice {__version__}\n"
