"""The classic decision trees by name: ID3, C4.5, CART."""

from __future__ import annotations

from typing import Any

from suffice.estimators.trees.decision_tree import DecisionTreeClassifier, DecisionTreeRegressor
from suffice.solve.trees.learn import OF_NUMBERS

AS_COUNTED = {"leaf_smoothing": 0.0}  # the probabilities of a leaf are its counts


def id3(**settings: Any) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """ID3 (Quinlan 1986): information gain, a branch for every level, no pruning.

    It splits on even where no column gains anything, as long as the rows differ: XOR needs it. A leaf's probabilities
    are its counts (`leaf_smoothing=0`).

    Any setting of the class may be given; criterion="standard_deviation" or "variance" makes it a tree of numbers.

    >>> import suffice as sf
    >>> print(sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis").describe())
    DecisionTreeClassifier: PlayTennis with 2 classes, 0 numeric and 4 nominal columns, 5 leaves, 8 nodes, depth 2
    <BLANKLINE>
    Outlook = Overcast: Yes (4.0)
    Outlook = Rain
    |   Wind = Strong: No (2.0)
    |   Wind = Weak: Yes (3.0)
    Outlook = Sunny
    |   Humidity = High: No (3.0)
    |   Humidity = Normal: Yes (2.0)
    """
    classic = {"criterion": "information_gain", "splits": "multiway", "missing": "fractional", "prune": None}
    return _tree({**classic, **AS_COUNTED, "min_leaf": 1, **settings})


def c45(**settings: Any) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """C4.5 (Quinlan 1993): gain ratio, a branch for every level, fractional instances, pessimistic pruning.

    The tree and its predictions are J48's; the probabilities of a leaf are smoothed (`leaf_smoothing=0` gives J48's).

    >>> import suffice as sf
    >>> sf.c45().fit(sf.datasets.load("iris"), "species").node_count
    9
    """
    classic = {"criterion": "gain_ratio", "splits": "multiway", "missing": "fractional", "prune": "pessimistic"}
    return _tree({**classic, "min_leaf": 2, **settings})


def cart(**settings: Any) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """CART (Breiman and others 1984): gini, two branches, cost-complexity pruning chosen by cross-validation.

    criterion="variance" makes it a regression tree. A leaf's probabilities are its counts (`leaf_smoothing=0`).

    >>> import suffice as sf
    >>> sf.cart().fit(sf.datasets.load("iris"), "species").leaf_count
    3
    >>> sf.cart(criterion="variance", prune=None)
    DecisionTreeRegressor()
    """
    classic = {"criterion": "gini", "splits": "binary", "missing": "direction", "prune": "cost_complexity"}
    return _tree({**classic, **AS_COUNTED, "min_leaf": 1, **settings})


def _tree(settings: dict[str, Any]) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """The criterion says what is predicted: classes or numbers."""
    if settings["criterion"] not in OF_NUMBERS:
        return DecisionTreeClassifier(**settings)
    return DecisionTreeRegressor(**{name: value for name, value in settings.items() if name not in AS_COUNTED})
