"""Progress: passes over a table report their rows, and long work its steps, to whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

T = TypeVar("T")

_listener: ContextVar[Callable[[int], None] | None] = ContextVar("listener", default=None)
_task_listener: ContextVar[Callable[[str], None] | None] = ContextVar("task_listener", default=None)
_step_listener: ContextVar[Callable[[int, int], None] | None] = ContextVar("step_listener", default=None)


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


def step_by_step(items: Collection[T]) -> Iterator[T]:
    """Go through the items of long work, telling the listener how many of them are done.

    >>> seen = []
    >>> with listening(print, step_listener=lambda done, total: seen.append((done, total))):
    ...     for model in step_by_step(["lda", "qda"]):
    ...         pass
    >>> seen
    [(0, 2), (1, 2), (2, 2)]
    """
    done = 0
    for item in items:
        _tell_step(done, len(items))
        yield item
        done += 1
    _tell_step(done, len(items))


def _tell_step(done: int, total: int) -> None:
    listener = _step_listener.get()
    if listener is not None:
        listener(done, total)


@contextmanager
def listening(
    listener: Callable[[int], None],
    task_listener: Callable[[str], None] | None = None,
    step_listener: Callable[[int, int], None] | None = None,
) -> Iterator[None]:
    """Call the listeners with every report of rows, of tasks and of steps made inside the block.

    >>> seen = []
    >>> with listening(seen.append):
    ...     report_rows(14)
    >>> seen
    [14]
    """
    tokens = _listener.set(listener), _task_listener.set(task_listener), _step_listener.set(step_listener)
    try:
        yield
    finally:
        _listener.reset(tokens[0])
        _task_listener.reset(tokens[1])
        _step_listener.reset(tokens[2])
