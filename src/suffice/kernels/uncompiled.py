"""Kernels that are not compiled: what they import from `cython.cimports` are each other's sources, and NumPy for C.

The compiler reads `from cython.cimports.suffice.kernels.terms import Terms` as an import of C declarations. Python then
finds `suffice.kernels.terms` under that name.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import cython  # noqa: F401 - puts Python's mathematics where C's is imported from, which comes before any finder

from suffice.kernels import c_math

PREFIX = "cython.cimports."


class Uncompiled(MetaPathFinder, Loader):
    """Finds the sources of this package under the names by which compiled kernels import each other."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Ours, if the name is one of this package."""
        is_ours = fullname.startswith(f"{PREFIX}suffice")
        return ModuleSpec(fullname, self, is_package=True) if is_ours else None

    def exec_module(self, module: ModuleType) -> None:
        """Put the source's own module in its place: there is one of each."""
        sys.modules[module.__name__] = import_module(module.__name__.removeprefix(PREFIX))


def find_sources() -> None:
    """Let kernels that are not compiled import each other."""
    package = PREFIX.removesuffix(".")
    sys.modules[package].__spec__ = ModuleSpec(package, None)  # Cython's stand-in has none, which Python asks for
    sys.meta_path.insert(0, Uncompiled())
    sys.modules[f"{PREFIX}libc.math"] = c_math
