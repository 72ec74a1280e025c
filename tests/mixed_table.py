"""A table of mixed columns, and what is asked of a classifier of any table."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd


def mixed_table(rows: int = 120, seed: int = 0) -> pd.DataFrame:
    """Two numeric and two nominal columns that all say something about y."""
    return drawn_table(rows, seed).copy()


@cache
def drawn_table(rows: int, seed: int) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    return pd.DataFrame(
        {
            "height": random.normal(170 + 6 * y, 5.0),
            "weight": random.normal(65 + 9 * y, 8.0),
            "city": np.where(random.random(rows) < 0.3 + 0.4 * y, "Oslo", "Bonn"),
            "diet": random.choice(["meat", "fish", "plants"], rows),
            "y": np.where(y == 1, "yes", "no"),
        }
    )


@cache
def kept_model(make: Callable[..., Any], rows: int = 120) -> Any:
    """Of a table of so many rows, with the settings as they are. It is shared: nobody may change it."""
    return make().fit(mixed_table(rows), "y")


def assert_sound(model: Any, table: Any) -> None:
    """Every row gets probabilities that are finite and add up to 1, and one of the classes."""
    probabilities = model.predict_proba(table)
    assert np.isfinite(probabilities).all()
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-9)
    assert set(model.predict(table).tolist()) <= set(model.classes_.tolist())
