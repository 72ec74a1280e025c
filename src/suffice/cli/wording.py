"""The library's messages name Python parameters; here they name the options of the command line."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from suffice.errors import Message, Setting, SufficeError, SufficeWarning
from suffice.shown import counted

if TYPE_CHECKING:
    from suffice.schema import Schema

READING = {  # settings that say how columns are read, each an option of its own
    "nominal": "--nominal",
    "missing_values": "--missing",
    "keep": "--keep",
    "drop": "--drop",
    "text": "--text",
}
_OPTIONS = READING | {
    "rank_by": "--rank-by",
    "task": "--task",
    "encoding": "--encoding",
    "folds": "--folds",
    "skip": "--skip",
    "header": "--header",
    "threshold": "--threshold",
    "costs": "--cost",
}


def in_options(said: str | SufficeError | SufficeWarning) -> str:
    """A message of the library in the words of the command line.

    >>> in_options(Message(Setting("keep", ["a name"]), " uses it after all."))
    "--keep 'a name' uses it after all."
    >>> in_options(Message("say ", Setting("missing_values", ["?", "-"]), ", or name it in ", Setting("nominal")))
    "say --missing '?' --missing -, or name it in --nominal"
    >>> in_options(Message("use ", Setting("splits", "binary"), ", or lower ", Setting("max_depth")))
    'use --set splits=binary, or lower --set max_depth'
    >>> in_options(Message("Name the class: ", Setting("threshold", {"very ill": 0.3})))
    "Name the class: --threshold 'very ill=0.3'"
    >>> in_options(Message("Name the error: ", Setting("costs", {("ill", "well"): 5})))
    "Name the error: --cost 'ill as well=5'"
    """
    message = said if isinstance(said, str) else said.message
    return message.worded(option) if isinstance(message, Message) else message


def option(setting: Setting) -> str:
    """A setting as it is given on the command line."""
    if setting.name not in _OPTIONS:
        value = "" if setting.value is None else f"={setting.value}"
        return f"--set {shlex.quote(setting.name + value)}"
    name = _OPTIONS[setting.name]
    if setting.value is None:
        return name
    if setting.value is False:
        return f"--no-{setting.name}"
    if isinstance(setting.value, dict):
        named = ((" as ".join(map(str, key)) if isinstance(key, tuple) else key, n) for key, n in setting.value.items())
        return " ".join(f"{name} {shlex.quote(f'{key}={number}')}" for key, number in named)
    values = setting.value if isinstance(setting.value, list) else [setting.value]
    return " ".join(f"{name} {shlex.quote(str(value))}" for value in values)


def what_is_learned(schema: Schema) -> str:
    """The target, what it holds, and what it is predicted from."""
    holds = f"{schema.class_count} classes" if schema.classes else "a number"
    return f"{schema.target.name} ({holds}) from {counted(len(schema.columns), 'column')}"


def left_out(schema: Schema) -> dict[str, str]:
    """The columns that are left out, and why."""
    return {gone.name: in_options(gone.reason) for gone in schema.left_out}
