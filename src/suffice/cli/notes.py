"""The library's warnings as short notes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from suffice.cli.screen import messages, show_notes
from suffice.cli.wording import in_options
from suffice.errors import SufficeError, SufficeWarning


@contextmanager
def noting() -> Iterator[list[str]]:
    """Collect the warnings of a block, each once; the list is complete when the block ends.

    >>> with noting() as notes:
    ...     warnings.warn("Column 'name' is left out.", SufficeWarning)
    >>> notes
    ["Column 'name' is left out."]
    """
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", SufficeWarning)
        try:
            yield notes
        except SufficeError:
            show_notes(messages(), _texts(caught))  # they often say how it came to the error
            raise
        notes.extend(_texts(caught))


def _texts(caught: list[warnings.WarningMessage]) -> list[str]:
    found = (warning.message for warning in caught)
    return list(dict.fromkeys(in_options(note) for note in found if isinstance(note, SufficeWarning)))
