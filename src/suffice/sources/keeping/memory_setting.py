"""How many bytes the rows of a table may take while a model is learned.

One number for all models: what the environment variable SUFFICE_MEMORY says, such as "4GB", else half of what the
machine has. Trees have a setting `memory` of their own besides.
"""

from __future__ import annotations

import os
import re
from typing import Any

import numpy as np

from suffice.errors import SettingError
from suffice.machine.memory import size_text, whole_memory
from suffice.settings import is_number

VARIABLE = "SUFFICE_MEMORY"
UNKNOWN = 4 << 30  # what a machine is taken to have that does not tell
LEAST = 1e6
UNITS = {"": 1, "b": 1} | {f"{k}{b}": s**n for b, s in (("b", 1000), ("ib", 1024)) for n, k in enumerate("kmgt", 1)}
SIZE = re.compile(r"\s*([0-9]*\.?[0-9]+)\s*(b|[kmgt]i?b|)\s*", re.IGNORECASE)


def bytes_asked_for(memory: Any) -> int:
    """A setting of memory in bytes: a number of them, or text such as "1GB"; None is what is set for all models.

    >>> bytes_asked_for("1.5 GB"), bytes_asked_for("512MiB"), bytes_asked_for(10_000_000)
    (1500000000, 536870912, 10000000)
    """
    name = "memory"
    if memory is None:
        memory, name = os.environ.get(VARIABLE) or None, VARIABLE
    if memory is None:
        return (whole_memory() or UNKNOWN) // 2
    found = SIZE.fullmatch(memory) if isinstance(memory, str) else None
    size = float(found[1]) * UNITS[found[2].lower()] if found else float(memory) if is_number(memory) else np.nan
    if not LEAST <= size < np.inf:
        raise SettingError(
            f"{name} must be a size of at least {size_text(LEAST)}, such as '500MB', '1GB' or a number of bytes, "
            f"not {memory!r}."
        )
    return int(size)
