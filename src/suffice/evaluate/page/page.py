"""The page: everything that is told of a comparison, rendered into one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from suffice.estimators import Predictor
from suffice.evaluate.leaderboard import METRICS_OF, SAYS, legend, lines
from suffice.evaluate.page import assets
from suffice.evaluate.page.board import board
from suffice.evaluate.page.chapters import chapter
from suffice.evaluate.page.form import fields, starts
from suffice.evaluate.page.glance import glance
from suffice.evaluate.page.judged import judged
from suffice.evaluate.page.learning import learning
from suffice.evaluate.page.model_data import model_data, script_json
from suffice.evaluate.page.palette import colours_of
from suffice.schema import Batch, Nominal
from suffice.shown import shown
from suffice.sources import gathered
from suffice.version import __version__

if TYPE_CHECKING:
    from suffice.evaluate.comparison import Comparison


def page(comparison: Comparison, title: str) -> str:
    """The whole page as HTML."""
    batch = _rows(comparison)
    ours = {name: model for name, model in comparison.fitted.items() if isinstance(model, Predictor)}
    names = [row.model for row in comparison.rows if row.model in comparison.fitted and row.model not in SAYS]
    names = names or [comparison.leader]  # a baseline has no chapter, unless it is alone
    seen = glance(batch, {leak.column: f"suspected leak: {leak.reason}" for leak in comparison.leaks})
    order = [line.name for line in seen.columns]
    best, marks = comparison.leader, legend(comparison.rows)
    document, too_large = model_data({name: ours[name].model_ for name in names if name in ours})
    document |= _panel(batch, order, names)
    script = assets.script()
    has_probabilities = hasattr(comparison.fitted[best], "predict_proba")
    text: str = _template("page.html.j2").render(
        title=title,
        comparison=comparison,
        classifies=isinstance(batch.schema.target, Nominal),
        glance=seen,
        board=board(comparison),
        best=best,
        score=score(comparison),
        class_count=f"{batch.schema.class_count:,}",
        anchors={name: f"model-{place}" for place, name in enumerate(names, 1)},
        curves=learning(comparison, batch),
        judged=judged(comparison.results[best], has_probabilities, seen.target),
        chapters=[chapter(name, comparison.fitted[name], batch, order) for name in names],
        too_large=too_large,
        notes=[*(note for note in comparison.notes if note not in marks), *batch.schema.notes],
        marks=marks,
        today=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        version=__version__,
        style=Markup(assets.text_of("style.css")),
        script=Markup(script),
        digest=assets.digest(script),
        data=Markup(script_json(document)),  # nothing in it can end the element
    )
    return text


def score(comparison: Comparison) -> str:
    """The best model's score and its standard error, in the words of the leaderboard."""
    metrics = METRICS_OF[comparison.task]
    place = 1 + 2 * list(metrics).index(comparison.rank_by)
    models = [row.model for row in comparison.rows]
    best = lines(comparison.rows, metrics)[models.index(comparison.leader)]
    return f"{best[place]} ± {best[place + 1]}"


def _rows(comparison: Comparison) -> Batch:
    """All rows, under the schema of the model that reads the most columns."""
    given = comparison.given
    assert given is not None
    widest = max(
        (model for model in comparison.fitted.values() if isinstance(model, Predictor)),
        key=lambda model: len(model.schema_.columns),
    )
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


def _template(name: str) -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("suffice.evaluate.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = shown
    return environment.get_template(name)
