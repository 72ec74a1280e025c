"""Modules that a library imports and may never use: their loading is put off until something of them is asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import Any

_entering = Lock()


class _Deferred(ModuleType):
    """Stands in for a module, and gets out of its way when it is used."""

    def __getattr__(self, attribute: str) -> Any:
        _leave(self)
        return getattr(import_module(self.__name__), attribute)


@contextmanager
def deferred(*names: str) -> Iterator[None]:
    """Inside the block, an import of a module that uses nothing of it does not load it; after it, all is as ever.

    >>> import sys
    >>> with deferred("this"):
    ...     import this
    >>> "this" in sys.modules  # so it will be loaded by the next who imports it
    False
    """
    absent = [name for name in names if name not in sys.modules and find_spec(name) is not None]
    stand_ins = [_Deferred(name) for name in absent]
    sys.modules.update(zip(absent, stand_ins, strict=True))
    try:
        yield
    finally:
        for one in stand_ins:
            _leave(one)


def _leave(one: _Deferred) -> None:
    with _entering:
        if sys.modules.get(one.__name__) is one:
            del sys.modules[one.__name__]
