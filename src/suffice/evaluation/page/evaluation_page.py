"""An evaluation as one page: every metric with its interval, the confusion matrix and the curves."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from markupsafe import Markup

from suffice.evaluation.judging.classification_evaluation import Evaluation
from suffice.evaluation.judging.evaluation_text import notes, sections, title
from suffice.evaluation.judging.regression_evaluation import HEADING, RegressionEvaluation
from suffice.evaluation.page import assets
from suffice.evaluation.page.judged import judged
from suffice.evaluation.page.page import template
from suffice.version import __version__


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
        judged=judged(evaluation, evaluation.target),
        today=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        version=__version__,
        style=Markup(assets.text_of("style.css")),
    )
    return text
