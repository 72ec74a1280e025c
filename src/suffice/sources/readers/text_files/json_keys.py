"""Keys of JSON objects that differ in case only: DuckDB renames the columns it makes of them, and finds no cells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from suffice.sources.readers.scan import literal, quoted

OBJECT = "object"  # the column of whole objects, of which cells are taken by their keys
_RENAMED = re.compile(r"(.*)_[0-9]+", re.DOTALL)


def may_be_renamed(names: Iterable[str]) -> bool:
    """Whether a name may be one that DuckDB made of a key, as it differs in case only from another.

    >>> may_be_renamed(["age", "AGE_1"]), may_be_renamed(["age", "height_1"])
    (True, False)
    """
    return bool(_suspects(names))


def keys_of(objects: Any) -> set[str]:
    """All keys of the objects."""
    return {key for (key,) in objects.project(f"unnest(json_keys({OBJECT}))").distinct().fetchall()}


def types_by_key(types: Mapping[str, str], keys: Collection[str]) -> dict[str, str]:
    """What the keys hold, in the order of the columns that DuckDB made of them.

    Of columns that may be renamed nobody knows which key is theirs. Their cells are JSON of any type.

    >>> types_by_key({"age": "BIGINT", "sex": "BIGINT", "AGE_1": "DOUBLE"}, ["AGE", "age", "sex"])
    {'age': 'JSON', 'sex': 'BIGINT', 'AGE': 'JSON'}
    """
    renamed = iter(sorted(set(keys) - set(types)))
    suspects = _suspects(types)
    own = {name if name in keys else next(renamed): kind for name, kind in types.items()}
    return {key: "JSON" if key.lower() in suspects else kind for key, kind in own.items()}


def cells_by_key(objects: Any, types: Mapping[str, str]) -> Any:
    """Rows whose cells are taken from objects by their keys. Columns are numbered, as DuckDB has no two names alike."""
    cells = (f"{_cell(key, kind)} AS {quoted(str(place))}" for place, (key, kind) in enumerate(types.items()))
    return objects.project(", ".join(cells))


def pointer(key: str) -> str:
    """Where a key's cell is in an object, in SQL.

    >>> print(pointer("km/h"))
    '/km~1h'
    """
    return literal("/" + key.replace("~", "~0").replace("/", "~1"))


def _suspects(names: Iterable[str]) -> set[str]:
    """In small letters, the names that DuckDB may have made and those that they may have been."""
    small = {name.lower() for name in names}
    made = {name: found[1] for name in small if (found := _RENAMED.fullmatch(name)) and found[1] in small}
    return {*made, *made.values()}


def _cell(key: str, kind: str) -> str:
    where = pointer(key)
    return f"{OBJECT} ->> {where}" if kind == "VARCHAR" else f"CAST({OBJECT} -> {where} AS {kind})"
