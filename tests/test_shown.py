"""Whatever is in names, levels and classes, nothing that a terminal obeys is shown, and no line is broken by it."""

from __future__ import annotations

import json
import warnings
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import suffice as sf
from nasty_names import require_plain, table
from suffice.errors import SufficeError, SufficeWarning, TableError, warn_user
from suffice.shown import shown, shown_json, shown_lines

pytestmark = pytest.mark.filterwarnings("ignore")


def texts_of(model: Any, frame: pd.DataFrame) -> list[str]:
    """All that a model can show of itself."""
    target = frame.columns[-1]
    rows = [frame.iloc[position].drop(target).to_dict() for position in (0, 3)]
    rows += [{frame.columns[1]: "never\x1b seen"}]
    model.fit(frame, target)
    found = [model.describe()]
    for row in rows:
        explanation = model.explain(row)
        found += [str(explanation), explanation._repr_html_()]
    if hasattr(model, "summary"):
        found += [str(model.summary()), model.summary()._repr_html_(), str(model.path_)]
    if hasattr(model, "rules"):
        rules, work = model.rules(), model.best_splits(frame, target)
        found += [str(rules), rules._repr_html_(), rules.formula(model.classes_[0]), str(work), work._repr_html_()]
        found += [model.plot().svg, model._repr_html_()]
    return found


@pytest.mark.parametrize(
    "model",
    [
        sf.NaiveBayes(),
        sf.NaiveBayes(likelihoods="kde"),
        sf.JointBayes(),
        sf.LDA(),
        sf.QDA(),
        sf.LogisticRegression(),
        sf.Perceptron(max_epochs=2),
        sf.c45(prune=None),
    ],
    ids=repr,
)
def test_a_model_shows_nothing_that_a_terminal_obeys(model: Any) -> None:
    clean = texts_of(model, table(("",)))
    for text, expected in zip(texts_of(model, table()), clean, strict=True):
        require_plain(text, expected.count("\n"))


def test_errors_and_warnings_show_nothing_that_a_terminal_obeys() -> None:
    frame = table()
    target = frame.columns[-1]
    with pytest.raises(SufficeError) as unknown:
        sf.NaiveBayes().fit(frame, "no\x1b such\u202e column")
    model = sf.NaiveBayes().fit(frame, target)
    with pytest.raises(SufficeError) as missing:
        model.predict(frame.drop(columns=frame.columns[0]))
    for raised in (unknown, missing):
        require_plain(str(raised.value), 0)
    require_plain(str(TableError("\x1b")))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sf.NaiveBayes().fit(frame, target)
        model.predict(frame.assign(**{frame.columns[1]: "never\x1b"}))
        warn_user("a\x1bname", SufficeWarning)
    assert len(caught) > 1
    for warning in caught:
        require_plain(str(warning.message), 0)


# The function itself -------------------------------------------------------------------------------------------------


@given(st.text())
def test_any_text_is_shown_on_one_line_of_visible_letters(text: str) -> None:
    require_plain(shown(text).replace("\u200c", "").replace("\u200d", ""), 0)
    assert shown(shown(text)) == shown(text)
    shown(text).encode()


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Mn", "Zs"])))
def test_what_can_be_seen_is_shown_as_it_is(text: str) -> None:
    assert shown(text) == text
    assert shown_lines(f"{text}\n{text}") == f"{text}\n{text}"


JSON_VALUES = st.recursive(st.text(), lambda part: st.lists(part) | st.dictionaries(st.text(), part), max_leaves=20)


@given(JSON_VALUES)
def test_json_reads_back_as_it_was(value: Any) -> None:
    for escaped in (True, False):
        document = shown_json(json.dumps(value, ensure_ascii=escaped, indent=1))
        require_plain(document.replace("\u200c", "").replace("\u200d", ""))
        assert json.loads(document) == value


def test_values_that_are_no_text_are_shown_as_they_print() -> None:
    assert [shown(value) for value in (1, 2.5, True, "Łódź 東京 \u00a0 می\u200cخواهم")] == [
        "1",
        "2.5",
        "True",
        "Łódź 東京 \u00a0 می\u200cخواهم",
    ]
