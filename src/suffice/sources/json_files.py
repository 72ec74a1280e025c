"""JSON files: an object on each line, or one array of objects."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from suffice.errors import TableError
from suffice.sources.relation import ERRORS, database, quoted, unreadable


class JsonFiles:
    """JSON files. A column that is now a number, now a text is text; so are those named in `text`."""

    def __init__(self, path: str, files: list[str], text: Collection[str]) -> None:
        self._path, self._files = path, files
        try:
            types = self._found_types()
        except ERRORS as error:
            raise self.unreadable(error) from error
        self.names = tuple(types)
        self._types = {name: "VARCHAR" if name in text else kind for name, kind in types.items()}

    def relation(self) -> Any:
        """The rows."""
        return self._read(columns=self._types)

    def unreadable(self, error: Exception) -> TableError:
        """What is wrong with the files."""
        return unreadable(self._path, error, "Write one object on each line, each name in it once.")

    def _read(self, **options: Any) -> Any:
        may_be_array = self._files[0].lower().removesuffix(".gz").endswith(".json")
        shape = {"format": "auto" if may_be_array else "newline_delimited", "records": "true"}
        return database().cursor().read_json(self._files, **shape, **options)

    def _found_types(self) -> dict[str, str]:
        """The types, decided on every row of every file."""
        every_row = {"sample_size": -1, "maximum_sample_files": len(self._files), "map_inference_threshold": -1}
        relation = self._read(**every_row)
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        for name, kind in types.items():
            if kind == "JSON":
                _require_plain(relation, name)
        return {name: "VARCHAR" if kind in ("JSON", '"NULL"') else kind for name, kind in types.items()}


def _require_plain(relation: Any, name: str) -> None:
    shapes = {shape for (shape,) in relation.project(f"json_type({quoted(name)})").distinct().fetchall()}
    if shapes & {"OBJECT", "ARRAY"}:
        raise TableError(f"Column {name!r} is nested in some rows. Take it apart into plain columns, or leave it out.")
