"""One JSON document on standard output."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from typing import Any

from suffice.shown import shown_json


def print_json(document: Mapping[str, Any]) -> None:
    """Print a document that every JSON reader accepts: a number that is not finite is null."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(shown_json(json.dumps(plain(document), indent=2, ensure_ascii=not is_unicode, allow_nan=False)))


def plain(value: Any) -> Any:
    """A value with nothing in it but what JSON knows.

    >>> plain({"auc": float("nan"), "classes": ("No", "Yes")})
    {'auc': None, 'classes': ['No', 'Yes']}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if hasattr(value, "tolist"):  # NumPy's arrays and numbers
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
