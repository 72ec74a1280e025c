"""What all tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from suffice.evaluation.page import learning


@pytest.fixture(scope="module", autouse=True)
def short_curves() -> Iterator[None]:
    """Learning curves of the fewest repeats, where a page has some that are not looked at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "MOST_WORK", 0)
        yield
