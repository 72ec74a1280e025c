"""What happens when something goes wrong: one message and an exit code; where it comes from only with --debug."""

from __future__ import annotations

import errno
import os
import re
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperGroup

from suffice.cli.exit_codes import BROKEN_PIPE, FAULT, INTERRUPTED, MISTAKE
from suffice.cli.screen import complain, open_closed_streams, speak_any_encoding
from suffice.cli.wording import in_options
from suffice.errors import SufficeError

DEBUG = "--debug"
OTHER_WORDS = {  # by which other programs call a command
    **dict.fromkeys(("fit", "learn", "build"), "train"),
    **dict.fromkeys(("classify", "apply"), "predict"),
    **dict.fromkeys(("test", "score", "validate"), "evaluate"),
    **dict.fromkeys(("show", "print", "summary", "plot"), "describe"),
    **dict.fromkeys(("cv", "leaderboard", "rank"), "compare"),
}
PLAIN_WORDS = {  # what a value must be, as those say it who read the arguments
    "Value error, ": "",
    "Input should be a valid integer, unable to parse string as an integer": "it must be a whole number",
    "Input should be greater than or equal to": "it must be at least",
    "Input should be": "it must be",
}
_COMMAND = re.compile(r"^No such command '(.*?)'\.")


class Commands(TyperGroup):
    """The group of commands, which turns mistakes, interruptions and closed pipes into exit codes."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit; without one, show the help."""
        open_closed_streams()
        speak_any_encoding()
        given, is_debugged = _without_debug(list(sys.argv[1:] if args is None else args))
        try:
            code = super().main(given or ["--help"], prog_name, complete_var, False, windows_expand_args, **extra)
        except Exception as error:
            if is_debugged:
                traceback.print_exception(error)
            message, code = _told(error, given)
            complain(message)
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            _close_stdout()
            code = BROKEN_PIPE
        except OSError as error:
            _close_stdout()
            if code != MISTAKE:  # else the message is said
                complain(_of_file(error))
            code = MISTAKE
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            _close_stdout()
            raise typer.Exit(BROKEN_PIPE) from error
        except KeyboardInterrupt as error:
            raise typer.Exit(INTERRUPTED) from error


def _without_debug(args: list[str]) -> tuple[list[str], bool]:
    """The arguments, and whether --debug was among them, before a command or after it."""
    end = args.index("--") if "--" in args else len(args)
    kept = [arg for arg in args[:end] if arg != DEBUG]
    return kept + args[end:], len(kept) < end


def _told(error: Exception, given: Sequence[str]) -> tuple[str, int]:
    """What is said of an error of a command with the given arguments, and the exit code."""
    if isinstance(error, SufficeError):
        return in_options(error), MISTAKE
    if hasattr(error, "format_message"):  # only typer's own errors of usage have it
        return _of_usage(error, given), MISTAKE
    if isinstance(error, OSError):
        return _of_file(error), MISTAKE
    if isinstance(error, MemoryError):
        return "There is not enough memory for this. Give fewer rows or columns, or another model.", MISTAKE
    what = f"{type(error).__name__}: {error}".rstrip(": ")
    return f"This is a fault of suffice, not yours ({what}). With {DEBUG} it shows where it comes from.", FAULT


def _of_usage(error: Any, given: Sequence[str]) -> str:
    message = str(error.format_message()).rstrip()
    for theirs, plain in PLAIN_WORDS.items():
        message = message.replace(theirs, plain)
    files = [arg for arg in given if arg.startswith("-") and Path(arg).is_file()]
    if message.startswith("No such option") and files:
        message += f". The file {files[0]} is named by ./{files[0]}"
    if "unexpected extra argument" in message:
        message += ". Quote a glob, so that the shell leaves it alone."
    asked = _COMMAND.match(message)
    if asked and asked[1].lower() in OTHER_WORDS:
        message = f"{asked[0]} Did you mean {OTHER_WORDS[asked[1].lower()]!r}?"
    path = getattr(getattr(error, "ctx", None), "command_path", "suffice")
    return f"{message}{'' if message.endswith(('.', '?')) else '.'} See `{path} --help`."


def _of_file(error: OSError) -> str:
    reason = error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{error.filename or 'The output'}: {reason}. Make room there, or write elsewhere."
    return f"{error.filename}: {reason}." if error.filename else f"{reason}."


def _close_stdout() -> None:
    """Let what is still buffered go nowhere, so that the interpreter does not complain at its end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # a stream that is no file has no number
        return
