"""Variants: the same kernels, compiled for any processor and for newer ones, or not compiled at all.

The build puts each variant into a folder of its own beside the kernels' sources. The best one that this processor can
run is chosen when the first kernel is imported, or the one that the environment variable SUFFICE_KERNELS names:
`baseline`, `v3`, or `python` for the sources themselves, through which a debugger can step.
"""

from __future__ import annotations

import os
import platform
from hashlib import sha256
from pathlib import Path

BASELINE, V3, PYTHON = "baseline", "v3", "python"
STAMP = "sources.sha256"  # in the folder of a variant: what it was compiled from
V3_FLAGS = frozenset(("abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"))


def folder_of_kernels(sources: Path) -> Path:
    """Where the kernels are imported from; an error where they are not compiled, or were changed since."""
    chosen = os.environ.get("SUFFICE_KERNELS") or (V3 if runs_v3() and (sources / V3).exists() else BASELINE)
    if chosen == PYTHON:
        return sources
    if chosen not in (BASELINE, V3):
        raise ImportError(f"SUFFICE_KERNELS is {chosen!r}; it can be {BASELINE!r}, {V3!r} or {PYTHON!r}.")
    setup = sources.parents[2] / "setup.py"
    if setup.exists():  # a checkout; what is installed was built whole
        require_fresh(sources / chosen / STAMP, digest_of(sources, setup))
    return sources / chosen


def require_fresh(stamp: Path, digest: str) -> None:
    """An error where the compiled kernels are not those of the sources."""
    if stamp.exists() and stamp.read_text() == digest:
        return
    fault = "have changed since they were compiled" if stamp.exists() else "are not compiled"
    raise ImportError(
        f"The kernels {fault}. Run `make build`, or `python setup.py build_ext --inplace`, and try again."
    )


def digest_of(sources: Path, setup: Path) -> str:
    """A digest of all that the compiled kernels follow from."""
    digest = sha256(setup.read_bytes())
    for path in sorted([*sources.glob("*.py"), *sources.glob("*.pxd")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def runs_v3() -> bool:
    """Whether the processor has what compilers call x86-64-v3, as far as the system tells."""
    if platform.machine() != "x86_64":
        return False
    try:
        with open("/proc/cpuinfo") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return False
    return set(flags.split()) >= V3_FLAGS
