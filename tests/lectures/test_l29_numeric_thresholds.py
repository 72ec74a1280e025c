"""L29, decks 001 and 004: real-valued attributes. IG*(Y|X) = max_t IG(Y|X:t), t a midpoint."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suffice as sf

NUMERIC = ["cylinders", "displacement", "horsepower", "weight", "acceleration", "modelyear"]


def entropy(labels: np.ndarray) -> float:
    shares = np.unique(labels, return_counts=True)[1] / len(labels)
    return float(-(shares * np.log2(shares)).sum())


def gain(x: np.ndarray, y: np.ndarray, threshold: float) -> float:
    """IG(Y|X:t) = H(Y) − P(X ≤ t) H(Y|X ≤ t) − P(X > t) H(Y|X > t)."""
    low = x <= threshold
    return entropy(y) - low.mean() * entropy(y[low]) - (~low).mean() * entropy(y[~low])


def midpoints(x: np.ndarray) -> list[float]:
    return [low + (high - low) / 2 for low, high in pairwise(np.unique(x))]


@pytest.fixture(scope="module")
def mpg() -> pd.DataFrame:
    return sf.datasets.load("mpg").to_pandas()


@pytest.mark.parametrize("column", NUMERIC)
def test_the_gain_of_a_numeric_column_is_the_best_over_all_midpoints(mpg: pd.DataFrame, column: str) -> None:
    work = sf.id3().fit(mpg, "mpg").best_splits(mpg, "mpg")
    x, y = mpg[column].to_numpy(float), mpg["mpg"].to_numpy()
    gains = [gain(x, y, threshold) for threshold in midpoints(x)]
    assert work[column].gain == pytest.approx(max(gains), abs=1e-12)
    first = next(t for t, g in zip(midpoints(x), gains, strict=True) if g >= max(gains) - 1e-12)
    assert work[column].threshold == pytest.approx(first, rel=1e-15)


def test_horsepower_alone_tells_the_cars_of_the_deck_apart(mpg: pd.DataFrame) -> None:
    tree = sf.id3().fit(mpg, "mpg")
    assert tree.describe().split("\n\n")[1] == "horsepower <= 88: good (3.0)\nhorsepower > 88: bad (9.0)"
    work = tree.best_splits(mpg, "mpg")
    assert work.impurity == pytest.approx(entropy(mpg["mpg"].to_numpy()), rel=1e-12)
    assert work["horsepower"].gain == pytest.approx(work.impurity, rel=1e-12)  # a perfect split
    assert f"{work['displacement'].gain:.4f}" == "0.4204"
    assert f"{work['maker'].gain:.4f}" == "0.0271"


def test_a_value_equal_to_the_threshold_takes_the_first_branch(mpg: pd.DataFrame) -> None:
    """Deck 001 splits x < t, deck 004 x ≤ t: we use ≤."""
    tree = sf.id3().fit(mpg, "mpg")
    probe = pd.concat([mpg.head(1)] * 3, ignore_index=True).assign(horsepower=[88.0, np.nextafter(88, 89), 87.0])
    assert tree.predict(probe).tolist() == ["good", "bad", "good"]


def test_thresholds_are_midpoints_also_below_the_root() -> None:
    table = pd.DataFrame({"x": [1.0, 2.0, 4.0, 7.0, 11.0, 16.0], "y": ["p", "p", "q", "q", "p", "p"]})
    nodes = sf.id3().fit(table, "y").model_.nodes
    assert sorted(nodes.threshold[~nodes.is_leaf].tolist()) == [3.0, 9.0]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-6, 6), st.sampled_from("pqr")), min_size=2, max_size=25).filter(
        lambda rows: len({row[1] for row in rows}) > 1 and len({row[0] for row in rows}) > 1
    )
)
def test_the_best_threshold_lies_between_instances_of_different_classes(rows: list[tuple[int, str]]) -> None:
    """Fayyad and Irani: only such intervals need to be looked at; ours looks at all and finds one of them.

    Where no threshold gains, all are equal and the lowest is taken.
    """
    x, y = np.array([row[0] for row in rows], dtype=float), np.array([row[1] for row in rows])
    tree = sf.id3(max_depth=1).fit(x[:, None], y)
    threshold = float(tree.model_.nodes.threshold[0])
    gains = np.array([gain(x, y, t) for t in midpoints(x)])
    assert gain(x, y, threshold) == pytest.approx(gains.max(), abs=1e-10)
    if gains.max() > 1e-9:
        low, high = x[x <= threshold].max(), x[x > threshold].min()
        assert len(set(y[(x == low) | (x == high)])) > 1
