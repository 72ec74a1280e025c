"""The two streams: reports on standard output, everything else on standard error; in any encoding and width."""

from __future__ import annotations

import codecs
import io
import os
import sys
import textwrap
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any, Self

from suffice.cli.piped import shown
from suffice.errors import SettingError
from suffice.shown import shown_lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

UNLIMITED = 100_000  # what goes to a file or a pipe is not wrapped

_PLAIN_SIGNS = {
    "±": "+-",
    "²": "2",
    "…": "...",
    "–": "-",
    "—": "-",
    "−": "-",
    "·": ".",
    "→": "->",
    "×": "x",
    "≤": "<=",
    "≈": "~",
    "≥": ">=",
}


def _plain_signs(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    return "".join(_PLAIN_SIGNS.get(sign, "?") for sign in text), error.end


class ClosedOutput(io.TextIOBase):
    """A standard output that was closed: what would be lost is an error."""

    @property
    def buffer(self) -> Self:
        """Bytes are lost in the same way."""
        return self

    def write(self, text: object) -> int:
        """There is nowhere to write to."""
        raise SettingError("The standard output is closed. Leave it open, or give --out FILE.")


def open_closed_streams() -> None:
    """Take the places of streams that were closed, so that no file gets their numbers and their output."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = ClosedOutput()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115 - to the end


def speak_any_encoding() -> None:
    """Write signs that a stream's encoding lacks in plain letters, rather than fail."""
    codecs.register_error("plain signs", _plain_signs)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="plain signs")


def report() -> Console:
    """Where reports go: standard output."""
    return _console(sys.stdout)


def messages() -> Console:
    """Where notes, errors and progress go: standard error."""
    return _console(sys.stderr)


def _console(stream: IO[str]) -> Console:
    from rich.console import Console

    class Screen(Console):
        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str(shown_lines(text), **options)

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # left to the command, which ends the same way for every kind of output

    has_width = stream.isatty() or os.environ.get("COLUMNS", "").isdigit()
    fixed: dict[str, Any] = {} if has_width else {"width": UNLIMITED}
    return Screen(file=stream, highlight=False, markup=False, emoji=False, **fixed)


def complain(message: str) -> None:
    """Say what is wrong."""
    _say(messages(), "error:", "bold red", message)


def show_notes(console: Console, notes: Iterable[str]) -> None:
    """Say what is worth knowing, a line each."""
    for note in notes:
        _say(console, "note:", "yellow", note)


def _say(console: Console, word: str, style: str, message: str) -> None:
    from rich.text import Text

    indent = " " * (len(word) + 1)
    lines = textwrap.wrap(
        shown_lines(shown(message)),
        max(20, console.width - len(indent)),
        break_long_words=False,
        break_on_hyphens=False,
    )
    console.print(Text.assemble((word, style), " ", f"\n{indent}".join(lines)), soft_wrap=True)
