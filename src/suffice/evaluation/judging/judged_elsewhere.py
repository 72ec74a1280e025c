"""A classifier judged on rows that are elsewhere: what is counted of them there, and merged. No row travels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from suffice.estimators import Classifier, contract
from suffice.evaluation.judging.asked_decision import Asked
from suffice.evaluation.judging.confusion import Confusion
from suffice.evaluation.judging.judged import Influences, JudgedRows, MovedAreas, known_influences
from suffice.evaluation.judging.score_tally import MOST_CELLS, ScoreTally
from suffice.evaluation.judging.weighed_mean import WeighedMean
from suffice.models.decision import Decision
from suffice.schema import Batch
from suffice.sources import Rows


def judged_elsewhere(estimator: Classifier, asked: Asked, has_probabilities: bool, table: Rows) -> JudgedElsewhere:
    """One pass; and of more than two classes another, for the interval of the mean of their areas."""

    def judge(batch: Batch) -> JudgedRows:
        scores = estimator.model_.output(batch)
        taken = asked.taken(scores, contract.decided(estimator, scores))
        return JudgedRows(scores, batch.class_codes(), taken, batch.row_weights())

    def count(batch: Batch) -> JudgedElsewhere:
        return JudgedElsewhere.of(judge(batch), asked, has_probabilities)

    judged = contract.merged_answers(estimator, table, count)
    influences = known_influences([*judged.tallies])
    if len(judged.tallies) == 2 or not influences:
        return judged
    return replace(judged, moved=table.measure(MeasureMovedAreas(judge, influences)))


@dataclass(frozen=True)
class MeasureMovedAreas:
    """Measures how far rows move the areas of all rows."""

    judge: Callable[[Batch], JudgedRows]
    influences: Influences

    def of(self, batch: Batch) -> MovedAreas:
        """Of a batch."""
        return MovedAreas.of(self.judge(batch), self.influences)


@dataclass(frozen=True)
class JudgedElsewhere:
    """What was counted of rows where they are: a statistic that merges."""

    rows: int
    confusion: Confusion
    is_weighted: bool
    losses: tuple[WeighedMean, ...]  # log loss, Brier score, that of every class; none without probabilities
    tallies: tuple[ScoreTally, ...]
    cheapest: Confusion | None
    moved: MovedAreas | None = None  # counted in a second pass

    @classmethod
    def of(cls, judged: JudgedRows, asked: Asked, has_probabilities: bool, most: int = MOST_CELLS) -> JudgedElsewhere:
        """Of some rows."""
        classes = range(judged.scores.shape[1])
        losses = [judged.log_loss, judged.brier, *map(judged.class_brier, classes)] if has_probabilities else []
        decision = asked.at_least_cost
        is_asked = decision is not None and has_probabilities
        cheapest = judged.at_least_cost(decision) if is_asked and decision is not None else None
        tallies = tuple(judged.tally(k, most) for k in classes)
        return cls(judged.rows, judged.confusion, judged.is_weighted, tuple(losses), tallies, cheapest)

    def merge(self, other: JudgedElsewhere) -> JudgedElsewhere:
        """Of both sets of rows."""
        cheapest = None
        if self.cheapest is not None and other.cheapest is not None:
            cheapest = self.cheapest.merge(other.cheapest)
        return JudgedElsewhere(
            self.rows + other.rows,
            self.confusion.merge(other.confusion),
            self.is_weighted or other.is_weighted,
            tuple(mine.merge(theirs) for mine, theirs in zip(self.losses, other.losses, strict=True)),
            tuple(mine.merge(theirs) for mine, theirs in zip(self.tallies, other.tallies, strict=True)),
            cheapest,
        )

    @property
    def log_loss(self) -> WeighedMean:
        """The mean log loss."""
        return self.losses[0]

    @property
    def brier(self) -> WeighedMean:
        """The mean Brier score."""
        return self.losses[1]

    def class_brier(self, k: int) -> WeighedMean:
        """The mean Brier score of a class against the rest."""
        return self.losses[2 + k]

    def tally(self, k: int) -> ScoreTally:
        """The scores of a class against the rest."""
        return self.tallies[k]

    def at_least_cost(self, decision: Decision) -> Confusion:
        """If every row were taken for the class of the least expected cost."""
        assert self.cheapest is not None
        return self.cheapest

    def mean_area_error(self) -> float:
        """The standard error of the mean of the classes' areas."""
        assert self.moved is not None
        return self.moved.error(float(self.confusion.weight.sum()))
