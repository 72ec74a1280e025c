"""The style of a tree's boxes: a colour for every class, or one hue for numbers from small to large."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial, reduce
from typing import Protocol

import numpy as np

from suffice.models.trees.tree import ClassificationTree, TreeModel
from suffice.report.colours import DARKEST_BLUE, WHITE, class_colours, mixed
from suffice.report.legend import MOST_ENTRIES, SWATCH, Piece, heading, legend_of, words
from suffice.report.svg import element
from suffice.report.tree.boxes import Box, Kind
from suffice.schema import Array
from suffice.schema.columns import number_text
from suffice.shown import percent, weight_text
from suffice.statistics.moments.number_moments import NumberMoments

BAR_HEIGHT = 8.0
SMALLEST, LARGEST = "#DCE9F6", "#08519C"  # means as a colour


class Look(Protocol):
    """The style of a tree's boxes, which differs between classification and regression trees."""

    def answer(self, box: Box) -> str:
        """What a leaf predicts."""

    def facts(self, box: Box) -> list[str]:
        """The lines below a box's heading."""

    def details(self, box: Box) -> list[str]:
        """What is known about the rows of a box, in full."""

    def colour(self, box: Box) -> str:
        """The colour of what a leaf predicts."""

    def tint(self, box: Box) -> str:
        """A light version of it, to write on."""

    def bar(self, box: Box, x: float, y: float, width: float) -> list[str]:
        """The rows of a box as a bar."""

    def legend(self) -> list[Piece]:
        """What the colours mean, in pieces to set side by side."""


def look_of(model: TreeModel) -> Look:
    """The style of a model's boxes."""
    return ClassLook(model) if isinstance(model, ClassificationTree) else NumberLook(model)


@dataclass(frozen=True)
class ClassLook:
    """Style of a classification tree: a colour for every class."""

    model: ClassificationTree

    @cached_property
    def colours(self) -> list[str]:
        """The colour of every class, in the order of the classes."""
        return class_colours(self.model.schema.class_count)

    def weights(self, box: Box) -> Array:
        """The weight of every class among the rows of a box."""
        weights: Array = self.model.nodes.statistic[list(box.nodes)].sum(axis=0)
        return weights

    def answer(self, box: Box) -> str:
        """The class."""
        return self.model.answer_text(box.nodes[0])

    def facts(self, box: Box) -> list[str]:
        """How many rows, and which part of them a leaf gets right if that is not all."""
        weights = self.weights(box)
        is_mixed = box.kind is Kind.LEAF and weights.max() < weights.sum()
        part = f", {percent(weights.max() / weights.sum())}" if is_mixed else ""
        return [f"n = {weight_text(weights.sum())}{part}"]

    def details(self, box: Box) -> list[str]:
        """The rows of every class."""
        weights = self.weights(box)
        if not weights.sum():
            return [f"no rows; predicts {self.model.answer_text(box.nodes[0])}, as the node above"]
        order = [k for k in np.argsort(-weights, kind="stable") if weights[k] > 0]
        more = [f"… and {len(order) - MOST_ENTRIES} more classes"] if len(order) > MOST_ENTRIES else []
        classes = self.model.schema.classes
        parts = [f"{classes[k]}: {weight_text(weights[k])} ({percent(weights[k] / weights.sum())})" for k in order]
        return [f"n = {weight_text(weights.sum())}", *parts[:MOST_ENTRIES], *more]

    def colour(self, box: Box) -> str:
        """The colour of the predicted class."""
        return self.colours[int(self.model.decision[box.nodes[0]])]

    def tint(self, box: Box) -> str:
        """A light version of it, to write on."""
        return mixed(self.colour(box), WHITE, 0.82)

    def bar(self, box: Box, x: float, y: float, width: float) -> list[str]:
        """The classes side by side, in their order, each as wide as its part of the rows."""
        weights = self.weights(box)
        ends = np.cumsum(weights) / weights.sum() * width
        parts = zip(self.colours, ends - weights / weights.sum() * width, ends, weights, strict=True)
        return [
            element("rect", x=x + begin, y=y, width=end - begin, height=BAR_HEIGHT, fill=colour)
            for colour, begin, end, weight in parts
            if weight > 0
        ]

    def legend(self) -> list[Piece]:
        """The target's name, and every class with its colour."""
        schema = self.model.schema
        return legend_of(schema.target.name, schema.classes, self.colours)


