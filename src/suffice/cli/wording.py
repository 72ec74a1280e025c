"""The library's messages name Python parameters; here they name the options of the command line."""

from __future__ import annotations

import re
import shlex

_OPTIONS = {"keep": "--keep", "nominal": "--nominal", "missing_values": "--missing", "task": "--task"}
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


def _given(option: str, values: str) -> str:
    words = [word[1:-1] for word in re.findall(_QUOTED, values)] or [values]
    return " ".join(f"{option} {shlex.quote(word)}" for word in words)
