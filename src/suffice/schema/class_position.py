"""Which of the classes is meant: labels as users write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, SettingError, did_you_mean
from suffice.schema.columns import Level
from suffice.schema.spelling import same_level
from suffice.shown import quoted


def class_position(label: Any, classes: tuple[Level, ...], setting: str = "") -> int:
    """Where a class stands among all, text and the number that it spells being one; an error names the `setting`.

    >>> class_position("1", (0, 1))
    1
    """
    plain = label.item() if isinstance(label, np.generic) else label
    known = same_level(plain, classes) if isinstance(plain, (str, int, float)) else None
    if known is None:
        named: tuple[str | Setting, ...] = (" for ", Setting(setting)) if setting else ()
        known_ones = f"{did_you_mean(str(label), map(str, classes))} The classes are {quoted(classes)}."
        raise SettingError(Message(f"There is no class {label!r}", *named, f".{known_ones}"))
    return classes.index(known)


def said_of_classes(given: Mapping[Any, Any], classes: tuple[Level, ...], setting: str) -> dict[Level, Any]:
    """What a mapping says of each class; one that is named twice, as a number and as text, is an error.

    >>> said_of_classes({"1": 0.4, 0: 0.6}, (0, 1), "priors")
    {1: 0.4, 0: 0.6}
    """
    said = {classes[class_position(label, classes, setting)]: value for label, value in given.items()}
    if len(said) < len(given):
        raise SettingError(Message(Setting(setting), f" names a class twice: {quoted(list(given))}."))
    return said