@dataclass(frozen=True)
class NumberLook:
    """Style of a regression tree: one hue, darker for larger means."""

    model: TreeModel

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The smallest and the largest mean of a leaf."""
        means = self.model.answers[self.model.nodes.is_leaf, 0]
        return float(means.min()), float(means.max())

    def moments(self, box: Box) -> NumberMoments:
        """Weight, mean and deviation of the rows of a box."""
        nodes = (NumberMoments(*self.model.nodes.statistic[node].tolist()) for node in box.nodes)
        return reduce(NumberMoments.merge, nodes, NumberMoments())

    def answer(self, box: Box) -> str:
        """The mean."""
        return self._rounded(self.moments(box).mean)

    def _rounded(self, mean: float) -> str:
        return self.model.numbers.shown_mean(mean, rounded)

    def facts(self, box: Box) -> list[str]:
        """Mean, standard deviation and number of rows; the mean of a leaf is its heading."""
        rows = self.moments(box)
        spread = f"sd {self.model.numbers.shown_spread(rows.deviation, partial(rounded, digits=3))}"
        both = f"mean {self._rounded(rows.mean)}, {spread}"
        return [spread if box.kind is Kind.LEAF else both, f"n = {weight_text(rows.weight)}"]

    def details(self, box: Box) -> list[str]:
        """The same, with all digits."""
        rows = self.moments(box)
        if not rows.weight:
            return [f"no rows; predicts {self.model.answer_text(box.nodes[0])}, as the node above"]
        target = self.model.numbers
        spread = f"standard deviation {target.shown_spread(rows.deviation)}"
        return [f"n = {weight_text(rows.weight)}", f"mean {target.shown(rows.mean)}", spread]

    def place(self, box: Box) -> float:
        """Where the mean of a box lies between the smallest (0) and the largest (1) of a leaf."""
        smallest, largest = self.limits
        mean = self.moments(box).mean
        return min(max((mean - smallest) / (largest - smallest), 0.0), 1.0) if largest > smallest else 0.5

    def colour(self, box: Box) -> str:
        """Darker for larger means."""
        return mixed("#6BA3D0", LARGEST, self.place(box))

    def tint(self, box: Box) -> str:
        """A light version of it, to write on."""
        return mixed("#F2F7FC", "#93BFE3", self.place(box))

    def bar(self, box: Box, x: float, y: float, width: float) -> list[str]:
        """A scale from the smallest to the largest mean, with a mark at this one."""
        filled = self.place(box) * (width - 3.0)
        return [
            element("rect", x=x, y=y, width=width, height=BAR_HEIGHT, fill="#E6EAEE"),
            element("rect", x=x, y=y, width=filled, height=BAR_HEIGHT, fill=mixed(SMALLEST, LARGEST, self.place(box))),
            element("rect", x=x + filled, y=y - 2.0, width=3.0, height=BAR_HEIGHT + 4.0, fill=DARKEST_BLUE),
        ]

    def legend(self) -> list[Piece]:
        """The target's name, and the hues from the smallest to the largest mean."""
        smallest, largest = (self._rounded(limit) for limit in self.limits)
        steps = [
            element("rect", x=16.0 * step, y=0.0, width=16.0, height=SWATCH, fill=mixed(SMALLEST, LARGEST, step / 4))
            for step in range(5)
        ]
        first = heading(self.model.schema.target.name)
        return [first, words(f"means of leaves: {smallest}"), Piece("".join(steps), 80.0), words(largest)]


def rounded(value: float, digits: int = 4) -> str:
    """A number with so many digits, but never fewer than all before the point.

    >>> rounded(39.78571), rounded(25.0), rounded(11603.1)
    ('39.79', '25', '11,603')
    """
    if 10**digits <= abs(value) < 1e12:
        return f"{value:,.0f}"
    return number_text(float(f"{value:.{digits}g}"))
