"""Rows of two numeric and two nominal columns with gaps, and a target that follows from some of them."""

import numpy as np
import pandas as pd


def mixed_rows(
    random: np.random.Generator, rows: int, gaps: float, numeric_target: bool = False, noise: float = 1.0
) -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "size": np.round(random.normal(size=rows), 1),
            "mass": random.integers(0, 9, rows).astype(float),
            "town": random.choice(["Ulm", "Kiel", "Bonn", "Jena"], rows),
            "sky": random.choice(["clear", "grey"], rows),
        }
    )
    frame = frame.mask(random.random(frame.shape) < gaps)
    score = frame["size"].fillna(0) + (frame["town"] == "Ulm") + noise * random.normal(size=rows)
    frame["y"] = score if numeric_target else np.where(score > 1.0, "high", np.where(score > 0, "middle", "low"))
    return frame
