"""How kernels are compiled: plain Python through numba, without the interpreter's lock, cached on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel on its first call."""
    return cast("Callable[P, R]", numba.njit(nogil=True, cache=True, error_model="numpy")(function))


def compiled_sum(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel whose sums may be added in another order, so that they run in vector registers."""
    settings = {
        "nogil": True,
        "cache": True,
        "error_model": "numpy",
        "fastmath": {"reassoc", "contract", "nsz"},
    }
    return cast("Callable[P, R]", numba.njit(**settings)(function))


def compiled_inline(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small kernel into the loops that call it: a call would cost more than its work."""
    settings = {"nogil": True, "cache": True, "error_model": "numpy", "forceinline": True}
    return cast("Callable[P, R]", numba.njit(**settings)(function))
