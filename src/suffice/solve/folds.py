"""Folds: seeded and stratified, dealt row by row so that streams have them too."""

from __future__ import annotations

import numpy as np

from suffice.errors import SettingError
from suffice.schema import AnyArray, Codes


class Folds:
    """Deals each class's rows to the folds in turn, in rounds: every round is its own shuffle of all folds.

    The fold of a row depends on the seed, its class and how many rows of the class came before it, not on how the
    table was cut into batches. Every fold gets its share of every class, give or take one row.

    >>> sorted(Folds(4, 1, seed=0).deal(np.zeros(8, dtype=np.int32)).tolist())
    [0, 0, 1, 1, 2, 2, 3, 3]
    """

    def __init__(self, count: int, classes: int, seed: int = 0) -> None:
        if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < 2:
            raise SettingError(f"folds must be a whole number of at least 2, not {count!r}.")
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
            raise SettingError(f"random_state must be a whole number of at least 0, not {seed!r}.")
        self.count = int(count)
        self._random = [np.random.default_rng([int(seed), k]) for k in range(classes)]
        self._waiting = [np.empty(0, dtype=np.int64) for _ in range(classes)]

    def deal(self, classes: Codes) -> Codes:
        """The folds of the next rows."""
        folds = np.empty(len(classes), dtype=np.int32)
        for k in range(len(self._random)):
            rows = np.flatnonzero(classes == k)
            folds[rows] = self._next(k, len(rows))
        return folds

    def _next(self, k: int, needed: int) -> AnyArray:
        short = max(0, needed - len(self._waiting[k]))
        rounds = -(-short // self.count)
        deck = np.tile(np.arange(self.count), (rounds, 1))  # in 64 bits, which numpy shuffles fastest
        self._random[k].permuted(deck, axis=1, out=deck)
        available = np.concatenate([self._waiting[k], deck.ravel()])
        self._waiting[k] = available[needed:]
        return available[:needed]
