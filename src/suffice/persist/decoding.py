"""JSON back into models: only known types are made, and each must say of itself that it is sound."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from suffice.errors import Message, Setting
from suffice.persist.early_histograms import early_histograms
from suffice.persist.known import DTYPES, KNOWN
from suffice.schema import Schema
from suffice.schema.left_out import kind_of
from suffice.soundness import require_a, require_whole

LARGEST_TEXTS = 1 << 26  # bytes of an array of texts, which all take as much room as the longest
EARLY_STEPS = 200  # of expectation–maximisation, the last of which told in early files that it had not converged
NUMBERS = {"float64": "fiu", "int32": "iu", "int64": "iu", "bool": "b"}  # the kinds of JSON values each may hold


class Reader:
    """Decodes values, given the arrays that stand beside the JSON."""

    def __init__(self, members: Mapping[str, bytes], version: int) -> None:
        self.members = dict(members)
        self.version = version
        self.shared: list[Any] = []

    def decode(self, value: Any, is_part: bool = False) -> Any:
        """A value as it was before it was written; in the parts of a model every sequence is a tuple."""
        if isinstance(value, list):
            parts = [self.decode(part, is_part) for part in value]
            return tuple(parts) if is_part and self.version > 1 else parts
        if not isinstance(value, dict):
            return value
        if "type" in value:
            return self._known(value)
        if "shared" in value:
            return self._shared(value["shared"])
        if "tuple" in value:
            return tuple(self.decode(part, is_part) for part in value["tuple"])
        if "map" in value:
            return {self.decode(key, is_part): self.decode(part, is_part) for key, part in value["map"]}
        if "float" in value:
            return float(value["float"])
        if "message" in value and self.version > 2:
            return self._message(value["message"])
        if "list" in value:
            return _of_objects([self.decode(part) for part in value["list"]])
        if "array" in value or "member" in value or self.version == 1:
            return self._member(value) if "member" in value else self._array(value)
        return {key: self.decode(part, is_part) for key, part in value.items()}

    def _known(self, value: dict[str, Any]) -> Any:
        fields = {key: self.decode(part, is_part=True) for key, part in value.items() if key != "type"}
        made = KNOWN[value["type"]](**_renewed(value["type"], fields))
        made.require_sound()
        return made

    def _message(self, parts: Any) -> Message:
        require_a("message", parts, list)
        found = [
            Setting(part["setting"], self.decode(part["value"])) if isinstance(part, dict) else part for part in parts
        ]
        for part in found:
            require_a("part of a message", part, (str, Setting))
            require_a("name of a setting", part.name if isinstance(part, Setting) else part, str)
        return Message(*found)

    def _shared(self, position: Any) -> Any:
        if type(position) is not int or position < 0:
            raise ValueError(f"there is no shared part {position!r:.60}")
        return self.shared[position]

    def _array(self, value: dict[str, Any]) -> Any:
        kind, shape = announced(value)
        numbers = np.array(value["values"] if "values" in value else [self.decode(part) for part in value["flat"]])
        if numbers.size and numbers.dtype.kind not in NUMBERS[kind]:
            raise ValueError(f"an array of {kind} holds something else")
        if kind != "float64" and np.any(numbers.astype(kind) != numbers):
            raise ValueError(f"an array of {kind} holds numbers that are too large")
        return numbers.astype(kind).reshape(shape)

    def _member(self, value: dict[str, Any]) -> Any:
        data = self.members.pop(value["member"])  # each stands for one array
        stream = io.BytesIO(data)
        version = np.lib.format.read_magic(stream)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = header(stream)
        if dtype.name not in DTYPES:
            raise ValueError(f"unknown type of array {dtype.name!r}")
        if len(data) - stream.tell() != math.prod(shape) * dtype.itemsize:
            raise ValueError(f"{value['member']} is not as long as it says")
        if "shape" in value and (dtype.name, shape) != announced(value):
            raise ValueError(f"{value['member']} is not the array that was announced")
        stream.seek(0)
        return np.lib.format.read_array(stream, allow_pickle=False)


def _renewed(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of an older file as they are called now."""
    if kind == "Numeric" and "is_time" in fields:
        require_a("kind of a column", fields["is_time"], bool)
        return {"name": fields["name"], "time": "moment" if fields["is_time"] else ""}
    if kind == "Shapes" and "cells" in fields:
        schema, columns, cells, weight = (fields[name] for name in ("schema", "columns", "cells", "weight"))
        require_a("schema", schema, Schema)
        require_a("columns", columns, tuple)
        histograms = early_histograms(cells, weight, len(columns) * schema.class_count)
        return {"schema": schema, "columns": columns, "histograms": histograms}
    if kind == "LeftOut" and "kind" not in fields:
        return {**fields, "kind": kind_of(fields["reason"])}
    if kind == "GaussianDiscriminantModel" and "has_converged" not in fields:
        require_whole("number of steps", fields["steps"])
        return {**fields, "has_converged": fields["steps"] < EARLY_STEPS}
    return fields


def announced(value: Mapping[str, Any]) -> tuple[str, tuple[int, ...]]:
    """The type and shape that an array is said to have."""
    kind, shape = value["array"], value["shape"]
    if kind not in DTYPES:
        raise ValueError(f"unknown type of array {kind!r:.60}")
    if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError(f"an array cannot have the shape {shape!r:.60}")
    return kind, tuple(shape)


def announced_members(value: Any) -> Iterator[tuple[str, int | None]]:
    """The arrays beside the JSON, with the bytes of their numbers; files of early versions do not say how many."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict) and "member" in part:
            if not isinstance(part["member"], str):
                raise ValueError("an array has no name")
            if "shape" not in part:
                yield part["member"], None
                continue
            kind, shape = announced(part)
            yield part["member"], math.prod(shape) * np.dtype(kind).itemsize
        elif isinstance(part, (dict, list)):
            waiting += part.values() if isinstance(part, dict) else part


def _of_objects(parts: list[Any]) -> Any:
    longest = max((len(part) for part in parts if isinstance(part, str)), default=0)
    if 4 * longest * len(parts) > LARGEST_TEXTS:
        raise ValueError("an array of texts is too large")
    return np.array(parts)
