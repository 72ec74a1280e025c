"""NAME=VALUE on the command line."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection, Iterable
from typing import Any

from suffice.errors import SettingError

_SEVERAL = re.compile(r",\s*(?=[^,=]+=)")
_WORDS = {"true": True, "false": False, "none": None, "null": None}


def assignments(given: Iterable[str], known: Collection[str] = ()) -> dict[str, str]:
    """The names and values of a list of NAME=VALUE; a value in which another of the `known` names is set is an error.

    >>> assignments(["Outlook=Sunny", "formula=a=b"])
    {'Outlook': 'Sunny', 'formula': 'a=b'}
    """
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise SettingError(f"--set takes NAME=VALUE, not {text!r}.")
        if name in found:
            raise SettingError(f"--set gives {name!r} twice.")
        found[name] = value
        parts = _SEVERAL.split(text)
        if len(parts) > 1 and all(part.partition("=")[0] in known for part in parts):
            again = " ".join(f"--set {shlex.quote(part)}" for part in parts)
            raise SettingError(f"--set takes one NAME=VALUE at a time: {again}.")
    return found


def parsed(value: str) -> Any:
    """A setting as a whole number, a number, true, false or none, a JSON list or object, or else as text.

    >>> [parsed(value) for value in ("1", "0.5", "true", "none", "kde", '{"Yes": 0.5}')]
    [1, 0.5, True, None, 'kde', {'Yes': 0.5}]
    """
    if value.lower() in _WORDS:
        return _WORDS[value.lower()]
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    if value.startswith(("{", "[")):
        try:
            return json.loads(value)
        except ValueError as error:
            raise SettingError(f"{value!r} is no JSON: {error}.") from error
    return value
