"""What is asked about two classes: which one is looked for, from which probability on, and what errors cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from suffice.errors import SettingError
from suffice.evaluate.costs import Costs
from suffice.models.decision import NEGATIVES, POSITIVES, Decision, position
from suffice.schema import AnyArray, Array, Codes, Level


@dataclass(frozen=True)
class Asked:
    """The positive class, by its position; how to decide and what errors cost, where that was said."""

    positive: int = 1
    decision: Decision | None = None
    costs: Costs | None = None

    @classmethod
    def of(
        cls,
        classes: tuple[Level, ...],
        positive: Any = None,
        threshold: Any = None,
        costs: Any = None,
        has_probabilities: bool = True,
    ) -> Asked:
        """What was asked for, checked; none of it can be where there are more than two classes.

        >>> Asked.of(("benign", "malignant"), costs={"false negative": 5}).costs
        Costs(false_positive=1.0, false_negative=5.0)
        """
        given = {"positive": positive, "threshold": threshold, "costs": costs}
        named = [name for name, value in given.items() if value is not None]
        if named and len(classes) != 2:
            verb = "is" if len(named) == 1 else "are"
            raise SettingError(f"{' and '.join(named)} {verb} for two classes; here are {len(classes)}.")
        if threshold is not None and not has_probabilities:
            raise SettingError("A threshold is one of probabilities, which this model has not. Leave it out.")
        if positive is None and isinstance(threshold, Mapping):
            positive = next(iter(threshold), None)
        place = 1 if positive is None else position(positive, classes)
        if threshold is not None and not isinstance(threshold, Mapping):
            threshold = {classes[place]: threshold}
        decision = None if threshold is None else Decision.of(classes, threshold=threshold)
        return cls(place, decision, None if costs is None else _costs(classes, place, costs))

    @property
    def threshold(self) -> float | None:
        """What the positive class's probability must reach, where that was said."""
        return None if self.decision is None else self.decision.threshold

    def taken(self, scores: Array, otherwise: AnyArray) -> Codes:
        """The class every row is taken for."""
        taken = otherwise if self.decision is None else self.decision.codes(scores)
        return taken.astype("int32")


def _costs(classes: tuple[Level, ...], positive: int, given: Any) -> Costs:
    """Costs of errors, whose names speak of the positive class."""
    other = 1 - positive
    if isinstance(given, Mapping):
        cells = dict.fromkeys(NEGATIVES, (classes[positive], classes[other]))
        cells |= dict.fromkeys(POSITIVES, (classes[other], classes[positive]))
        given = {cells.get(error, error) if isinstance(error, str) else error: cost for error, cost in given.items()}
    table = Decision.of(classes, costs=given).costs
    assert table is not None
    costs = Costs(float(table[other, positive]), float(table[positive, other]))
    if costs.false_positive == costs.false_negative == 0.0:
        raise SettingError("Both errors cost 0, so that every threshold is the best. Give one a cost above 0.")
    return costs


NOTHING_ASKED = Asked()
