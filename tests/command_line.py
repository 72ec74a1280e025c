"""The command line, run inside a test. Its commands are put together once: that takes longer than most of them do."""

from __future__ import annotations

import functools
from unittest import mock

import typer.main
from typer.testing import CliRunner, Result

from suffice.cli import app

_put_together = functools.cache(typer.main.get_command)


def invoke(*args: object, content: bytes | None = None, encoding: str = "utf-8", **environment: str) -> Result:
    """Run `suffice` with these arguments, this standard input, and what else is to stand in the environment."""
    with mock.patch("typer.testing._get_command", _put_together):
        return CliRunner(charset=encoding).invoke(
            app, [str(arg) for arg in args], input=content, env=environment, prog_name="suffice"
        )
