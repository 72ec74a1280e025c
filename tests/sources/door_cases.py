"""What every engine is tried with: small tables of all kinds of columns, and every classifier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

import suffice as sf

WORDS = ("free", "call", "win", "now", "lunch", "home", "late", "meeting", "money", "tomorrow")


def rows(count: int = 600, seed: int = 0) -> pa.Table:
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, count)
    age, pay = random.normal(40 + 5 * y, 9).round(1), random.normal(size=count) + 0.8 * y
    city = random.choice(["Lyon", "Oslo", "Rome"], count)
    has_age, has_city = random.random(count) > 0.1, random.random(count) > 0.1
    texts = [" ".join(random.choice(WORDS, 8, p=np.roll([0.3, 0.2, 0.1, 0.1, *[0.05] * 6], 3 * k))) for k in y]
    return pa.table(
        {
            "age": pa.array(np.where(has_age, age, np.nan), from_pandas=True),
            "pay": pay,
            "visits": random.poisson(2 + y),
            "city": pa.array([name if known else None for name, known in zip(city, has_city, strict=True)]),
            "level": random.choice(["low", "high"], count),
            "text": texts,
            "weight": random.choice([1.0, 2.0, 3.0], count),
            "price": 3 * pay + (city == "Rome") + random.normal(0, 0.3, count).round(3),
            "class": np.array(["a", "b", "c"])[y],
        }
    )


TABLE = rows()
PLAIN = TABLE.drop_columns(["text", "price", "weight"])
FULL = PLAIN.filter(pa.compute.and_(PLAIN["age"].is_valid(), PLAIN["city"].is_valid()))
NUMBERS = TABLE.drop_columns(["text", "class", "weight"])


def same(first: Any, second: Any) -> None:
    """Whole numbers, levels and trees the same; sums of numbers to ten digits."""
    np.testing.assert_allclose(first, second, rtol=1e-10, atol=1e-12)


MERGED = [
    (sf.NaiveBayes(), PLAIN),
    (sf.NaiveBayes(), TABLE.drop_columns(["price", "weight"])),
    (sf.NaiveBayes(likelihoods={"visits": "poisson", "age": "kde"}), PLAIN),
    (sf.JointBayes(bins=3), PLAIN),
    (sf.LDA(), PLAIN),
    (sf.QDA(), PLAIN),
    (sf.LDA(shrinkage="ledoit_wolf", class_weight="balanced"), FULL),
]
CLIMBED = [
    (sf.LogisticRegression(), PLAIN),
    (sf.LogisticRegression(l2=0.5, degree=2, class_weight="balanced"), FULL),
    (sf.LogisticRegression(), TABLE.select(["text", "pay", "class"])),
]
TREES = [
    (sf.id3(nominal=["visits"]), FULL),
    (sf.c45(), PLAIN),
    (sf.cart(), PLAIN),
    (sf.c45(prune="reduced_error"), PLAIN),
]
LEARNERS = [*MERGED, *CLIMBED, *TREES, (sf.Perceptron(), PLAIN)]


def named(case: Any) -> Any:
    return " ".join(repr(case).split()) if hasattr(case, "fit") else f"{case.num_columns} columns"


def answers(model: Any, table: Any) -> Any:
    return model.predict_proba(table) if hasattr(model, "predict_proba") else model.decision_function(table)
