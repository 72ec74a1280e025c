"""The leaderboard with error bars: every model's score on one scale."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from suffice.evaluate.leaderboard import METRICS_OF, Row, heading, lines


@dataclass(frozen=True)
class BoardLine:
    """One model: its cells as text, and where its score and two standard errors lie, in hundredths of the scale."""

    model: str
    cells: tuple[str, ...]
    place: float | None
    low: float = 0.0
    high: float = 0.0
    anchor: str = ""
    mark: str = ""  # beside the name, as on every leaderboard


@dataclass(frozen=True)
class Board:
    """All lines, best first."""

    headings: tuple[str, ...]
    metric: str
    scale: tuple[str, str]
    lines: tuple[BoardLine, ...]


def board(rows: tuple[Row, ...], rank_by: str, task: str) -> Board:
    """The lines of a leaderboard on a scale that holds them all."""
    metrics = METRICS_OF[task]
    scores = {row.model: (float(getattr(row, rank_by)), float(getattr(row, f"{rank_by}_error"))) for row in rows}
    intervals = {
        name: (score, score - 2 * _known(error), score + 2 * _known(error)) for name, (score, error) in scores.items()
    }
    ends = [end for interval in intervals.values() for end in interval if isfinite(end)]
    low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
    room = (high - low) * 0.02 or 0.01
    low, high = low - room, high + room

    def place(value: float) -> float:
        return 100.0 * (value - low) / (high - low)

    found = []
    for row, cells in zip(rows, lines(rows, metrics), strict=True):
        score, least, most = intervals[row.model]
        mark = cells[0].removeprefix(row.model)
        if isfinite(score):
            found.append(BoardLine(row.model, tuple(cells[1:]), place(score), place(least), place(most), mark=mark))
        else:
            found.append(BoardLine(row.model, tuple(cells[1:]), None, mark=mark))
    decimals = metrics[rank_by].decimals((low, high))
    scale = (f"{low:,.{decimals}f}", f"{high:,.{decimals}f}")
    return Board(tuple(heading(metrics)), metrics[rank_by].heading, scale, tuple(found))


def _known(error: float) -> float:
    return error if isfinite(error) else 0.0
