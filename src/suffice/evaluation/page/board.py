"""The leaderboard with error bars: every model's score on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

from suffice.evaluation.comparison.leaderboard import SAYS, heading, lines
from suffice.evaluation.judging.task_metrics import METRICS_OF
from suffice.evaluation.page_parts.minus import minus

if TYPE_CHECKING:
    from suffice.evaluation.comparison.comparison_result import Comparison


@dataclass(frozen=True)
class BoardLine:
    """One model: its cells as text, and where its score and two standard errors lie, in hundredths of the scale."""

    model: str
    mark: str  # what the leaderboard says of it
    is_leader: bool
    is_baseline: bool
    cells: tuple[str, ...]
    place: float | None
    low: float = 0.0
    high: float = 0.0


@dataclass(frozen=True)
class Board:
    """All lines, best first."""

    headings: tuple[str, ...]
    metric: str
    scale: tuple[str, str]
    lines: tuple[BoardLine, ...]
    baseline: float | None  # where the best of the baselines lies


def board(comparison: Comparison) -> Board:
    """The lines of a leaderboard on a scale that holds them all."""
    rows, rank_by, metrics = comparison.rows, comparison.rank_by, METRICS_OF[comparison.task]
    scores = {row.model: (row.scores[rank_by], row.scores[f"{rank_by}_error"]) for row in rows}
    intervals = {
        name: (score, score - 2 * _known(error), score + 2 * _known(error)) for name, (score, error) in scores.items()
    }
    ends = [end for interval in intervals.values() for end in interval if isfinite(end)]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    room = (high - low) * 0.02 or 0.01
    low, high = low - room, high + room
    if metrics[rank_by].is_share:
        low, high = max(low, 0.0), min(high, 1.0)

    def place(value: float) -> float:
        return min(max(100.0 * (value - low) / (high - low), 0.0), 100.0)

    found = []
    for row, (name, *cells) in zip(rows, lines(rows, metrics), strict=True):
        score, *interval = intervals[row.model]
        about = (row.model, name.removeprefix(row.model), row.model == comparison.leader, row.model in SAYS)
        places = map(place, (score, *interval)) if isfinite(score) else (None,)
        found.append(BoardLine(*about, tuple(map(minus, cells)), *places))
    baseline = next((line.place for line in found if line.is_baseline), None)
    decimals = metrics[rank_by].decimals((low, high))
    scale = minus(f"{low:,.{decimals}f}"), minus(f"{high:,.{decimals}f}")
    return Board(tuple(heading(metrics)), metrics[rank_by].heading, scale, tuple(found), baseline)


def _known(error: float) -> float:
    return error if isfinite(error) else 0.0
