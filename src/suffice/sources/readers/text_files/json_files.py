"""JSON files: an object on each line, or one array of objects."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from suffice.errors import TableError
from suffice.sources.readers.arrow import not_plain
from suffice.sources.readers.files import Files
from suffice.sources.readers.scan import quoted, relation_batches, require_spelled, scanned
from suffice.sources.readers.text_files.encodings import unmarked
from suffice.sources.readers.text_files.json_keys import (
    OBJECT,
    cells_by_key,
    keys_of,
    may_be_renamed,
    pointer,
    types_by_key,
)
from suffice.sources.readers.text_files.packed import name_inside
from suffice.sources.readers.unreadable import telling, told_batches, unreadable

WHOLE = 2**63  # from here on (past twice as much where no number is negative) DuckDB reads whole numbers as float64
# JSON has no times: what spells one is text, and read as text is in every other source.
TEXT = ("JSON", '"NULL"', "DATE", "TIME", "UUID")


class JsonFiles(Files):
    """JSON files. A column that is now a number, now a text is text; so are those named in `text`."""

    def __init__(self, path: str, files: list[str], text: Collection[str]) -> None:
        require_spelled(files)
        self._path, self._may_be_array = path, name_inside(files[0]).lower().endswith(".json")
        self._copies = [unmarked(name) for name in files]
        self._files = [name if copy is None else copy.name for name, copy in zip(files, self._copies, strict=True)]
        with telling(self._unreadable):
            types = self._found_types()
        self.names = tuple(types)
        self._types = {name: "VARCHAR" if name in text else kind for name, kind in types.items()}

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows in order."""
        return told_batches(lambda: relation_batches(self._rows(), self.names, names, rows), self._unreadable)

    def _rows(self) -> Any:
        return cells_by_key(self._objects(), self._types) if self._keys_are_alike else self._read(columns=self._types)

    def _unreadable(self, error: Exception, rows: int) -> TableError:
        told = unreadable(self._path, error, "Write one object on each line, each name in it once.", rows)
        inside = next((copy for copy in self._copies if copy is not None), None)
        return told if inside is None else TableError(str(told).replace(inside.name, self._path))

    def _read(self, **options: Any) -> Any:
        shape = {"format": "auto" if self._may_be_array else "newline_delimited"}
        return scanned("read_json", self._files, **shape, **{"records": "true"} | options)

    def _objects(self) -> Any:
        return self._read(records="false", columns={OBJECT: "JSON"})

    def _found_types(self) -> dict[str, str]:
        """The types, decided on every row of every file."""
        every_row = {"sample_size": -1, "maximum_sample_files": len(self._files), "map_inference_threshold": -1}
        relation = self._read(**every_row)
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        if self._may_be_array and all(map(_holds_many, types.values())) and len(relation.limit(2)) == 1:
            raise TableError(
                f"{self._path} holds one object, with a list or an object under every name: a table column by column. "
                'Write it row by row, as [{"a": 1, "b": 3}, {"a": 2, "b": 4}], or give the frame that pandas.read_json '
                "makes of it."
            )
        keys = keys_of(self._objects()) if may_be_renamed(types) else types.keys()
        self._keys_are_alike = keys != types.keys()
        if self._keys_are_alike:
            types = types_by_key(types, keys)
        nested = [name for name, kind in types.items() if kind == "JSON" and self._is_nested(name)]
        self.refused = {name: not_plain(name, "is nested in some rows") for name in nested}
        read = {name: "VARCHAR" if kind.startswith(TEXT) else kind for name, kind in types.items()}
        return read if self._keys_are_alike else read | dict.fromkeys(self._beyond_whole(read), "VARCHAR")

    def _beyond_whole(self, types: dict[str, str]) -> list[str]:
        """The columns that may have whole numbers which DuckDB would round: what they are, their text tells."""
        names = [name for name, kind in types.items() if kind == "DOUBLE"]
        if not names:
            return []
        sizes = ", ".join(f"max(abs({quoted(name)}))" for name in names)
        [largest] = self._read(columns=types).aggregate(sizes).fetchall()
        return [name for name, size in zip(names, largest, strict=True) if size is not None and size >= WHOLE]

    def _is_nested(self, name: str) -> bool:
        shape = f"json_type({OBJECT}, {pointer(name)})"
        return any(found in ("OBJECT", "ARRAY") for (found,) in self._objects().project(shape).distinct().fetchall())


def _holds_many(kind: str) -> bool:
    return kind.endswith("[]") or kind.startswith(("STRUCT", "MAP"))
