"""What the setting `l2` of a logistic regression says: the prior of its weights, and how strong it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from suffice.errors import SettingError, did_you_mean
from suffice.schema import Schema
from suffice.settings import require_number
from suffice.shown import quoted

LEAVE_ONE_OUT = "loo"


def penalties(l2: Any, schema: Schema) -> tuple[str, float, dict[str, float]]:
    """What `l2` says: the kind of prior, its strength, and that of columns for which it is another."""
    if isinstance(l2, str) and l2 == "firth":
        if schema.class_count != 2:
            raise SettingError(f"l2='firth' is for two classes; the target has {schema.class_count}. Give a number.")
        return "jeffreys", 0.0, {}
    if isinstance(l2, str) and l2 == LEAVE_ONE_OUT:
        return "gaussian", 1.0, {}
    if not isinstance(l2, Mapping):
        strength = require_number("l2", l2)
        return "gaussian" if strength else "none", strength, {}
    for name in l2:
        if name not in schema.names:
            raise SettingError(
                f"l2 names a column {name!r} that is not used.{did_you_mean(str(name), schema.names)} The columns are "
                f"{quoted(schema.names)}."
            )
    of_column = {str(name): require_number(f"l2 of {name!r}", value) for name, value in l2.items()}
    is_free = all(of_column.get(name, 1.0) == 0 for name in schema.names)
    return "none" if is_free else "gaussian", 1.0, of_column
