"""The one place that turns what a source raises, early or late, into an error of ours that says where it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from suffice.errors import SufficeError, TableError
from suffice.machine.forking import undivided

Tell = Callable[[Exception, int], TableError]
"""Says what is wrong with a source that raised an error after so many rows."""

SETTINGS = re.compile(r"\n\s*file = ")  # with this DuckDB begins a list of its settings
REMEDIES = ("Try setting", "Possible ", "Original Line", "*")  # settings of DuckDB, which nobody can reach here


@contextmanager
def telling(tell: Tell, rows: int = 0) -> Iterator[None]:
    """Inside the block, whatever a source raises is told; errors of ours have been told already.

    DuckDB works with locks of its own, so a fork waits for the block's end.
    """
    try:
        with undivided():
            yield
    except SufficeError:
        raise
    except Exception as error:  # a source may run anybody's code
        if _is_interrupted(error):
            raise KeyboardInterrupt from error
        raise tell(error, rows) from error


def _is_interrupted(error: Exception) -> bool:
    """Whether it was Ctrl-C, of which DuckDB makes an error of its own."""
    return type(error).__name__ == "InterruptException" or str(error) == "Query interrupted"


def told_batches(batches: Callable[[], Iterable[Any]], tell: Tell) -> Iterator[Any]:
    """The record batches of a source. What becomes of a batch afterwards is not the source's fault, so not told."""
    rows = 0
    with telling(tell):
        iterator = iter(batches())
    while True:
        with telling(tell, rows):
            batch = next(iterator, None)
            if batch is None:
                del iterator
        if batch is None:
            return
        rows += batch.num_rows
        yield batch


def unreadable(what: str, error: Exception, advice: str, rows: int = 0) -> TableError:
    """An error of a source in our words: its first lines, where it was, and what to do.

    >>> print(unreadable("t.parquet", OSError("Corrupt page."), "Check it.", rows=32_768))
    t.parquet cannot be read after row 32,768: Corrupt page. Check it.
    """
    reason = reason_of(error)
    is_placed = rows == 0 or re.search(r"\bline:? \d", reason, re.IGNORECASE)
    return TableError(f"{what} cannot be read{'' if is_placed else f' after row {rows:,}'}: {reason} {advice}")


def reason_of(error: Exception) -> str:
    """What an error says, in a sentence.

    >>> reason_of(OSError("Invalid Input Error: no line\\nPossible Solution: x\\n\\n  file = a.csv\\n  skip_rows = 0"))
    'no line.'
    """
    lines = (line.strip() for line in SETTINGS.split(str(error))[0].splitlines())
    told = " ".join([line for line in lines if line and not line.startswith(REMEDIES)][:3])
    reason = told.removeprefix("Invalid Input Error: ")[:500] or type(error).__name__
    return reason if reason.endswith((".", "!", "?")) else f"{reason}."
