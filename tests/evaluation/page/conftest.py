"""What all tests of pages share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import Browser, browser, chromium

from suffice.evaluation.page import learning


@pytest.fixture(scope="session")
def one_browser() -> Iterator[Browser]:
    """One browser for all tests: it starts slowly."""
    if chromium() is None:
        pytest.skip("there is no Chromium on this machine (`make chromium` installs it where it can)")
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def chrome(one_browser: Browser) -> Browser:
    """The browser, its window as large as that of most readers."""
    one_browser.show(1400, 1000)
    return one_browser


@pytest.fixture(scope="module", autouse=True)
def short_curves() -> Iterator[None]:
    """Learning curves of the fewest repeats and of few points, where a page has some that are not looked at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "MOST_WORK", 0)
        patch.setattr(learning, "POINTS", 3)
        yield
