"""Progress: passes over a table report their rows, and long work its steps, to whoever listens."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Step:
    """So many steps are done of how many; the share of all work that is done then, and after the next step."""

    done: int
    total: int
    before: float
    after: float


_listener: ContextVar[Callable[[int], None] | None] = ContextVar("listener", default=None)
_task_listener: ContextVar[Callable[[str], None] | None] = ContextVar("task_listener", default=None)
_step_listener: ContextVar[Callable[[Step], None] | None] = ContextVar("step_listener", default=None)
_part_listener: ContextVar[Callable[[int, int], None] | None] = ContextVar("part_listener", default=None)


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


def step_by_step(items: Collection[T], efforts: Sequence[float] | None = None) -> Iterator[T]:
    """Go through the items of long work, telling the listener how many of them are done.

    `efforts` say what each item costs beside the others; else all cost the same.

    >>> seen = []
    >>> with listening(print, step_listener=seen.append):
    ...     for model in step_by_step(["lda", "cart"], efforts=[1.0, 3.0]):
    ...         pass
    >>> [(step.done, step.before, step.after) for step in seen]
    [(0, 0.0, 0.25), (1, 0.25, 1.0), (2, 1.0, 1.0)]
    """
    sums = list(accumulate(efforts or [1.0] * len(items), initial=0.0))
    whole = sums[-1] or 1.0
    for done, item in enumerate(items):
        _tell_step(Step(done, len(items), sums[done] / whole, sums[done + 1] / whole))
        yield item
    _tell_step(Step(len(items), len(items), 1.0, 1.0))


def _tell_step(step: Step) -> None:
    listener = _step_listener.get()
    if listener is not None:
        listener(step)


def part_by_part(parts: Iterable[T], total: int) -> Iterator[T]:
    """Go through the parts of the task at hand as they are finished, telling the listener how many are.

    >>> seen = []
    >>> with listening(print, part_listener=lambda done, total: seen.append((done, total))):
    ...     folds = list(part_by_part(iter("ab"), 2))
    >>> seen
    [(1, 2), (2, 2)]
    """
    listener = _part_listener.get()
    for done, part in enumerate(parts, 1):
        if listener is not None:
            listener(done, total)
        yield part


@contextmanager
def listening(
    listener: Callable[[int], None],
    task_listener: Callable[[str], None] | None = None,
    step_listener: Callable[[Step], None] | None = None,
    part_listener: Callable[[int, int], None] | None = None,
) -> Iterator[None]:
    """Call the listeners with every report of rows, of tasks, of steps and of parts made inside the block.

    >>> seen = []
    >>> with listening(seen.append):
    ...     report_rows(14)
    >>> seen
    [14]
    """
    tokens = _listener.set(listener), _task_listener.set(task_listener), _step_listener.set(step_listener)
    part_token = _part_listener.set(part_listener)
    try:
        yield
    finally:
        _listener.reset(tokens[0])
        _task_listener.reset(tokens[1])
        _step_listener.reset(tokens[2])
        _part_listener.reset(part_token)
