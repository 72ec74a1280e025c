"""Threads: over items, parts of a range and hands of an array; the linear algebra library keeps to one in each."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from itertools import chain, islice, pairwise
from math import inf
from threading import Lock, current_thread, local, main_thread
from typing import Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")
LITTLE = 100_000  # numbers
FEW = 5_000  # numbers


class _Here(local):
    """What is so for the work of this thread."""

    is_alone = False


_here = _Here()


def processors() -> int:
    """How many processors there are for this thread's work."""
    return 1 if _here.is_alone else _all_processors()


@cache
def _all_processors() -> int:
    """Asking the system each time would cost as much as a small task."""
    return os.cpu_count() or 1


class _Limit:
    """How many blocks want BLAS to keep to one thread; the last one out gives it back the threads it had."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.blocks = 0
        self.given: list[int] = []  # threads of each library

    def enter(self) -> None:
        with self.lock:
            if not self.blocks:
                self.given = [library.get_num_threads() for library in _blas()]
                _give(1 for _ in self.given)
            self.blocks += 1

    def leave(self) -> None:
        with self.lock:
            if self.blocks == 1:
                _give(self.given)
            self.blocks = max(self.blocks - 1, 0)

    def begin_anew(self) -> None:
        """In a forked process, where no other block lives on to give the threads back."""
        self.lock = Lock()
        if self.blocks:
            self.blocks = 0
            _give(self.given)


_limit = _Limit()


@contextmanager
def one_blas_thread(numbers: float = inf) -> Iterator[None]:
    """Inside the block BLAS works in the calling thread only, whoever else wants so at the same time.

    With few numbers it does so by itself, and to look for its libraries, once in a process, would take longer.
    """
    if numbers <= FEW:
        yield
        return
    _limit.enter()
    try:
        yield
    finally:
        _limit.leave()


@contextmanager
def one_thread() -> Iterator[None]:
    """Inside the block everything works in the calling thread: beside it work as many others as there is room for."""
    was_alone, _here.is_alone = _here.is_alone, True
    try:
        with one_blas_thread():
            yield
    finally:
        _here.is_alone = was_alone


@cache
def _blas() -> list[Any]:
    """The libraries there are; to ask for them each time would take longer than a small task."""
    import scipy.linalg.blas  # the libraries must be loaded before they are looked for  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return list(ThreadpoolController().select(user_api="blas").lib_controllers)


def _give(threads: Iterable[int]) -> None:
    for library, count in zip(_blas(), threads, strict=True):
        library.set_num_threads(count)


def in_threads(
    work: Callable[[T], R],
    items: Iterable[T],
    numbers: Callable[[T], float] | None = None,
    afterwards: Callable[[T], Callable[[], None]] = lambda _: _nothing,
) -> Iterator[R]:
    """Map over items in threads, in order, holding only a few at a time; a single item needs no thread.

    `numbers` tells how many an item has. What `afterwards` makes of an item is called when its result is handed out; by
    then the item itself may be gone.
    """
    iterator = iter(items)
    first = list(islice(iterator, 2))
    workers = processors()
    if len(first) < 2 or workers == 1:
        with one_blas_thread(numbers(first[0]) if numbers is not None and len(first) == 1 else inf):
            for item in chain(first, iterator):
                result = work(item)
                afterwards(item)()
                yield result
        return
    with one_blas_thread(), _pool() as pool:
        waiting: deque[tuple[Future[R], Callable[[], None]]] = deque()
        try:
            for item in chain(first, iterator):
                waiting.append((pool.submit(work, item), afterwards(item)))
                if len(waiting) > 2 * workers:
                    yield _finished(*waiting.popleft())
            while waiting:
                yield _finished(*waiting.popleft())
        except KeyboardInterrupt:  # whoever interrupts does not want to wait for what is under way
            for future, _ in waiting:
                future.cancel()
            waiting.clear()
            raise
        finally:
            wait([future for future, _ in waiting if not future.cancel()])


def _finished(future: Future[R], afterwards: Callable[[], None]) -> R:
    result = future.result()
    afterwards()
    return result


def _nothing() -> None:
    """Nothing is to be done."""


def spread(work: Callable[[T], R], items: Iterable[T], numbers: float) -> Iterator[R]:
    """The same of items of about so many numbers each: little work is Python's, whose lock threads would wait for."""
    if numbers > LITTLE:
        yield from in_threads(work, items)
        return
    with one_blas_thread():
        yield from map(work, items)


@contextmanager
def _pool() -> Iterator[ThreadPoolExecutor]:
    """Threads that stay, for the main thread; any other, which may be one of these, gets threads of its own."""
    if current_thread() is main_thread():
        yield _main_workers()
        return
    with ThreadPoolExecutor(processors()) as pool:
        yield pool


def over_parts(work: Callable[[int, int], Any], count: int, least: int = 1) -> None:
    """Run `work(begin, end)` over equal runs of a range, one in each thread, unless they are shorter than `least`."""
    bounds = parts_of(count, least)
    waiting = [_workers().submit(work, low, high) for low, high in pairwise(bounds[1:])]
    work(0, bounds[1])
    for future in waiting:
        future.result()


def parts_of(count: int, least: int = 1) -> list[int]:
    """Where equal runs of a range begin, one for each thread, unless they are shorter than `least`; and where it ends.

    >>> parts_of(10, least=6)
    [0, 10]
    """
    parts = max(1, min(processors(), count // max(least, 1)))
    return [count * part // parts for part in range(parts + 1)]


def over_items(work: Callable[[int], Any], count: int, least: int = 1) -> None:
    """Run `work(i)` for every i, each thread taking the next one, unless there are fewer than `least` for each."""
    waiting = iter(range(count))

    def take() -> None:
        for i in waiting:  # the interpreter hands each number to one thread only
            work(i)

    threads = min(processors(), count // max(least, 1))
    futures = [_workers().submit(take) for _ in range(threads - 1)]
    take()
    for future in futures:
        future.result()


def over_hands(work: Callable[[Any], Any], items: Any, least: int = 1) -> None:
    """Deal the rows of an array out like cards, one hand to each thread, unless there are fewer than `least` for each.

    Neighbours are often alike, so that hands are about equal.
    """
    threads = max(1, min(processors(), len(items) // max(least, 1)))
    hands = [items[first::threads].copy() for first in range(threads)]
    over_items(lambda hand: work(hands[hand]), threads)


@cache
def _main_workers() -> ThreadPoolExecutor:
    """Threads for the passes of the main thread: to start some for each would take longer than a short pass."""
    return ThreadPoolExecutor(processors())


@cache
def _workers() -> ThreadPoolExecutor:
    """Threads that stay: a tree asks for them many times a second."""
    return ThreadPoolExecutor(processors())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_workers.cache_clear)  # a forked process has no threads but its own
    os.register_at_fork(after_in_child=_main_workers.cache_clear)
    os.register_at_fork(after_in_child=_limit.begin_anew)
