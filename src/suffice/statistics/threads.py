"""Threads of the linear algebra library: one per worker, so that they do not get in each other's way."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any


def one_blas_thread() -> AbstractContextManager[Any]:
    """Inside the block BLAS works in the calling thread only."""
    limited: AbstractContextManager[Any] = _blas().limit(limits=1, user_api="blas")
    return limited


@cache
def _blas() -> Any:
    import scipy.linalg.blas  # the libraries must be loaded before they are looked for  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
