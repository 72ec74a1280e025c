"""How much memory is free, as far as the system tells."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path("/")
NUMBER = 8  # bytes


def free_memory(root: Path = ROOT) -> int | None:
    """The bytes this process can still have: of the machine, or of the container it runs in; None where nobody tells.

    `root` is where the system's own files are.
    """
    found = [*_of_machine(root), *_of_container(root)]
    if found:
        return max(min(found), 0)
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if root == ROOT else None
    except (AttributeError, OSError, ValueError):  # a system that does not know the question
        return None


@cache
def whole_memory() -> int | None:
    """The bytes that the machine, or the container, has altogether; None where nobody tells.

    It is asked once: reading what the system says takes as long as a tenth of a small fit.
    """
    found = [int(line.split()[1]) * 1024 for line in _lines(ROOT / "proc/meminfo") if line.startswith("MemTotal:")]
    groups = ROOT / "sys/fs/cgroup"
    limits = [_number(path) for path in (groups / "memory.max", groups / "memory/memory.limit_in_bytes")]
    found += [limit for limit in limits if limit is not None]
    return min(found) if found else free_memory()


def size_text(size: float) -> str:
    """Bytes as people say them.

    >>> size_text(23.4e9), size_text(1.05e6)
    ('23 GB', '1.1 MB')
    """
    for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if size >= unit:
            return f"{size / unit:.{0 if size >= 10 * unit else 1}f} {name}"
    return f"{size / 1e3:.1f} kB"


def _of_machine(root: Path) -> Iterator[int]:
    for line in _lines(root / "proc/meminfo"):
        if line.startswith("MemAvailable:"):
            yield int(line.split()[1]) * 1024


def _of_container(root: Path) -> Iterator[int]:
    """The limit of the control group less what is in use; files in memory can be let go, so they do not count."""
    groups = root / "sys/fs/cgroup"
    for folder, most, used in (
        (groups, "memory.max", "memory.current"),
        (groups / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"),
    ):
        limit, usage = _number(folder / most), _number(folder / used)
        if limit is not None and usage is not None:
            files = [
                int(line.split()[1])
                for line in _lines(folder / "memory.stat")
                if line.split()[0].endswith("inactive_file")
            ]
            yield limit - usage + max(files, default=0)


def _number(path: Path) -> int | None:
    text = next(iter(_lines(path)), "")
    return int(text) if text.isdigit() else None


def _lines(path: Path) -> list[str]:
    try:
        return [line for line in path.read_text().splitlines() if line.strip()]
    except OSError:
        return []
