"""The JSON Schema of model files, from the types they may hold."""

from __future__ import annotations

import dataclasses
import json
import types
from collections.abc import Mapping
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from suffice.errors import Message
from suffice.persist.encoding import FORMAT, TAGS, VERSION
from suffice.persist.known import DTYPES, KNOWN, SHARED

ADDRESS = "https://json-schema.org/draft/2020-12/schema"
NUMBER = {"anyOf": [{"type": "number"}, {"$ref": "#/$defs/not finite"}]}
PLAIN: dict[Any, dict[str, Any]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    str: {"type": "string"},
    float: NUMBER,
}
SHAPE = {"type": "array", "items": {"type": "integer", "minimum": 0}}
KIND = {"enum": list(DTYPES)}


def json_schema() -> dict[str, Any]:
    """What a model file must look like; that its numbers make a sound model is checked when it is read.

    >>> json_schema()["$defs"]["Fractions"]["properties"]["type"]
    {'const': 'Fractions'}
    """
    known = {name: _of_type(KNOWN[name]) for name in sorted(KNOWN)}
    shared = [{"$ref": f"#/$defs/{kind.__name__}"} for kind in SHARED]
    return {
        "$schema": ADDRESS,
        "title": "A model file of suffice",
        "type": "object",
        "required": ["format", "version", "suffice", "kind", "shared", "checksum"],
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "suffice": {"type": "string", "description": "the version of the library that wrote it"},
            "kind": {"type": "string", "description": "the class of the estimator"},
            "shared": {"type": "array", "items": {"anyOf": shared}},
            "settings": {"type": "object", "description": "the parameters of the estimator"},
            "state": {"type": "object", "description": "what later calls must agree with"},
            "checksum": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        },
        "additionalProperties": {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in known]},  # model, statistic, path
        "$defs": {
            "array": _array(),
            "message": _message(),
            "not finite": _object({"float": {"enum": ["inf", "-inf", "nan"]}}),
            "texts": _object({"list": {"type": "array"}}),
            **known,
        },
    }


def _array() -> dict[str, Any]:
    parts: list[dict[str, Any]] = [
        {"required": ["values"], "properties": {"values": {"type": "array", "description": "row by row"}}},
        {"required": ["flat"], "properties": {"flat": {"type": "array", "items": NUMBER}}},
        {"required": ["member"], "properties": {"member": {"type": "string", "pattern": r"^arrays/\d+\.npy$"}}},
    ]
    properties = {"array": KIND, "shape": SHAPE}
    return {"type": "object", "required": ["array", "shape"], "properties": properties, "oneOf": parts}


def _message() -> dict[str, Any]:
    """Texts and settings that they speak of, one after the other."""
    setting = _object({"setting": PLAIN[str], "value": {}})
    return _object({"message": {"type": "array", "items": {"anyOf": [PLAIN[str], setting]}}})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": list(properties),
        "properties": properties,
        "additionalProperties": False,
    }


def _of_type(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    fields = {field.name: _of_hint(hints[field.name]) for field in dataclasses.fields(kind)}
    said = (kind.__doc__ or "").partition("\n")[0]
    return {"description": said, **_object({"type": {"const": kind.__name__}, **fields})}


def _of_hint(hint: Any) -> dict[str, Any]:
    """What a field of this type looks like."""
    origin, arguments = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if hint is Message:
        return {"$ref": "#/$defs/message"}
    if hint in SHARED:
        return _object({"shared": {"type": "integer", "minimum": 0}})
    if hint is type(None):
        return {"type": "null"}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_of_hint(part) for part in arguments]}
    if origin is np.ndarray:
        return {"anyOf": [{"$ref": "#/$defs/array"}, {"$ref": "#/$defs/texts"}]}
    if origin is tuple:
        return {"type": "array", "items": _of_hint(arguments[0])} if arguments[-1] is ... else {"type": "array"}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "not": {"anyOf": [{"required": [tag]} for tag in sorted(TAGS - {"map"})]}}
    if isinstance(hint, type) and hint.__name__ in KNOWN:
        return {"$ref": f"#/$defs/{hint.__name__}"}
    return {}


if __name__ == "__main__":
    print(json.dumps(json_schema(), indent=1, ensure_ascii=False))
