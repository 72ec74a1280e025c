"""The rows that the what-if panel starts from."""

from __future__ import annotations

import pyarrow as pa

from suffice.estimators import NaiveBayes
from suffice.estimators.contract import training_table
from suffice.evaluation.page.form import starts
from suffice.sources import gathered


def test_a_typical_text_has_the_words_of_its_class() -> None:
    messages = ["win a free prize now and call us", "are you coming home for dinner now"] * 5
    table = pa.table({"text": messages, "class": ["spam", "ham"] * 5})
    batch = gathered(training_table(NaiveBayes(text=["text"]), table, "class"))
    found = {start["name"]: start["values"]["text"] for start in starts(batch)}
    assert set(found["typical of spam"].split()) <= {"win", "free", "prize", "and", "call", "us"}
    assert set(found["typical of ham"].split()) <= {"are", "you", "coming", "home", "for", "dinner"}
    assert "now" in found["a typical row"].split()
