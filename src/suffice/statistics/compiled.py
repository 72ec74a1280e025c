"""How kernels are compiled: plain Python through numba, without the interpreter's lock, cached on disk."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel on its first call."""
    return _kernel(function)


def compiled_sum(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a kernel whose sums may be added in another order, so that they run in vector registers."""
    return _kernel(function, fastmath={"reassoc", "contract", "nsz"})


def compiled_inline(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a small kernel into the loops that call it: a call would cost more than its work."""
    return _kernel(function, forceinline=True)


def _kernel(function: Callable[P, R], **settings: Any) -> Callable[P, R]:
    kernel = numba.njit(nogil=True, error_model="numpy", **settings)(function)
    with suppress(RuntimeError, OSError):  # where no folder can be written, kernels are compiled in every process
        kernel._cache = PackageCache(function)
    return cast("Callable[P, R]", kernel)


class PackageCache(FunctionCache):  # type: ignore[misc]
    """Compiled code on disk, which counts only for the very sources of the package it was compiled from.

    A kernel is compiled together with the kernels it calls and the constants it names, wherever they stand; numba's own
    cache looks at the kernel's file alone.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = IndexDataCacheFile(self._cache_path, self._impl.filename_base, digest_of_package())

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep what was compiled; on a full disk it still serves this process."""
        with suppress(OSError):
            super().save_overload(signature, data)


@cache
def digest_of_package() -> bytes:
    """A digest of all sources of the package."""
    digest = sha256()
    package = Path(__file__).parents[1]
    for path in sorted(package.rglob("*.py")):
        digest.update(str(path.relative_to(package)).encode())
        digest.update(path.read_bytes())
    return digest.digest()
