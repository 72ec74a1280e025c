"""Temporary files: where they are, and how much of the disk they may take."""

from __future__ import annotations

import shutil
import tempfile


def most_bytes() -> int:
    """How large a temporary file may become: half of what is free where it is written.

    >>> 0 <= 2 * most_bytes() <= shutil.disk_usage(tempfile.gettempdir()).total
    True
    """
    return shutil.disk_usage(tempfile.gettempdir()).free // 2


def too_large(most: int) -> str:
    """What is said of one that would become larger.

    >>> too_large(1_000_000).split(" is free ")[0]
    'more than 1,000,000 bytes, half of what'
    """
    return f"more than {most:,} bytes, half of what is free in {tempfile.gettempdir()}"
