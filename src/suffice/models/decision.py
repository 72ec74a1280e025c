"""Bayes decisions: the class of the least expected cost, or by a threshold, given the probabilities of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import Message, Setting, SettingError
from suffice.schema import AnyArray, Array, Level, class_position
from suffice.settings import is_number, require_number
from suffice.statistics.ties import TIE, first_of_equals

NEGATIVES, POSITIVES = ("false negative", "false_negative"), ("false positive", "false_positive")


@dataclass(frozen=True)
class Decision:
    """How a class is chosen: the most probable, the first of equals, unless a threshold or costs say otherwise."""

    classes: tuple[Level, ...]
    costs: Array | None = None  # (truth, predicted)
    threshold: float | None = None  # of the positive class
    positive: int = 1

    @classmethod
    def of(
        cls, classes: Sequence[Level], threshold: Any = None, costs: Any = None, positive: int | None = None
    ) -> Decision:
        """Checked: a threshold is a probability, of the second of two classes or of the one that is named.

        Costs are those of errors; an error that is not named costs 1, and to be right costs nothing. A false
        negative is a row of the `positive` class, the second of two, that is taken for another.

        >>> print(Decision.of(("no", "yes"), threshold=0.3))
        'yes' where P(yes) is at least 0.3, else 'no'
        >>> Decision.of(("no", "yes"), costs={"false negative": 5}).costs.tolist()
        [[0.0, 1.0], [5.0, 0.0]]
        """
        known = tuple(classes)
        if threshold is not None and costs is not None:
            raise SettingError("A threshold and costs both say how to decide. Give one of them.")
        if threshold is not None:
            return _of_threshold(known, threshold)
        return cls(known) if costs is None else cls(known, _cost_table(known, costs, positive))

    def codes(self, posterior: Array) -> AnyArray:
        """The position of the class that every row is taken for: argmin over k of Σ_c P(c | x)·cost(c, k).

        >>> Decision.of(("no", "yes"), costs={("yes", "no"): 5}).codes(np.array([[0.8, 0.2], [0.9, 0.1]])).tolist()
        [1, 0]
        """
        if self.threshold is not None:
            is_positive = posterior[:, self.positive] >= self.threshold * (1 - TIE)
            others = posterior.copy()
            others[:, self.positive] = -1.0
            return np.where(is_positive, self.positive, first_of_equals(others))
        if self.costs is None:
            return first_of_equals(posterior)
        return first_of_equals(self.costs.max() - posterior @ self.costs)

    def __str__(self) -> str:
        if self.threshold is not None:
            chosen, others = self.classes[self.positive], [k for k in range(len(self.classes)) if k != self.positive]
            otherwise = repr(self.classes[others[0]]) if len(others) == 1 else "the most probable of the others"
            return f"{chosen!r} where P({chosen}) is at least {self.threshold:g}, else {otherwise}"
        return "the most probable class" if self.costs is None else "the class of the least expected cost"


def decide(posterior: Any, classes: Sequence[Level], threshold: Any = None, costs: Any = None) -> AnyArray:
    """The class of every row, from the probabilities of all: at a threshold, or at the least expected cost.

    A `threshold` is a number for the second of two classes, or {class: number} for the class that a row is taken for
    from that probability on, whatever the others have. `costs` are {(truth, predicted): cost}
    or, of two classes, {"false negative": cost, "false positive": cost}, where the second class is the positive one;
    other errors cost 1. Without either, the most probable class.

    >>> import suffice as sf
    >>> posterior = [[0.9, 0.1], [0.65, 0.35], [0.2, 0.8]]
    >>> sf.decide(posterior, ["no", "yes"], threshold=0.3).tolist()
    ['no', 'yes', 'yes']
    >>> sf.decide(posterior, ["no", "yes"], costs={"false positive": 5}).tolist()
    ['no', 'no', 'no']
    """
    rows = np.asarray(posterior, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != len(classes):
        raise SettingError(f"The probabilities must be a column for each of the {len(classes)} classes.")
    labels: AnyArray = np.asarray(classes).take(Decision.of(tuple(classes), threshold, costs).codes(rows))
    return labels


def _of_threshold(classes: tuple[Level, ...], threshold: Any) -> Decision:
    if len(classes) != 2 and not isinstance(threshold, Mapping):
        _require_probability(threshold)
        said = f"A threshold is for the second of two classes; here are {len(classes)}. Name the class: "
        raise SettingError(Message(said, Setting("threshold", {classes[-1]: threshold}), "."))
    positive = 1
    if isinstance(threshold, Mapping):
        if len(threshold) != 1:
            raise SettingError("A threshold is given for one of the classes; the others follow.")
        ((label, threshold),) = threshold.items()
        positive = class_position(label, classes)
    _require_probability(threshold)
    return Decision(classes, threshold=float(threshold), positive=positive)


def _require_probability(threshold: Any) -> None:
    if not is_number(threshold) or not 0 <= threshold <= 1:
        raise SettingError(f"A threshold must be a probability from 0 to 1, not {threshold!r}.")


def _cost_table(classes: tuple[Level, ...], costs: Any, positive: int | None) -> Array:
    if not isinstance(costs, Mapping) or not costs:
        raise SettingError(
            'Costs are named: {("yes", "no"): 5} where a yes that is taken for a no costs 5, or {"false negative": 5}.'
        )
    table = 1.0 - np.eye(len(classes))
    for error, cost in costs.items():
        table[_cells(error, classes, positive)] = require_number("A cost", cost)
    np.fill_diagonal(table, 0.0)
    return table


def _cells(error: Any, classes: tuple[Level, ...], positive: int | None) -> tuple[Any, Any]:
    """Where the cost of an error stands: its truth, and what is predicted; of a positive class all of its errors."""
    if isinstance(error, tuple) and len(error) == 2:
        truth, predicted = class_position(error[0], classes), class_position(error[1], classes)
        if truth == predicted:
            raise SettingError(f"To take {error[0]!r} for {error[1]!r} is right, which costs nothing. Name an error.")
        return truth, predicted
    if error not in NEGATIVES + POSITIVES:
        raise SettingError(f"{error!r} is no error. Name it (truth, predicted), 'false negative' or 'false positive'.")
    if len(classes) != 2 and positive is None:
        said = f"There are {len(classes)} classes, so {error!r} is not clear. Name the truth and what is predicted: "
        raise SettingError(Message(said, Setting("costs", {(classes[0], classes[1]): 1}), "."))
    place = 1 if positive is None else positive
    return (place, slice(None)) if error in NEGATIVES else (slice(None), place)
