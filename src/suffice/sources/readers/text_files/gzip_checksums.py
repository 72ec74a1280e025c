"""Files packed with gzip: their checksums are verified before they are read, as DuckDB does not."""

from __future__ import annotations

from functools import lru_cache, partial

from suffice.errors import TableError
from suffice.sources.readers.text_files.packed import GZIP, ending, opened_bytes
from suffice.sources.readers.unchanged import State, Unchanged
from suffice.sources.readers.unreadable import telling, unreadable

BLOCK = 1 << 20


def require_undamaged(files: Unchanged) -> None:
    """Every packed file must be whole, and what it was when it was packed."""
    for path, state in files.states:
        if ending(path) == GZIP:
            _require_undamaged(path, state)


@lru_cache(maxsize=1024)
def _require_undamaged(path: str, state: State) -> None:
    """Once for a file in this state, however often it is opened."""
    with telling(partial(_unreadable, path)), opened_bytes(path) as file:
        while file.read(BLOCK):
            pass


def _unreadable(path: str, error: Exception, rows: int) -> TableError:
    return unreadable(path, error, "Check that the file is complete and undamaged.")
