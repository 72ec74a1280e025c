"""Side-by-side timing: the two sides take turns, and the best run of each counts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Ratio:
    """How many times faster `ours` is than `theirs`, and how many times it should be."""

    name: str
    peer: str
    ours: float
    theirs: float
    goal: float

    @property
    def times_faster(self) -> float:
        return self.theirs / self.ours

    def line(self) -> str:
        verdict = "ok" if self.times_faster >= self.goal else "BELOW GOAL"
        return (
            f"{self.name:<42} {self.ours * 1e3:>9.1f} ms   {self.theirs * 1e3:>9.1f} ms   "
            f"{self.times_faster:>6.1f}×   ≥ {self.goal:g}×   {verdict}   ({self.peer})"
        )


def best_seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def side_by_side(
    name: str,
    peer: str,
    goal: float,
    ours: Callable[[], object],
    theirs: Callable[[], object],
    runs: int = 5,
    peer_runs: int | None = None,
) -> Ratio:
    """Warm both up (kernels compile on first use), then alternate."""
    ours()
    mine, other = [], []
    for run in range(runs):
        mine.append(best_seconds(ours))
        if run < (peer_runs or runs):
            other.append(best_seconds(theirs))
    return Ratio(name, peer, min(mine), min(other), goal)
