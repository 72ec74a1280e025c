"""CSV files: their columns are numbers, times or text, whichever holds in every row."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from suffice.errors import TableError
from suffice.schema import Level
from suffice.schema.chunk import as_number
from suffice.sources.csv_header import common_header, wrong_line
from suffice.sources.scan import quoted, relation_batches, require_spelled, restored_names, scanned
from suffice.sources.unreadable import telling, told_batches, unreadable

# Booleans are not among them: true and false stay the words the file has.
TYPES = ["BIGINT", "DOUBLE", "TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "VARCHAR"]
SAMPLE_ROWS = 20_480
SMALL_FILES = 4 << 20  # bytes

# DuckDB finds the type of a column in one thread, cell by cell. In large files it does so for the first rows only, and
# all threads check that the rest is spelled in the plainest way of that type; if it is not, it looks at every row.
PLAIN = {
    "BIGINT": r"-?(0|[1-9][0-9]{0,17})",
    "DOUBLE": r"-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?",
    "DATE": r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
    "TIMESTAMP": r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?",
}


class CsvFiles:
    """CSV files with the same columns. Columns named in `text` are text whatever they spell."""

    def __init__(self, path: str, files: list[str], missing_values: Collection[Level], text: Collection[str]) -> None:
        require_spelled(files)
        self._path, self._files = path, files
        self._header, self._is_reordered = common_header(files)
        spellings = (str(value) for value in missing_values)
        self._missing = ["", *(word for word in spellings if self._header.delimiter not in word and '"' not in word)]
        with telling(self._unreadable):
            types = self._found_types()
        self.names = restored_names(self._header.names, types)
        is_text = dict(zip(types, (name in text for name in self.names), strict=True))
        self._types = {name: "VARCHAR" if is_text[name] else kind for name, kind in types.items()}

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows in order."""
        return told_batches(
            lambda: relation_batches(self._read(types=self._types), self.names, names, rows), self._unreadable
        )

    def _unreadable(self, error: Exception, rows: int) -> TableError:
        """What is wrong with the files: the line that does not fit, where there is one."""
        for path in self._files:
            wrong = wrong_line(path, self._header.delimiter)
            if wrong:
                return TableError(f"{path} cannot be read: {wrong}")
        advice = "Check the line: quotes enclose whole cells, and a quote within quotes is doubled."
        return unreadable(self._path, error, advice, rows)

    def _read(self, **options: Any) -> Any:
        return scanned(
            "read_csv",
            self._files,
            header=True,
            delim=self._header.delimiter,
            quote='"',
            escape='"',
            comment="",
            skip=self._header.empty_lines,  # DuckDB would skip any line that makes the others fit
            union_by_name=self._is_reordered,
            nullstr=self._missing,
            auto_type_candidates=TYPES,
            **options,
        )

    def _found_types(self) -> dict[str, str]:
        """The types by DuckDB's names, decided on every row of every file."""
        is_small = sum(map(os.path.getsize, self._files)) < SMALL_FILES
        relation = self._read(sample_size=-1 if is_small else SAMPLE_ROWS, files_to_sniff=-1)
        types = _types(relation)
        if not is_small and not self._hold_throughout(types):
            relation = self._read(sample_size=-1, files_to_sniff=-1)
            types = _types(relation)
        return types | dict.fromkeys(_begun_by_infinity(relation, types), "DOUBLE")

    def _hold_throughout(self, types: dict[str, str]) -> bool:
        """Whether types found in the first rows hold in all rows. A column that begins empty has not been seen yet."""
        if not set(types.values()) <= {*PLAIN, "VARCHAR"}:
            return False
        cells = self._read(all_varchar=True, sample_size=1)
        begun = [f"count({quoted(name)}) > 0" for name in types]
        plain = [
            f"bool_and({quoted(name)} IS NULL OR regexp_full_match({quoted(name)}, '{PLAIN[kind]}') "
            f"AND TRY_CAST({quoted(name)} AS {kind}) IS NOT NULL)"
            for name, kind in types.items()
            if kind != "VARCHAR"
        ]
        first = cells.limit(SAMPLE_ROWS // 2).aggregate(" AND ".join(begun)).fetchall()
        return first == [(True,)] and (not plain or cells.aggregate(" AND ".join(plain)).fetchall() == [(True,)])


def _types(relation: Any) -> dict[str, str]:
    return dict(zip(relation.columns, map(str, relation.types), strict=True))


def _begun_by_infinity(relation: Any, types: dict[str, str]) -> list[str]:
    """Columns taken for text only because they begin with `inf`, which could begin a date too."""
    text = [name for name, kind in types.items() if kind == "VARCHAR"]
    first = relation.project(", ".join(map(quoted, text))).limit(1).fetchall() if text else []
    return [
        name
        for row in first
        for name, cell in zip(text, row, strict=True)
        if cell is not None and as_number(cell) in (float("inf"), float("-inf")) and _are_numbers(relation, name)
    ]


def _are_numbers(relation: Any, name: str) -> bool:
    words = f"{quoted(name)} IS NOT NULL AND TRY_CAST({quoted(name)} AS DOUBLE) IS NULL"
    return not relation.filter(words).limit(1).fetchall()
