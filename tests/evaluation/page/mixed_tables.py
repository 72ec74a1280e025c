"""Tables with everything a column can be: numbers, counts, levels, truth values, gaps; and texts."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

ROWS = 200


def with_gaps(values: list[object], random: np.random.Generator, share: float) -> list[object]:
    return [None if random.random() < share else value for value in values]


def mixed_table(seed: int = 0, rows: int = ROWS) -> pa.Table:
    random = np.random.default_rng(seed)
    classes = random.integers(0, 3, rows)
    colours = np.array(["red", "green", "blue", "<b>grey</b>"])[(classes + random.integers(0, 3, rows)) % 4]
    return pa.table(
        {
            "x": with_gaps(random.normal(classes, 1.0).tolist(), random, 0.1),
            "z": with_gaps((1e6 + random.normal(0.0, 1.0 + classes)).tolist(), random, 0.05),
            "colour": with_gaps(colours.tolist(), random, 0.1),
            "calls": random.poisson(1 + 2 * classes).astype(float).tolist(),
            "flag": (random.random(rows) < 0.3 + 0.2 * classes).tolist(),
            "grade": random.integers(0, 4, rows).astype(str).tolist(),
            "class": np.array(["a", "b", "c"])[classes].tolist(),
        }
    )


def two_classes(seed: int = 1, rows: int = ROWS) -> pa.Table:
    """The same columns, but two classes that are numbers, and nothing missing in training."""
    table = mixed_table(seed, 2 * rows).drop_null()
    label = [1 if value == "c" else 0 for value in table["class"].to_pylist()]
    return table.drop_columns(["class"]).append_column("class", pa.array(label)).slice(0, rows)


def letters(rows: int = ROWS) -> pa.Table:
    random = np.random.default_rng(2)
    spam, ham = (
        ["free", "prize", "call", "now", "Überweisung", "天气很好"],
        ["meeting", "call", "lunch", "tomorrow", "see"],
    )
    texts, labels = [], []
    for _ in range(rows):
        is_spam = random.random() < 0.4
        words = [*random.choice(spam if is_spam else ham, random.integers(2, 9)).tolist(), "you"]
        texts.append(None if random.random() < 0.05 else f"{' '.join(words).capitalize()}, {random.integers(0, 99)}!")
        labels.append("spam" if is_spam else "ham")
    return pa.table({"text": texts, "length": random.normal(size=rows).tolist(), "kind": labels})
