"""The page: everything that is told of a comparison, rendered into one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from suffice.evaluation.comparison.leaderboard import SAYS, legend, lines, why_none, why_recommended
from suffice.evaluation.judging.shown.evaluation_charts import evaluation_charts
from suffice.evaluation.judging.task_metrics import METRICS_OF
from suffice.evaluation.page.board import board
from suffice.evaluation.page.chapters import chapter
from suffice.evaluation.page.form import fields, starts
from suffice.evaluation.page.learning import learning
from suffice.evaluation.page.model_data import model_data, script_json
from suffice.evaluation.page.table_overview import table_overview
from suffice.evaluation.page_parts import assets
from suffice.evaluation.page_parts.palette import colours_of
from suffice.evaluation.page_parts.template import template
from suffice.schema import Batch, Nominal
from suffice.shown import shown
from suffice.sources import gathered
from suffice.version import __version__

if TYPE_CHECKING:
    from suffice.evaluation.comparison.comparison_result import Comparison


def page(comparison: Comparison, title: str, worded: Callable[[str], str] = str) -> str:
    """The whole page as HTML."""
    batch = _rows(comparison)
    ours = comparison.own
    names = [row.model for row in comparison.rows if row.model in comparison.fitted and row.model not in SAYS]
    names = names or [comparison.leader]  # a baseline has no chapter, unless it is alone
    seen = table_overview(batch, {leak.column: f"suspected leak: {leak.reason}" for leak in comparison.leaks})
    order = [line.name for line in seen.columns]
    best, said = comparison.leader, why_none(comparison.rows)
    marks = [mark for mark in legend(comparison.rows, comparison.rank_by, comparison.test_rows > 0) if mark != said]
    document, too_large = model_data({name: ours[name].model_ for name in names if name in ours})
    document |= _panel(batch, order, names) | {"best": best}
    script = assets.script()
    text: str = template("page.html.j2").render(
        title=title,
        comparison=comparison,
        classifies=isinstance(batch.schema.target, Nominal),
        overview=seen,
        board=board(comparison),
        best=best,
        why=why_recommended(comparison.rows, METRICS_OF[comparison.task][comparison.rank_by].heading),
        score=score(comparison),
        class_count=f"{batch.schema.class_count:,}",
        anchors={name: f"model-{place}" for place, name in enumerate(names, 1)},
        curves=learning(comparison, batch),
        judged=evaluation_charts(comparison.results[best].evaluation(), seen.target),
        chapters=[chapter(name, comparison.fitted[name], batch, order) for name in names],
        too_large=too_large,
        has_panel=bool(document["models"]),
        notes=[_sentence(worded(note)) for note in _notes(comparison, marks, batch)],
        marks=marks,
        today=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        version=__version__,
        style=Markup(assets.text_of("style.css")),
        script=Markup(script),
        digest=assets.digest(script),
        data=Markup(script_json(document)),  # nothing in it can end the element
    )
    return text


def _notes(comparison: Comparison, marks: list[str], batch: Batch) -> list[str]:
    """What to know of the table and the models: all that the comparison says beside its leaderboard, each once."""
    said = (note for note in comparison.notes if note not in marks)
    return list(dict.fromkeys([*said, *comparison.warnings, *batch.schema.notes]))


def _sentence(note: str) -> str:
    return note if note.endswith((".", "?", "!")) else f"{note}."


def score(comparison: Comparison) -> str:
    """The best model's score and its standard error, in the words of the leaderboard."""
    metrics = METRICS_OF[comparison.task]
    place = 1 + list(metrics).index(comparison.rank_by)
    models = [row.model for row in comparison.rows]
    return lines(comparison.rows, metrics)[models.index(comparison.leader)][place]


def _rows(comparison: Comparison) -> Batch:
    """All rows, under the schema of the model that reads the most columns."""
    given = comparison.given
    assert given is not None
    widest = max(comparison.own.values(), key=lambda model: len(model.schema_.columns), default=given.reader)
    assert widest is not None
    return gathered(given.opened(widest), by_column=True)


def _panel(batch: Batch, order: Iterable[str], names: list[str]) -> dict[str, Any]:
    """What the what-if panel starts from."""
    schema = batch.schema
    return {
        "names": names,
        "target": schema.target.name,
        "classes": [shown(label) for label in schema.classes],
        "colours": colours_of(schema.class_count),
        "fields": fields(batch, list(order)),
        "starts": starts(batch),
    }
