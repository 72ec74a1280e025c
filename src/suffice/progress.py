"""Progress: passes over a table report their rows to whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_listener: ContextVar[Callable[[int], None] | None] = ContextVar("listener", default=None)
_task_listener: ContextVar[Callable[[str], None] | None] = ContextVar("task_listener", default=None)


def report_rows(rows: int) -> None:
    """Tell the listener, if there is one, that so many more rows were read."""
    listener = _listener.get()
    if listener is not None:
        listener(rows)


@contextmanager
def doing(task: str) -> Iterator[None]:
    """Tell the listener, if there is one, what is being done inside the block."""
    listener = _task_listener.get()
    if listener is not None:
        listener(task)
    yield


@contextmanager
def listening(listener: Callable[[int], None], task_listener: Callable[[str], None] | None = None) -> Iterator[None]:
    """Call the listeners with every report of rows, and of tasks, made inside the block.

    >>> seen = []
    >>> with listening(seen.append):
    ...     report_rows(14)
    >>> seen
    [14]
    """
    token, task_token = _listener.set(listener), _task_listener.set(task_listener)
    try:
        yield
    finally:
        _listener.reset(token)
        _task_listener.reset(task_token)
