"""Laws of ties: of classes, columns and subtrees that are equal but for rounding the first wins, in every model."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import suffice as sf

MODELS: dict[str, Callable[[], Any]] = {  # that weights in another unit do not change
    "naive Bayes": lambda: sf.NaiveBayes(smoothing=0),
    "joint Bayes": sf.JointBayes,
    "id3": sf.id3,
    "cart": sf.cart,
    "cart, not pruned": lambda: sf.cart(prune=None),
    "reduced error": lambda: counted("reduced_error"),
    "three leaves": lambda: sf.cart(prune=None, max_leaves=3),
    "fractional": lambda: counted(None),
}


def counted(prune: str | None) -> sf.DecisionTreeClassifier:
    """A tree whose leaves are shares of weights: smoothing adds whole rows, which a unit of weights changes."""
    return sf.DecisionTreeClassifier("information_gain", prune=prune, min_leaf=0, leaf_smoothing=0)


@cache
def table_of(seed: int, gaps: float) -> pd.DataFrame:
    """A small table full of ties; its weights are quarters, which add up exactly, and as many tenths, which do not.

    No quarters are above 1: a heavier row counts as several, and the least weight of a fractional split is then that
    of one. Every model meets the same seeds, and they share the tables.
    """
    random = np.random.default_rng(seed)
    rows = int(random.integers(6, 40))
    cells = {name: random.choice(list("ab"), rows) for name in ("first", "second", "third")}
    cells["second"] = np.where(random.random(rows) < gaps, None, cells["second"])
    classes = random.choice(["no", "yes", "zero"], rows)
    classes[:3] = ["no", "yes", "zero"]
    quarters = random.integers(1, 4, rows) / 4
    return pd.DataFrame({**cells, "y": classes, "quarters": quarters, "tenths": 0.4 * quarters})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.2]))
@example(140888, 0.2)  # two α that differ by rounding only
def test_weights_in_tenths_decide_as_weights_in_quarters_do(make: Callable[[], Any], seed: int, gaps: float) -> None:
    table = table_of(seed, gaps)
    rows = table[["first", "second", "third", "y"]]
    quarters, tenths = (make().fit(rows, "y", sample_weight=table[unit].to_numpy()) for unit in ("quarters", "tenths"))
    predicted = quarters.predict(rows)
    np.testing.assert_array_equal(tenths.predict(rows), predicted)
    assert tenths.score(rows, "y") == quarters.score(rows, "y")
    first = {name: table[name][0] for name in ("first", "second", "third")}
    assert tenths.explain(first).prediction == predicted[0]
    if hasattr(quarters, "rules"):
        np.testing.assert_array_equal(tenths.model_.nodes.column, quarters.model_.nodes.column)


@pytest.mark.parametrize("order", [[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.2, 0.1, 0.3]])
@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_two_classes_of_equal_weight_are_the_first(make: Callable[[], Any], order: list[float]) -> None:
    """0.1 + 0.2 is not 0.3 to the last digit."""
    rows = pd.DataFrame({"x": list("aaaaaa"), "y": ["no"] * 3 + ["yes"] * 3})
    rows["w"] = [0.3, 0.2, 0.1, *order]
    for table in (rows, rows.assign(y=rows["y"].map({"no": "yes", "yes": "no"}))):
        model = make().fit(table, "y", sample_weight="w")
        assert model.predict(pd.DataFrame({"x": ["a"]})).tolist() == ["no"]
        assert model.explain({"x": "a"}).prediction == "no"


def test_rules_and_simplified_rules_take_the_first_of_equal_classes() -> None:
    table = pd.DataFrame({"x": ["a"] * 6, "y": ["no", "yes", "yes"] * 2, "w": [0.3, 0.1, 0.2] * 2})
    tree = sf.id3().fit(table, "y", sample_weight="w")
    assert tree.describe().endswith("no (1.2/0.6)")
    assert tree.rules().default == "no"
    assert tree.rules(table, "y", sample_weight="w").default == "no"
