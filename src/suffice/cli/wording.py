"""The library's messages name Python parameters; here they name the options of the command line."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from suffice.schema import Schema

_OPTIONS = {
    "keep": "--keep",
    "drop": "--drop",
    "text": "--text",
    "nominal": "--nominal",
    "missing_values": "--missing",
    "task": "--task",
    "rank_by": "--rank-by",
}
_NAMES = "|".join(_OPTIONS)
_QUOTED = r"'[^']*'|\"[^\"]*\""
_VALUE = re.compile(rf"\b({_NAMES})=(?:\[((?:{_QUOTED}|[^\]'\"])*)\]|({_QUOTED}))")
_NAME = re.compile(rf"`({_NAMES})`")


def in_options(message: str) -> str:
    """A message of the library in the words of the command line.

    >>> in_options("keep=['name'] uses it after all.")
    '--keep name uses it after all.'
    >>> in_options("say missing_values=['?', '-'], or name it in `nominal`")
    "say --missing '?' --missing -, or name it in --nominal"
    """
    message = _VALUE.sub(lambda found: _given(_OPTIONS[found[1]], found[2] or found[3]), message)
    return _NAME.sub(lambda found: _OPTIONS[found[1]], message)


def what_is_learned(schema: Schema) -> str:
    """The target, what it holds, and what it is predicted from."""
    holds = f"{schema.class_count} classes" if schema.classes else "a number"
    columns = len(schema.columns)
    return f"{schema.target.name} ({holds}) from {columns} column{'' if columns == 1 else 's'}"


def _given(option: str, values: str) -> str:
    words = [word[1:-1] for word in re.findall(_QUOTED, values)] or [values]
    return " ".join(f"{option} {shlex.quote(word)}" for word in words)
