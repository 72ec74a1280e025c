"""Forks: a process that is forked while a thread works must not wait for ever for a lock that thread held.

Threads do not live on in a forked process, but the locks they held stay locked there, and what they were half-way
through stays half done. So a fork waits until no other thread is importing a module or compiling a kernel, and holds
these locks itself meanwhile; locks that only guard a value against being worked out twice are made anew in the child.
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
from functools import cached_property
from importlib import _bootstrap
from typing import Any

PATIENCE = 300.0  # seconds: a whole tree compiles in a tenth of them; after that the fork goes ahead as it would have
PAUSE = 0.002


class _Held(threading.local):
    """What a forking thread took before the fork, to be given back after it."""

    def __init__(self) -> None:
        self.locks: list[Any] = []


class _Imports:
    """The lock without which no thread begins an import."""

    acquire = staticmethod(_imp.acquire_lock)
    release = staticmethod(_imp.release_lock)


_held = _Held()


def _before() -> None:
    """Take the locks of compilation and imports, at a moment when nobody else is inside."""
    if len(sys._current_frames()) < 2:
        return
    deadline = time.monotonic() + PATIENCE
    while not _taken(deadline) and time.monotonic() < deadline:
        time.sleep(PAUSE)


def _taken(deadline: float) -> bool:
    """Take all locks or none: to wait for an import while holding the others could block the thread that is in it."""
    for guard in _compilers():
        if not guard._lock.acquire(timeout=max(deadline - time.monotonic(), PAUSE)):
            _after()
            return False
        _held.locks.append(guard._lock)
    _Imports.acquire()
    _held.locks.append(_Imports)
    if any(owner != threading.get_ident() for owner in _importing()):
        _after()
        return False
    return True


def _after() -> None:
    while _held.locks:
        _held.locks.pop().release()


def _after_in_child() -> None:
    _after()
    for guard in _compilers():
        if not guard._lock.acquire(blocking=False):  # nobody is left to release it: it was not to be had in time
            guard._lock = threading.RLock()
        else:
            guard._lock.release()
    for lazy in _cached_properties():
        if hasattr(lazy, "lock"):  # one for all instances, until Python 3.11
            lazy.lock = threading.RLock()


def _compilers() -> Iterator[Any]:
    """What guards numba, and the compiler below it, once they are loaded."""
    numba = getattr(sys.modules.get("numba.core.compiler_lock"), "global_compiler_lock", None)
    llvm = getattr(getattr(sys.modules.get("llvmlite.binding.ffi"), "lib", None), "_lock", None)
    yield from (guard for guard in (numba, llvm) if hasattr(guard, "_lock"))


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
