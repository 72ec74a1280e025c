"""Texts as bags of words: what scikit-learn's vectoriser finds, and what happens to odd ones."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from suffice.schema.bags import UNSPACED, Bags, bags_of, joined_bags, tokens_of, word_count, words_of

TEXTS = st.lists(st.text(alphabet=st.sampled_from("ab cdé7 .!_-ÄßИж\n\t"), max_size=30), min_size=1, max_size=12)


def of_rows(texts: list[str | None]) -> Bags:
    known = list(dict.fromkeys(text for text in texts if text is not None))
    return bags_of(known, np.array([-1 if text is None else known.index(text) for text in texts]))


def as_counts(bags: Bags) -> list[dict[str, float]]:
    rows = bags.matrix().toarray()
    return [{word: count for word, count in zip(bags.words, row, strict=False) if count} for row in rows]


@given(TEXTS)
def test_words_are_those_of_the_vectoriser(texts: list[str]) -> None:
    analyse = CountVectorizer().build_analyzer()
    expected = []
    for text in texts:
        words = analyse(text)
        expected.append({word: float(words.count(word)) for word in words})
    assert as_counts(of_rows(texts)) == expected


@given(st.lists(st.text(max_size=40), max_size=8), st.integers(1, 30))
def test_words_are_found_as_by_the_regular_expression_in_parts_of_any_size(texts: list[str], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("suffice.schema.bags.CHARACTERS", most)
        words, places, ends = tokens_of(texts)
    begins = [0, *ends.tolist()][: len(texts)]
    found = [[words[place] for place in places[begin:end]] for begin, end in zip(begins, ends, strict=True)]
    spaced = [re.sub(UNSPACED, in_pairs, text) for text in texts]
    assert found == [re.findall(r"\b\w\w+\b", text.lower()) for text in spaced]
    assert list(words) == list(dict.fromkeys(word for text in found for word in text))


def in_pairs(run: re.Match[str]) -> str:
    letters = run.group()
    return " ".join(["", *(letters[k : k + 2] for k in range(len(letters) - 1)), ""]) if len(letters) > 1 else letters


@pytest.mark.parametrize("text", ["\ud800ab cd", "😀ab😀", "ΑΣ ΣΑΣ", "İstanbul", "a\x00bc", "ﬁne ½½ ²³"])
def test_odd_characters_are_told_apart_as_by_the_regular_expression(text: str) -> None:
    assert words_of(text) == re.findall(r"\b\w\w+\b", text.lower())


@given(TEXTS, st.data())
def test_rows_can_be_taken_and_joined(texts: list[str], data: st.DataObject) -> None:
    bags = of_rows(texts)
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=6))
    every = as_counts(bags)
    assert as_counts(bags.take(np.array(rows, dtype=np.int64))) == [every[row] for row in rows]
    start, stop = sorted(data.draw(st.tuples(st.integers(0, len(texts)), st.integers(0, len(texts)))))
    assert as_counts(bags.take(slice(start, stop))) == every[start:stop]
    halves = [of_rows(part) for part in (texts[:stop], texts[stop:])]
    joined = joined_bags(halves)
    assert as_counts(joined) == every
    assert len(set(joined.words)) == len(joined.words)


def test_a_missing_text_is_not_an_empty_one() -> None:
    bags = of_rows(["one two", None, "", "?!", None])
    assert bags.is_missing.tolist() == [False, True, False, False, True]
    assert [len(bag) for bag in as_counts(bags)] == [2, 0, 0, 0, 0]
    assert bags.take(slice(1, 3)).is_missing.tolist() == [True, False]


def test_letters_without_spaces_between_words_count_in_pairs() -> None:
    assert words_of("免费领取 now") == ["免费", "费领", "领取", "now"]
    assert words_of("свободно для всех") == ["свободно", "для", "всех"]
    assert word_count("免费领取大奖") == 3


@pytest.mark.parametrize("text", ["\ud800", "\x00\x00 a\x00b", "a" * 100_000, "\u202eabc def"])
def test_odd_letters_do_not_stop_it(text: str) -> None:
    assert len(of_rows([text, "plain words"])) == 2


def test_a_long_text_is_read_once_through() -> None:
    bags = of_rows(["win a prize " * 80_000])  # 1 MB
    assert dict(zip(bags.words, bags.times.tolist(), strict=True)) == {"win": 80_000, "prize": 80_000}


def test_a_process_finds_words_without_scikit_learn() -> None:
    """As Spark's do, each of which would have to import it."""
    program = "import sys; from suffice.schema.bags import words_of; assert words_of('Call now') == ['call', 'now']; "
    subprocess.run([sys.executable, "-c", program + "assert 'sklearn' not in sys.modules"], check=True)
