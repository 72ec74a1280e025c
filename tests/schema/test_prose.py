"""Which columns are taken for text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import NoColumnError, SufficeWarning
from suffice.schema import Nominal, Text

MESSAGES = [f"please call me back about offer number {i} today" for i in range(40)]
Y = ["spam", "ham"] * 20


def column_of(values: list[object], **settings: object) -> object:
    return sf.NaiveBayes(**settings).fit(pd.DataFrame({"t": values}), Y).schema_.columns[0]


def test_messages_are_text() -> None:
    assert column_of(MESSAGES) == Text("t")
    assert column_of([*MESSAGES[:20], *MESSAGES[:20]]) == Text("t"), "also where half of them repeat"
    assert column_of([None, *MESSAGES[1:]]) == Text("t")


@pytest.mark.parametrize(
    "values",
    [
        [f"Smith, Mr. John {i}" for i in range(40)],
        [f"id-{i}" for i in range(40)],
        [f"user{i}@example.org" for i in range(40)],
    ],
)
def test_names_and_identifiers_are_not(values: list[object]) -> None:
    with pytest.raises(NoColumnError, match="looks like an identifier"):
        column_of(values)


def test_long_levels_that_repeat_are_levels() -> None:
    answers = ["I agree with all of this", "I do not agree with it"] * 20
    assert isinstance(column_of(answers), Nominal)


def test_a_category_is_what_its_type_says() -> None:
    table = pd.DataFrame({"t": pd.Categorical(MESSAGES)})
    with pytest.raises(NoColumnError, match="looks like an identifier"):
        sf.NaiveBayes().fit(table, Y)


def test_the_user_has_the_last_word() -> None:
    short = ["free prize", "see you"] * 20
    assert isinstance(column_of(short), Nominal)
    assert column_of(short, text=["t"]) == Text("t")
    assert column_of(short, text="t") == Text("t")
    assert column_of(short, likelihoods={"t": "multinomial"}) == Text("t")
    assert isinstance(column_of(MESSAGES, nominal=["t"], keep=["t"]), Nominal)
    assert column_of(MESSAGES, likelihoods={"t": "bernoulli"}) == Text("t")
    assert isinstance(column_of(short, likelihoods={"t": "bernoulli"}), Nominal)
    assert column_of(MESSAGES, keep=["t"]) == Text("t")


def test_a_few_messages_are_enough() -> None:
    table = pd.DataFrame({"t": MESSAGES[:6], "n": range(6)})
    assert sf.NaiveBayes().fit(table, Y[:6]).schema_.columns[0] == Text("t")


def test_the_same_column_whatever_it_comes_in(tmp_path: object) -> None:
    import polars as pl
    import pyarrow as pa

    table = pd.DataFrame({"t": MESSAGES, "y": Y})
    path = f"{tmp_path}/t.csv"
    table.to_csv(path, index=False)
    expected = sf.NaiveBayes().fit(table, "y").predict_proba(table)
    for other in (path, pl.from_pandas(table), pa.Table.from_pandas(table)):
        model = sf.NaiveBayes().fit(other, "y")
        assert model.schema_.columns == (Text("t"),)
        assert np.array_equal(model.predict_proba(other), expected)


@pytest.mark.parametrize("model", [sf.LDA, sf.QDA, sf.JointBayes, sf.Perceptron, sf.id3, sf.c45, sf.cart])
def test_models_that_read_no_text_say_so(model: type) -> None:
    table = pd.DataFrame({"t": MESSAGES, "n": np.arange(40) % 2})
    with pytest.warns(SufficeWarning, match="'t' is left out: it holds text, which only naive Bayes and logistic"):
        fitted = model().fit(table, Y)
    assert fitted.schema_.names == ("n",)
    assert "left out: t (holds text" in fitted.describe()
    with pytest.raises(NoColumnError, match="'t' holds text, which this model does not read"):
        model().fit(table[["t"]], Y)


def test_columns_named_in_text_must_be_there() -> None:
    with pytest.raises(sf.errors.TableError, match=r"no column \(named in `text`\) 'body'"):
        sf.NaiveBayes(text=["body"]).fit(pd.DataFrame({"t": MESSAGES}), Y)
