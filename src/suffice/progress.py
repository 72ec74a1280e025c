"""Progress: passes over a table report their rows to whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[int], None] | None] = ContextVar("listener", default=None)


def report_rows(rows: int) -> None:
    """Tell the listener, if there is one, that so many more rows were read."""
    listener = _listener.get()
    if listener is not None:
        listener(rows)


@contextmanager
def listening(listener: Callable[[int], None]) -> Iterator[None]:
    """Call the listener with every report made inside the block.

    >>> seen = []
    >>> with listening(seen.append):
    ...     report_rows(14)
    >>> seen
    [14]
    """
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)
