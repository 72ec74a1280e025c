"""An evaluation as one page: every metric with its interval, the confusion matrix and the curves."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime

from markupsafe import Markup

from suffice.evaluation.judging.classification_evaluation import Evaluation
from suffice.evaluation.judging.regression_evaluation import HEADING, RegressionEvaluation
from suffice.evaluation.judging.shown.evaluation_charts import evaluation_charts
from suffice.evaluation.judging.shown.evaluation_text import notes, sections, title
from suffice.evaluation.page_parts import assets
from suffice.evaluation.page_parts.page_file import write_page_file
from suffice.evaluation.page_parts.template import template
from suffice.version import __version__


def write_evaluation(
    evaluation: Evaluation | RegressionEvaluation,
    path: str | os.PathLike[str],
    title: str = "",
    remarks: Sequence[str] | None = None,
) -> None:
    """Write the page of an evaluation, whole or not at all; `remarks` word what is to be known of its table."""
    write_page_file(evaluation_page(evaluation, title, evaluation.warnings if remarks is None else remarks), path)


def evaluation_page(evaluation: Evaluation | RegressionEvaluation, data: str, remarks: Sequence[str] = ()) -> str:
    """The whole page as HTML; `data` is what the table is called, and `remarks` what is to be known of it."""
    if isinstance(evaluation, Evaluation):
        heading, tables, said = (
            title(evaluation),
            sections(evaluation)[:-1],
            notes(evaluation),
        )  # the matrix is drawn
    else:
        heading, tables, said = evaluation.title, [("", HEADING, evaluation.lines)], []
    text: str = template("evaluation.html.j2").render(
        title=data,
        evaluation=evaluation,
        heading=heading,
        sections=tables,
        notes=said,
        remarks=remarks,
        judged=evaluation_charts(evaluation, evaluation.target),
        today=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        version=__version__,
        style=Markup(assets.text_of("style.css")),
    )
    return text
