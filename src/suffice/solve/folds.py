"""Folds: seeded and stratified, dealt by what is in a row, so that neither order nor slices of the rows matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from suffice.errors import SettingError
from suffice.schema import AnyArray, Array, Batch, Codes
from suffice.statistics.row_keys import key_order, row_keys

Mark = tuple[int, bytes]
MARKED_ROWS = 64


def require_folds(count: int, seed: int = 0) -> None:
    """At least two folds, and a seed that is one."""
    if not isinstance(count, (int, np.integer)) or isinstance(count, bool) or count < 2:
        raise SettingError(f"folds must be a whole number of at least 2, not {count!r}.")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise SettingError(f"random_state must be a whole number of at least 0, not {seed!r}.")


def dealt(classes: Codes, count: int, seed: int) -> Codes:
    """Deal each class's rows to the folds in turn, in rounds: every round is its own shuffle of all folds.

    Every fold gets its share of every class, give or take one row.

    >>> sorted(dealt(np.zeros(8, dtype=np.int32), 4, seed=0).tolist())
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    folds = np.empty(len(classes), dtype=np.int32)
    for k in range(int(classes.max(initial=-1)) + 1):
        rows = np.flatnonzero(classes == k)
        deck = np.tile(np.arange(count), (-(-len(rows) // count), 1))  # in 64 bits, which numpy shuffles fastest
        np.random.default_rng([int(seed), k]).permuted(deck, axis=1, out=deck)
        folds[rows] = deck.ravel()[: len(rows)]
    return folds


@dataclass(frozen=True)
class KeyedRows:
    """What dealing needs to know of a batch: keys of its rows, their classes, and what the batch is known by."""

    keys: AnyArray  # (row,)
    classes: Codes  # (row,), zero where there are none
    response: Array | None  # (row,), the numbers of a regression
    weights: Array | None  # (row,)
    mark: Mark


@dataclass(frozen=True)
class KeyRows:
    """Finds the keys of a batch: of its cells and targets."""

    seed: int

    def __call__(self, batch: Batch) -> KeyedRows:
        """The keys of a batch's rows."""
        classes = np.zeros(batch.rows, dtype=np.int32) if batch.classes is None else batch.classes
        return KeyedRows(self.keys(batch), classes, batch.response, batch.weights, self.mark(batch))

    def keys(self, batch: Batch) -> AnyArray:
        """The keys of a batch's rows."""
        return row_keys(batch, self.seed, with_target=True)

    def mark(self, batch: Batch) -> Mark:
        """How many rows there are, and the keys of a few of them."""
        few = np.linspace(0, batch.rows - 1, min(batch.rows, MARKED_ROWS)).astype(np.int64)
        return batch.rows, self.keys(batch.take(few)).tobytes()


@dataclass(frozen=True)
class Folds:
    """The fold of every row of a table; a batch of it finds its own by what is in its rows.

    Rows are dealt in the order of their keys, whatever they weigh; of equal rows the lighter ones first. In a
    regression they are dealt in the order of their numbers, so that every fold has its share of low and of high ones.
    Equal rows are dealt to different folds, as any others are.
    """

    count: int
    keyed: KeyRows
    of_batch: Mapping[Mark, Codes]
    sorted_keys: AnyArray
    sorted_folds: Codes

    @classmethod
    def deal(cls, batches: Sequence[KeyedRows], count: int, seed: int) -> Folds:
        """Deal the rows of all batches together."""
        keys = np.concatenate([batch.keys for batch in batches])
        classes = np.concatenate([batch.classes for batch in batches])
        order = _order(keys, batches)
        folds = np.empty(len(keys), dtype=np.int32)
        folds[order] = dealt(classes[order], count, seed)
        parts = np.split(folds, np.cumsum([len(batch.keys) for batch in batches])[:-1])
        of_batch = {batch.mark: part for batch, part in zip(batches, parts, strict=True)}
        by_key = order if batches[0].response is None else key_order(keys)
        return cls(count, KeyRows(seed), of_batch, keys[by_key], folds[by_key])

    def of(self, batch: Batch) -> Codes:
        """The folds of a batch's rows."""
        found = self.of_batch.get(self.keyed.mark(batch))
        return self._by_key(self.keyed.keys(batch)) if found is None else found

    def _by_key(self, keys: AnyArray) -> Codes:
        """The folds of rows that come in other slices, or in another order, than when they were dealt."""
        order = np.argsort(keys, kind="stable")
        own = keys[order]
        copy = np.arange(len(own)) - np.searchsorted(own, own)
        folds = np.empty(len(keys), dtype=np.int32)
        place = np.searchsorted(self.sorted_keys, own) + copy
        folds[order] = self.sorted_folds[np.minimum(place, len(self.sorted_keys) - 1)]
        return folds


def _order(keys: AnyArray, batches: Sequence[KeyedRows]) -> AnyArray:
    """The order in which rows are dealt."""
    order = key_order(keys)
    is_tied = bool((keys[order][1:] == keys[order][:-1]).any())
    weights = [batch.weights if batch.weights is not None else np.ones(len(batch.keys)) for batch in batches]
    responses = [batch.response for batch in batches if batch.response is not None]
    if responses:
        return np.lexsort((np.concatenate(weights), keys, np.concatenate(responses)))
    is_weighted = any(batch.weights is not None for batch in batches)
    return np.lexsort((np.concatenate(weights), keys)) if is_weighted and is_tied else order
