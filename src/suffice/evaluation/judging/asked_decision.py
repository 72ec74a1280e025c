"""What is asked about classes: which one is looked for, from which probability on, and what errors cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from suffice.errors import SettingError
from suffice.evaluation.judging.costs import Costs
from suffice.models.decision import Decision
from suffice.schema import AnyArray, Array, Codes, Level, class_position


@dataclass(frozen=True)
class Asked:
    """The positive class, by its position; how to decide and what errors cost, where that was said.

    Of more than two classes none is positive unless it `is_named`; costs are a table, by which `at_least_cost` decides.
    """

    positive: int = 1
    decision: Decision | None = None
    costs: Costs | None = None
    at_least_cost: Decision | None = None
    is_named: bool = False

    @classmethod
    def of(
        cls,
        classes: tuple[Level, ...],
        positive: Any = None,
        threshold: Any = None,
        costs: Any = None,
        has_probabilities: bool = True,
    ) -> Asked:
        """What was asked for, checked.

        >>> Asked.of(("benign", "malignant"), costs={"false negative": 5}).costs
        Costs(false_positive=1.0, false_negative=5.0)
        """
        if threshold is not None and not has_probabilities:
            raise SettingError("A threshold is one of probabilities, which this model has not. Leave it out.")
        if positive is None and isinstance(threshold, Mapping):
            positive = next(iter(threshold), None)
        is_named, is_pair = positive is not None, len(classes) == 2
        place = class_position(positive, classes) if is_named else 1
        if threshold is not None and not isinstance(threshold, Mapping) and (is_pair or is_named):
            threshold = {classes[place]: threshold}
        decision = None if threshold is None else Decision.of(classes, threshold=threshold)
        if costs is None:
            return cls(place, decision, is_named=is_named)
        if is_pair:
            return cls(place, decision, _costs(classes, costs, place), is_named=is_named)
        at_least_cost = Decision.of(classes, costs=costs, positive=place if is_named else None)
        return cls(place, decision, at_least_cost=at_least_cost, is_named=is_named)

    @property
    def threshold(self) -> float | None:
        """What the positive class's probability must reach, where that was said."""
        return None if self.decision is None else self.decision.threshold

    def taken(self, scores: Array, otherwise: AnyArray) -> Codes:
        """The class every row is taken for."""
        taken = otherwise if self.decision is None else self.decision.codes(scores)
        return taken.astype("int32")


def _costs(classes: tuple[Level, ...], given: Any, positive: int) -> Costs:
    table = Decision.of(classes, costs=given, positive=positive).costs
    assert table is not None
    costs = Costs(float(table[1 - positive, positive]), float(table[positive, 1 - positive]))
    if costs.false_positive == costs.false_negative == 0.0:
        raise SettingError("Both errors cost 0, so that every threshold is the best. Give one a cost above 0.")
    return costs


NOTHING_ASKED = Asked()
