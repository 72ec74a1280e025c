"""Forks: a process that is forked while a thread works must not wait for ever for a lock that thread held.

Threads do not live on in a forked process, but the locks they held stay locked there, and what they were half-way
through stays half done. So a fork waits until no other thread is importing a module or is in a call that locks what
nobody else can unlock (`undivided`), and lets nobody begin meanwhile; locks that only guard a value against being
worked out twice are made anew in the child.
`logging` and `concurrent.futures` do likewise with their own locks, and are imported here so that they begin in time.
"""

from __future__ import annotations

import _imp
import concurrent.futures.thread  # noqa: F401
import logging  # noqa: F401
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib import _bootstrap
from typing import Any

PATIENCE = 60.0  # seconds: no import takes that long; after that the fork goes ahead as it would have
PAUSE = 0.002

_entrance = threading.RLock()  # of undivided calls; a fork holds it
_inside: set[int] = set()  # the threads in such a call


class _Held(threading.local):
    """How often a forking thread took the locks of imports and calls before the fork, to give them back after it."""

    count = 0


_held = _Held()


@contextmanager
def undivided() -> Iterator[None]:
    """A call that no fork of another thread comes into, such as one of a library that works with locks of its own."""
    thread = threading.get_ident()
    if thread in _inside:
        yield
        return
    try:
        with _entrance:
            _inside.add(thread)
        yield
    finally:
        _inside.discard(thread)


def _before() -> None:
    """Take the locks, at a moment when nobody else is inside."""
    if len(sys._current_frames()) < 2:
        return
    deadline = time.monotonic() + PATIENCE
    while not _taken(deadline) and time.monotonic() < deadline:
        time.sleep(PAUSE)


def _taken(deadline: float) -> bool:
    _entrance.acquire()
    while _inside - {threading.get_ident()} and time.monotonic() < deadline:
        time.sleep(PAUSE)
    _imp.acquire_lock()
    _held.count += 1
    if any(owner != threading.get_ident() for owner in _importing()):
        _after()
        return False
    return True


def _after() -> None:
    while _held.count:
        _held.count -= 1
        _imp.release_lock()
        _entrance.release()


def _after_in_child() -> None:
    _inside.intersection_update({threading.get_ident()})
    _after()
    for lazy in _cached_properties():
        if hasattr(lazy, "lock"):  # one for all instances, until Python 3.11
            lazy.lock = threading.RLock()


def _importing() -> Iterator[int]:
    """The threads that are importing a module."""
    for reference in list(getattr(_bootstrap, "_module_locks", {}).values()):
        owner = getattr(reference(), "owner", None)
        if owner is not None:
            yield owner


def _cached_properties() -> Iterator[Any]:
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "suffice":
            for found in list(vars(module).values()):
                if isinstance(found, type):
                    yield from (value for value in vars(found).values() if isinstance(value, cached_property))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after_in_child)
