"""The report: one HTML file that tells a comparison, and computes its models' predictions itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from suffice.evaluation.page_parts.page_file import write_page_file

if TYPE_CHECKING:
    from suffice.evaluation.comparison.comparison_result import Comparison


def write_page(
    comparison: Comparison, path: str | os.PathLike[str], title: str = "", worded: Callable[[str], str] = str
) -> None:
    """Write the page of a comparison, whole or not at all; `worded` says how messages speak of settings."""
    from suffice.evaluation.page.page import page  # the template engine is only needed here

    write_page_file(page(comparison, title, worded), path)
