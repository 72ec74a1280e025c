"""The report: one HTML file that tells a comparison, and computes its models' predictions itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from suffice.errors import SettingError
from suffice.whole_file import whole_file

if TYPE_CHECKING:
    from suffice.evaluation.comparison.comparison_result import Comparison
    from suffice.evaluation.judging.classification_evaluation import Evaluation
    from suffice.evaluation.judging.regression_evaluation import RegressionEvaluation


def write_page(
    comparison: Comparison, path: str | os.PathLike[str], title: str = "", worded: Callable[[str], str] = str
) -> None:
    """Write the page of a comparison, whole or not at all; `worded` says how messages speak of settings."""
    from suffice.evaluation.page.page import page  # the template engine is only needed here

    _write(page(comparison, title, worded), path)


def write_evaluation(
    evaluation: Evaluation | RegressionEvaluation,
    path: str | os.PathLike[str],
    title: str = "",
    remarks: Sequence[str] | None = None,
) -> None:
    """Write the page of an evaluation, whole or not at all; `remarks` word what is to be known of its table."""
    from suffice.evaluation.page.evaluation_page import evaluation_page

    _write(evaluation_page(evaluation, title, evaluation.warnings if remarks is None else remarks), path)


def _write(page: str, path: str | os.PathLike[str]) -> None:
    text = page.encode("utf-8", "backslashreplace")
    try:
        with whole_file(path) as file:
            file.write(text)
    except OSError as error:
        place = os.fspath(path)
        raise SettingError(f"{place!r} cannot be written: {error.strerror or error}. Choose another place.") from error
