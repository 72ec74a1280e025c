"""Stratified k-fold, seeded: rows are dealt by what is in them, so that neither their order nor their slices matter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np

from suffice.kernels.dealing import deal_in_turn
from suffice.machine.threads import over_items
from suffice.schema import AnyArray, Array, Batch, Codes, joined_weights
from suffice.schema.adjacent import concatenated
from suffice.statistics.orders import key_order, rows_by_code, rows_by_key
from suffice.statistics.row_keys import LEAST_ROWS, row_keys

Mark = tuple[int | None, int, bytes]
"""Where a batch begins, if rows have positions, how many rows it has, and the keys of a few of them."""
InOrder = Callable[[Codes], Codes]
"""Some rows in the order in which they are dealt: by what is in them, whichever they are."""
MARKED_ROWS = 64


def dealt(classes: Codes, count: int, seed: int, in_order: InOrder) -> Codes:
    """Stratified k-fold: the rows of one class after the other are dealt to the folds in turn.

    Every fold gets its share of every class, and of all rows, give or take one.

    >>> sorted(dealt(np.zeros(8, dtype=np.int32), 4, seed=0, in_order=lambda rows: rows).tolist())
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    rows_of = rows_by_code(classes, int(classes.max(initial=-1)) + 1)
    first = list(accumulate(map(len, rows_of), initial=0))
    turn = np.random.default_rng(int(seed)).permutation(count).astype(np.int32)
    folds = np.empty(len(classes), dtype=np.int32)

    def deal(k: int) -> None:
        deal_in_turn(in_order(rows_of[k]), turn, first[k] % count, folds)

    over_items(deal, len(rows_of), least=1 if len(classes) >= LEAST_ROWS else len(rows_of))
    return folds


@dataclass(frozen=True)
class KeyedRows:
    """What a stratified split needs of a batch: hashes of its rows, their classes, and what the batch is known by."""

    keys: AnyArray  # (row,)
    classes: Codes  # (row,), zero where there are none
    response: Array | None  # (row,), the numbers of a regression
    weights: Array | None  # (row,)
    mark: Mark


@dataclass(frozen=True)
class KeyRows:
    """Hashes the rows of a batch to keys: their cells and targets, unless it brings other keys."""

    seed: int
    most_columns: int | None = None  # columns of a kind that are looked at

    def __call__(self, batch: Batch) -> KeyedRows:
        """The keys of a batch's rows."""
        classes = np.zeros(batch.rows, dtype=np.int32) if batch.classes is None else batch.classes
        return KeyedRows(self.keys(batch), classes, batch.response, batch.weights, self.mark(batch))

    def keys(self, batch: Batch) -> AnyArray:
        """The keys of a batch's rows."""
        if batch.keys is not None:
            return batch.keys
        return row_keys(batch, self.seed, with_target=True, most_columns=self.most_columns)

    def mark(self, batch: Batch) -> Mark:
        """What a batch is known by when it comes again."""
        return batch.first_row, batch.rows, self.keys(batch.take(_marked(batch.rows))).tobytes()


def _marked(rows: int) -> AnyArray:
    return np.linspace(0, rows - 1, min(rows, MARKED_ROWS)).astype(np.int64)


@dataclass(frozen=True)
class Folds:
    """A stratified k-fold partition of a table; a batch of it finds its rows' folds by what is in them.

    Rows are dealt in the order of their keys, whatever they weigh; of equal rows the lighter ones first. In a
    regression they are dealt in rounds, the lowest numbers in the first, so that every fold has its share of low and of
    high ones. Equal rows are dealt to different folds, as any others are; in a regression only as far as they are in
    one round.
    """

    count: int
    keyed: KeyRows
    of_batch: Mapping[Mark, Codes]
    keys: AnyArray  # (row,)
    folds: Codes  # (row,)
    has_equal_keys: bool

    @classmethod
    def deal(cls, batches: Sequence[KeyedRows], count: int, seed: int, most_columns: int | None = None) -> Folds:
        """Deal the rows of all batches together."""
        keys = concatenated([batch.keys for batch in batches])
        classes = concatenated([batch.classes for batch in batches])
        order, ties = OrderOfKeys.of(keys, batches, count), list[bool]()

        def in_order(rows: Codes) -> Codes:
            ordered, is_tied = order.ordered(rows)
            ties.append(is_tied)
            return ordered

        folds = dealt(classes, count, seed, in_order)
        parts = np.split(folds, np.cumsum([len(batch.keys) for batch in batches])[:-1])
        few = keys[_marked(len(keys))].tobytes()
        whole = {(first_row, len(keys), few): folds for first_row in (None, 0)}  # all of them in one batch
        of_batch = whole | _told_apart([batch.mark for batch in batches], parts)
        return cls(count, KeyRows(seed, most_columns), of_batch, keys, folds, any(ties))

    def of(self, batch: Batch) -> Codes:
        """The folds of a batch's rows."""
        found = self.of_batch.get(self.keyed.mark(batch))
        return self._by_key(self.keyed.keys(batch)) if found is None else found

    def _by_key(self, keys: AnyArray) -> Codes:
        """The folds of rows that come in other slices, or in another order, than when they were dealt."""
        sorted_keys, sorted_folds = self._sorted
        order = np.argsort(keys, kind="stable")
        own = keys[order]
        copy = np.arange(len(own)) - np.searchsorted(own, own)
        folds = np.empty(len(keys), dtype=np.int32)
        place = np.searchsorted(sorted_keys, own) + copy
        folds[order] = sorted_folds[np.minimum(place, len(sorted_keys) - 1)]
        return folds

    @cached_property
    def _sorted(self) -> tuple[AnyArray, Codes]:
        """Keys in order and their folds; where rows come as they were dealt nobody asks."""
        order = key_order(self.keys)
        return self.keys[order], self.folds[order]


def _told_apart(marks: Sequence[Mark], parts: Sequence[Codes]) -> dict[Mark, Codes]:
    """The folds of batches by their marks, but for marks that several have: of these batches every row is looked up."""
    known, shared = dict[Mark, Codes](), set[Mark]()
    for mark, part in zip(marks, parts, strict=True):
        if not np.array_equal(known.setdefault(mark, part), part):
            shared.add(mark)
    return {mark: part for mark, part in known.items() if mark not in shared}


@dataclass(frozen=True)
class OrderOfKeys:
    """Orders the rows of a class by their keys, the lighter ones first; those with numbers by these, in rounds."""

    keys: AnyArray
    response: Array | None
    weights: Array | None
    round: int  # so many rows with neighbouring numbers are shuffled

    @classmethod
    def of(cls, keys: AnyArray, batches: Sequence[KeyedRows], count: int) -> OrderOfKeys:
        """The order of all rows, of which each round has so many."""
        responses = [batch.response for batch in batches if batch.response is not None]
        weights = joined_weights([(len(batch.keys), batch.weights) for batch in batches])
        return cls(keys, np.concatenate(responses) if responses else None, weights, count)

    def ordered(self, rows: Codes) -> tuple[Codes, bool]:
        """The same rows in order, each sort leaving equals as they are; and whether some have equal keys."""
        rows, is_tied = rows_by_key(self.keys, rows)
        if is_tied and self.weights is not None:
            rows = rows[np.lexsort((self.weights[rows], self.keys[rows]))]
        if self.response is not None:
            rows = rows[np.argsort(self.response[rows], kind="stable")]
            last_bits_first = self.keys[rows].byteswap()  # equal numbers are in the order of the first bits
            rows = rows[np.lexsort((last_bits_first, np.arange(len(rows)) // self.round))]
        return rows, is_tied
