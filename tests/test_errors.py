"""Messages that know their settings: worded for Python, for options, and kept through copies."""

from __future__ import annotations

import copy
import pickle
import warnings

import pytest

from suffice.cli.wording import in_options
from suffice.errors import Message, Setting, SufficeWarning, TableError, warn_user

KEPT = Message("Column 'a b' is left out. ", Setting("keep", ["a b"]), " uses it after all.")


def test_a_message_is_worded_for_python_and_for_the_command_line() -> None:
    assert KEPT == "Column 'a b' is left out. keep=['a b'] uses it after all."
    assert in_options(KEPT) == "Column 'a b' is left out. --keep 'a b' uses it after all."
    assert in_options("a text that speaks of keep=['x']") == "a text that speaks of keep=['x']"


def test_what_a_column_is_called_is_not_taken_for_a_setting() -> None:
    assert in_options(Message("Column 'keep=[1]' ", Setting("drop"))) == "Column 'keep=[1]' --drop"


def test_messages_within_messages_keep_their_settings() -> None:
    nested = Message("a ", Message("b ", Setting("rank_by", "auc")), " c")
    assert nested == "a b rank_by='auc' c"
    assert in_options(nested) == "a b --rank-by auc c"


def test_errors_and_warnings_carry_their_message() -> None:
    error = TableError(KEPT)
    assert str(error) == KEPT
    assert in_options(error) == in_options(KEPT)
    with pytest.warns(SufficeWarning, match="left out") as caught:
        warn_user(KEPT)
    assert caught[0].filename == __file__
    assert isinstance(caught[0].message, SufficeWarning)
    assert in_options(caught[0].message) == in_options(KEPT)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warn_user("rings \x07")
    assert "\x07" not in str(seen[0].message)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_is_the_same_message(copied) -> None:
    assert copied(KEPT) == KEPT
    assert in_options(copied(KEPT)) == in_options(KEPT)
    assert in_options(copied(TableError(KEPT))) == in_options(KEPT)
