"""How a test calls the command line: the types of the fixtures that run it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from typer.testing import Result

Run = Callable[..., Result]
Start = Callable[..., "subprocess.CompletedProcess[bytes]"]
Program = Callable[[str], list[str]]
MAIN = "from suffice.cli import main; main()"
