"""Model files: readable, versioned JSON; large arrays as .npy members beside it in a zip. Loading runs no code."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from math import inf
from typing import Any

from suffice.errors import ModelFileError
from suffice.persist.container import DAMAGES, is_model_file, read, write
from suffice.persist.decoding import Reader
from suffice.persist.encoding import FORMAT, LARGE_ARRAY, VERSION, Writer, pretty

__all__ = ["LARGE_ARRAY", "Writer", "as_json", "checksum", "is_model_file", "load", "save"]


def save(path: str | bytes | os.PathLike[str], kind: str, content: Mapping[str, Any], library_version: str) -> None:
    """Write a model file, whole or not at all."""
    writer = Writer()
    document = _document(writer, kind, content, library_version)
    write(_name_of(path), pretty(document) + "\n", writer.members)


def _name_of(path: Any) -> str:
    """A path as text; an error where it is none, such as an open file."""
    if isinstance(path, (str, bytes, os.PathLike)):
        return os.fsdecode(path)
    raise ModelFileError(
        f"A model file goes by its path, and a {type(path).__name__} is none. Give one, or take the text: "
        "`model.to_json()`."
    )


def as_json(kind: str, content: Mapping[str, Any], library_version: str) -> str:
    """A model file as one JSON document, which it is already unless it has large arrays beside it."""
    return pretty(_document(Writer(most_numbers=inf), kind, content, library_version))


def _document(writer: Writer, kind: str, content: Mapping[str, Any], library_version: str) -> dict[str, Any]:
    body = {name: writer.encode(part) for name, part in content.items()}
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "suffice": library_version,
        "kind": kind,
    }
    document |= {"shared": writer.shared, **body}
    document["checksum"] = checksum(document, writer.members)
    return document


def load(path: str | bytes | os.PathLike[str]) -> tuple[str, dict[str, Any]]:
    """Read a model file: what kind of model it is, and its content, every part of which is sound in itself."""
    name = _name_of(path)
    document, members = read(name)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f"{name} is not a suffice model file. Files of this kind are written by `save`.")
    if type(document.get("version")) is not int or document["version"] > VERSION:
        raise ModelFileError(
            f"{name} was written by a newer suffice ({document.get('suffice')}, file version "
            f"{document.get('version')}); this one reads up to version {VERSION}. Upgrade suffice."
        )
    try:
        if document.pop("checksum", None) != checksum(document, members):
            raise ValueError("its checksum does not fit, so it is damaged or was changed by hand")
        reader = Reader(members, document["version"])
        for part in document["shared"]:
            reader.shared.append(reader.decode(part))
        fixed = ("format", "version", "suffice", "kind", "shared")
        content = {key: reader.decode(part) for key, part in document.items() if key not in fixed}
        if not isinstance(document["kind"], str):
            raise ValueError("it does not say what it holds")
        return document["kind"], content
    except DAMAGES as error:
        raise ModelFileError(f"{name} cannot be understood ({error}). Use another copy.") from error


def checksum(document: Mapping[str, Any], members: Mapping[str, bytes]) -> str:
    """SHA-256 over the content in a fixed form."""
    digest = hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    for name in sorted(members):
        digest.update(name.encode())
        digest.update(members[name])
    return digest.hexdigest()
