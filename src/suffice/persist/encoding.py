"""Models as JSON, with large arrays beside it."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from suffice.errors import Message, ModelFileError, Setting
from suffice.persist.known import DTYPES, KNOWN, SHARED

FORMAT = "suffice model"
VERSION = 4
LARGE_ARRAY = 50_000  # numbers; larger arrays go beside the JSON
TAGS = frozenset(
    ("array", "float", "list", "map", "member", "message", "shared", "tuple", "type")
)  # keys that say what an object is
NESTED = frozenset((dict, list))
plain_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode  # made once: most lists are short


class Writer:
    """Encodes values, and collects the large arrays and what several parts share."""

    def __init__(self, most_numbers: float = LARGE_ARRAY) -> None:
        self.most_numbers = most_numbers  # of an array that stands in the JSON
        self.members: dict[str, bytes] = {}
        self.shared: list[Any] = []
        self._seen: list[Any] = []

    def encode(self, value: Any, is_part: bool = False) -> Any:
        """A value as JSON can hold it. In the parts of a model every sequence is a tuple, so they need no tag there."""
        if isinstance(value, SHARED):
            return {"shared": self._share(value)}
        return self._encode(value, is_part)

    def _share(self, value: Any) -> int:
        for position, seen in enumerate(self._seen):
            if seen is value or (type(seen) is type(value) and seen == value):
                return position
        encoded = self._encode(value, is_part=True)
        self._seen.append(value)
        self.shared.append(encoded)
        return len(self._seen) - 1

    def _encode(self, value: Any, is_part: bool) -> Any:
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, Message):
            return {"message": [self._of_message(part) for part in value.parts]}
        if value is None or isinstance(value, (bool, int, str)):
            return value
        if isinstance(value, float):
            return _number(value)
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, tuple):
            parts = [self.encode(part, is_part) for part in value]
            return parts if is_part else {"tuple": parts}
        if isinstance(value, list) and not is_part:
            return [self.encode(part) for part in value]
        if isinstance(value, Mapping):
            return self._mapping(value, is_part)
        if type(value).__name__ in KNOWN and dataclasses.is_dataclass(value):
            fields = {field.name: self.encode(getattr(value, field.name), True) for field in dataclasses.fields(value)}
            return {"type": type(value).__name__, **fields}
        raise ModelFileError(f"A model file cannot hold a {type(value).__name__} ({value!r:.60}).")

    def _of_message(self, part: str | Setting) -> Any:
        """A text, or a setting that the message speaks of, which whoever reads it may word in another language."""
        return {"setting": part.name, "value": self.encode(part.value)} if isinstance(part, Setting) else part

    def _mapping(self, value: Mapping[Any, Any], is_part: bool) -> Any:
        """An object where all keys are text and none could be taken for a tag; else a list of pairs."""
        if all(isinstance(key, str) and key not in TAGS for key in value):
            return {key: self.encode(part, is_part) for key, part in value.items()}
        return {"map": [[self.encode(key, is_part), self.encode(part, is_part)] for key, part in value.items()]}

    def _array(self, array: np.ndarray[Any, Any]) -> Any:
        if array.dtype.name not in DTYPES:
            return {"list": [self._encode(part, is_part=True) for part in array.tolist()]}
        if array.size > self.most_numbers:
            member = f"arrays/{len(self.members)}.npy"
            stream = io.BytesIO()
            np.save(stream, array, allow_pickle=False)
            self.members[member] = stream.getvalue()
            return {"member": member, "array": array.dtype.name, "shape": list(array.shape)}
        if array.dtype.kind == "f" and not np.all(np.isfinite(array)):
            parts = [_number(number) for number in array.ravel().tolist()]
            return {"array": array.dtype.name, "shape": list(array.shape), "flat": parts}
        return {"array": array.dtype.name, "shape": list(array.shape), "values": array.tolist()}


def _number(value: float) -> Any:
    return value if np.isfinite(value) else {"float": str(value)}


def pretty(value: Any, indent: str = "") -> str:
    """JSON for readers: one entry a line, but a list of plain values on one line."""
    deeper = indent + " "
    if isinstance(value, dict) and value:
        entries = (f"{deeper}{json.dumps(key)}: {pretty(part, deeper)}" for key, part in value.items())
        return "{\n" + ",\n".join(entries) + f"\n{indent}}}"
    if isinstance(value, list) and not NESTED.isdisjoint(map(type, value)):
        return "[\n" + ",\n".join(deeper + pretty(part, deeper) for part in value) + f"\n{indent}]"
    return plain_json(value)
