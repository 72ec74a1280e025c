from __future__ import annotations

import subprocess
import sys

import pytest
from running import Run

from suffice.version import __version__

HEAVY = ("numpy", "scipy", "sklearn", "pyarrow", "duckdb", "narwhals", "pandas")
COMMANDS = ("compare", "evaluate", "train", "predict", "describe", "explain", "sample", "export", "datasets")
HELP = [("--help",), ("--version",), (), *((command, "--help") for command in COMMANDS)]
CODE = f"""
import contextlib, sys
from suffice.cli import app
for args in {HELP}:
    with contextlib.suppress(SystemExit):
        app(args, prog_name="suffice")
    print(args, [name for name in {HEAVY} if name in sys.modules], file=sys.stderr)
"""


def test_help_imports_nothing_heavy() -> None:
    result = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=60, check=True)
    assert result.stderr.splitlines() == [f"{args} []" for args in HELP]
    assert result.stdout.count("Usage: suffice") == len(HELP) - 1
    assert f"suffice {__version__}" in result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_short_help_with_an_example(run: Run, command: str) -> None:
    result = run(command, "--help", columns=80)
    assert result.exit_code == 0
    assert f"Example: suffice {command}" in result.stdout
    assert len(result.stdout.splitlines()) <= 32
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_version_and_the_list_of_commands(run: Run) -> None:
    assert run("--version").stdout == f"suffice {__version__}\n"
    listed = run("--help").stdout
    assert all(f"  {command}" in listed for command in COMMANDS)
    assert run().stdout == listed


def test_the_module_is_the_command() -> None:
    result = subprocess.run([sys.executable, "-m", "suffice", "--version"], capture_output=True, check=True)
    assert result.stdout.decode() == f"suffice {__version__}\n"


def test_no_command_is_told_of_in_half_a_sentence(run: Run) -> None:
    assert "..." not in run("--help", columns=80).stdout.split("Commands:")[1]


@pytest.mark.parametrize("command", [(), ("compare",), ("train",)])
def test_help_is_asked_for_in_short_too(run: Run, command: tuple[str, ...]) -> None:
    assert run(*command, "-h").stdout == run(*command, "--help").stdout
