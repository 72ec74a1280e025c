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

    A name that is known may have signs of equality itself.

    >>> assignments(["Outlook=Sunny", "formula=a=b", "x=y=1"], known=["Outlook", "formula", "x=y"])
    {'Outlook': 'Sunny', 'formula': 'a=b', 'x=y': '1'}
    """
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = _divided(text, known)
        if not sign or not name:
            raise SettingError(f"--set takes NAME=VALUE, not {text!r}.")
        if name in found:
            raise SettingError(f"--set gives {name!r} twice.")
        found[name] = value
        parts = _SEVERAL.split(text)
        if len(parts) > 1 and all(_divided(part, known)[0] in known for part in parts):
            again = " ".join(f"--set {shlex.quote(part)}" for part in parts)
            raise SettingError(f"--set takes one NAME=VALUE at a time: {again}.")
    return found


def _divided(text: str, known: Collection[str]) -> tuple[str, str, str]:
    """What stands before and after the sign that ends the longest known name, or else the first."""
    names = [text[:place] for place, sign in enumerate(text) if sign == "=" and text[:place] in known]
    return (names[-1], "=", text[len(names[-1]) + 1 :]) if names else text.partition("=")


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
