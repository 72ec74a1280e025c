"""Tables full of signs that a terminal obeys, and what is asked of whatever is shown of them."""

from __future__ import annotations

from itertools import cycle
from unicodedata import category

import numpy as np
import pandas as pd

NASTY = "\x1b[31m", "\x00", "\u202e", "\n", "\ud800", "\x9b2J", "\r", "\u2066", "\x07", "\u2028", "\ufeff", "\U000e0041"
OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")


def table(signs: tuple[str, ...] = NASTY) -> pd.DataFrame:
    """A table all of whose names, levels and classes have something in them."""
    drawn, sign, rows = np.random.default_rng(0), cycle(signs), 60
    colours, classes = (np.array([f"{name}{next(sign)}" for name in "abc"], dtype=object) for _ in range(2))
    frame = pd.DataFrame(
        {
            f"size{next(sign)}": drawn.normal(size=rows),
            f"colour{next(sign)}": pd.Series(drawn.choice(colours, rows), dtype=object),
            f"constant{next(sign)}": "one",
            f"number{next(sign)}": np.arange(rows).astype(str),
            f"class{next(sign)}": pd.Series(drawn.choice(classes, rows), dtype=object),
        }
    )
    frame.iloc[::9, 0] = np.nan
    frame.iloc[::11, 1] = None
    return frame


def require_plain(text: str, lines: int | None = None) -> None:
    found = {letter for letter in text if category(letter) in OBEYED} - {"\n"}
    assert not found, f"{found} in {text!r}"
    assert lines is None or text.count("\n") == lines, text
