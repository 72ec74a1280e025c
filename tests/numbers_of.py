"""The numbers of a model file, to be forged."""

from typing import Any


def numbers_of(value: Any) -> list[tuple[Any, Any]]:
    """Where every number of a document stands."""
    places: list[tuple[Any, Any]] = []
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        if type(part) in (int, float):
            places.append((value, key))
        elif isinstance(part, (dict, list)):
            places += numbers_of(part)
    return places
