"""The library's messages name Python parameters; here they name the options of the command line."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from suffice.errors import Message, Setting, SufficeError, SufficeWarning

if TYPE_CHECKING:
    from suffice.schema import Schema

_OPTIONS = {"missing_values": "--missing", "rank_by": "--rank-by"}  # the others go by their own names


def in_options(said: str | SufficeError | SufficeWarning) -> str:
    """A message of the library in the words of the command line.

    >>> in_options(Message(Setting("keep", ["a name"]), " uses it after all."))
    "--keep 'a name' uses it after all."
    >>> in_options(Message("say ", Setting("missing_values", ["?", "-"]), ", or name it in ", Setting("nominal")))
    "say --missing '?' --missing -, or name it in --nominal"
    """
    message = said if isinstance(said, str) else said.message
    return message.worded(option) if isinstance(message, Message) else message


def option(setting: Setting) -> str:
    """A setting as it is given on the command line."""
    name = _OPTIONS.get(setting.name, f"--{setting.name}")
    if setting.value is None:
        return name
    values = setting.value if isinstance(setting.value, list) else [setting.value]
    return " ".join(f"{name} {shlex.quote(str(value))}" for value in values)


def what_is_learned(schema: Schema) -> str:
    """The target, what it holds, and what it is predicted from."""
    holds = f"{schema.class_count} classes" if schema.classes else "a number"
    columns = len(schema.columns)
    return f"{schema.target.name} ({holds}) from {columns} column{'' if columns == 1 else 's'}"
