"""Word counts: an oracle of plain dictionaries, and the laws of a statistic."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.errors import ForgetError, MergeError
from suffice.schema import Alignment, Batch, Nominal, Schema, Text
from suffice.schema.bags import bags_of, words_of
from suffice.statistics.word_counts import MeasureWords, WordCounts, WordTable

SCHEMA = Schema((Text("body"),), Nominal("y", ("a", "b", "c")))
WORDS, WEIGHTS = ("aa", "bb", "cc", "dd", "ee"), (0.5, 1.0, 3.0)
Row = tuple[str | None, int, float]


def some_rows(random: Random, count: int) -> list[Row]:
    """Texts of up to six words, a few of them missing, in three classes and of three weights."""
    texts = [" ".join(random.choices(WORDS, k=random.randint(0, 6))) for _ in range(count)]
    return [(None if random.random() < 0.2 else text, random.randrange(3), random.choice(WEIGHTS)) for text in texts]


ROWS = st.builds(some_rows, st.integers(0, 2**32 - 1).map(Random), st.integers(1, 12))


def batch_of(rows: list[Row], is_weighted: bool = True) -> Batch:
    texts = [text for text, _, _ in rows]
    known = list(dict.fromkeys(text for text in texts if text is not None))
    bags = bags_of(known, np.array([-1 if text is None else known.index(text) for text in texts], dtype=np.int64))
    return Batch(
        SCHEMA,
        np.empty((len(rows), 0)),
        np.empty((0, len(rows)), np.int32),
        np.array([label for _, label, _ in rows], dtype=np.int32),
        np.array([weight for _, _, weight in rows]) if is_weighted else None,
        texts=(bags,),
    )


def counted(rows: list[Row], is_counted: bool = False, is_weighted: bool = True) -> WordCounts:
    return MeasureWords(("body",) if is_counted else ()).of(batch_of(rows, is_weighted))


def as_dict(table: WordTable) -> dict[tuple[str, int], float]:
    cells = table.table.tocoo()
    return {(table.words[j], int(k)): float(v) for k, j, v in zip(*cells.coords, cells.data, strict=True)}


def same(first: WordCounts, second: WordCounts) -> bool:
    mine, theirs = first.tables["body"], second.tables["body"]
    return all(np.array_equal(getattr(mine, f.name), getattr(theirs, f.name)) for f in fields(WordTable))


@given(ROWS, st.booleans(), st.booleans())
def test_every_word_is_counted(rows: list[Row], is_counted: bool, is_weighted: bool) -> None:
    expected: Counter[tuple[str, int]] = Counter()
    texts: Counter[int] = Counter()
    for text, label, weight in rows:
        if text is not None:
            texts[label] += Fraction(weight if is_weighted else 1)
            for word in words_of(text) if is_counted else set(words_of(text)):
                expected[word, label] += Fraction(weight if is_weighted else 1)
    table = counted(rows, is_counted, is_weighted).tables["body"]
    assert as_dict(table) == {cell: float(count) for cell, count in expected.items()}
    assert table.texts.tolist() == [float(texts[k]) for k in range(3)]
    assert list(table.words) == sorted({word for word, _ in expected})


@given(ROWS, ROWS, st.booleans())
def test_parts_merge_to_the_whole(first: list[Row], second: list[Row], is_counted: bool) -> None:
    parts = [counted(rows, is_counted) for rows in (first, second)]
    whole = counted([*first, *second], is_counted)
    assert same(parts[0].merge(parts[1]), whole)
    assert same(parts[1].merge(parts[0]), whole)


@given(ROWS, ROWS, st.booleans())
def test_what_is_taken_out_leaves_the_rest(first: list[Row], second: list[Row], is_counted: bool) -> None:
    whole = counted([*first, *second], is_counted)
    assert same(whole.without(counted(second, is_counted)), counted(first, is_counted))


def test_rows_that_were_never_there_cannot_be_taken_out() -> None:
    have = counted([("aa bb", 0, 1.0), ("cc", 1, 1.0)])
    for rows in ([("aa dd", 0, 1.0)], [("aa", 1, 1.0)], [("aa bb", 0, 3.0)], [("", 2, 1.0)]):
        with pytest.raises(ForgetError, match="never in the model"):
            have.without(counted(rows))


@given(ROWS)
def test_classes_can_be_picked(rows: list[Row]) -> None:
    swapped = Schema((Text("body"),), Nominal("y", ("c", "new", "a")))
    found = counted(rows).align(Alignment.between(SCHEMA, swapped))
    moved = {2: 0, 0: 2}
    expected = counted([(text, moved[label], weight) for text, label, weight in rows if label in moved] or [])
    assert same(found, expected) if any(label in moved for _, label, _ in rows) else not found.tables["body"].words
    assert found.schema == swapped


def test_weighing_a_class_is_weighing_its_rows() -> None:
    rows: list[Row] = [("aa bb", 0, 1.0), ("bb", 1, 0.5), ("bb cc", 2, 3.0)]
    factors = np.array([2.0, 4.0, 1.0])
    expected = counted([(text, label, weight * factors[label]) for text, label, weight in rows])
    assert same(counted(rows).weighed(factors), expected)


def test_two_ways_of_counting_do_not_merge() -> None:
    with pytest.raises(MergeError, match="every occurrence"):
        counted([("aa", 0, 1.0)]).merge(counted([("aa", 0, 1.0)], is_counted=True))


def test_the_most_frequent_words_come_first_and_equals_by_the_alphabet() -> None:
    table = counted([("dd cc", 0, 1.0), ("dd bb", 1, 1.0), ("aa", 1, 1.0)]).tables["body"]
    assert [table.words[place] for place in table.most_frequent(2)] == ["aa", "dd"]
    assert len(table.most_frequent(None)) == 4
