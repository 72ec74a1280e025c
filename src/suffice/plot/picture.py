"""The picture: rows, class densities and decision boundaries over two numeric columns."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np

from suffice.errors import SettingError, SufficeWarning, TableError, did_you_mean
from suffice.estimators import GenerativeClassifier, contract
from suffice.estimators.capabilities import has_probabilities, has_scores
from suffice.estimators.naming import one_line, under_names
from suffice.plot.drawable import Drawable, drawable_of
from suffice.plot.geometry import boundary, density_levels, grid_over, view_of
from suffice.report.colours import CLASS_COLOURS
from suffice.schema import Array, Codes, Level, Numeric, Schema
from suffice.settings import is_whole
from suffice.shown import counted, quoted
from suffice.sources import Reading, Rows
from suffice.sources.training.training_table import open_table

MOST_POINTS = 5_000

# Okabe and Ito's colours, which colour-blind readers can tell apart; the models' lines are darker than all of them.
POINT_COLOURS = CLASS_COLOURS[:8]
CLASS_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "<", ">", "*", "p")
MODEL_COLOURS = ("#000000", "#882255", "#332288", "#4D4D00", "#004D40")
MODEL_STYLES = ("-", (0, (6, 2)), (0, (6, 2, 1, 2)), (0, (1.2, 1.6)), (0, (3, 1.5, 1, 1.5, 1, 1.5)))


@dataclass(frozen=True)
class Points:
    """The rows to draw: a random 5,000 where there are more; and how many there were."""

    x: Array  # (row, 2)
    classes: Codes
    known: int
    missing: int  # rows that lack one of the two values


def plot_boundary(
    models: Any,
    table: Any,
    target: Any,
    columns: Sequence[str],
    *,
    ax: Any = None,
    resolution: int = 200,
    contours: bool = True,
    figsize: tuple[float, float] | None = None,
) -> Any:
    """Draw the rows, the density of each class and every model's decision boundary over two numeric columns.

    `models` is an estimator, a list of them, or a mapping of names to them. Each is cloned and fitted on just the two
    columns, so a model of more columns is not changed and not what is drawn; one already fitted on exactly these
    columns and classes is drawn as it is. Any classifier with `fit` and `predict_proba` or `decision_function` will
    do; one that is not generative is fitted on the rows that know both values.

    The contours are those of the first generative model: the smallest regions that hold 50, 80 and 95 % of each
    class's density P(x | class). `table` and `target` are as in `fit`. Returns the Axes.

    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import suffice as sf
    >>> axes = sf.plot_boundary(sf.LDA(), sf.datasets.load("iris"), "species", ["petal_length", "petal_width"])
    >>> [line.get_label() for line in axes.lines]
    ['LDA']
    """
    pyplot = require_pyplot()
    if not (is_whole(resolution, least=10) and resolution <= 2000):
        raise SettingError(f"resolution must be a whole number from 10 to 2000, not {resolution!r}.")
    if ax is not None and figsize is not None:
        raise SettingError("figsize is for a new figure. Leave it out where `ax` is given.")
    named = _named(models)
    opened = _opened(table, target, columns, named.values())
    points = _points(opened)
    drawables = [drawable_of(name, model, opened) for name, model in named.items()]
    beside: dict[str, Any] = {}  # in a new figure the legend stands where it hides nothing
    if ax is None:
        _, ax = pyplot.subplots(figsize=figsize or (7.5, 5.0), layout="constrained")
        beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    view = view_of(points.x)
    generative = next((drawable for drawable in drawables if drawable.log_density), None) if contours else None
    if generative is not None:
        _draw_densities(ax, generative, view, resolution)
    _draw_points(ax, points, opened.schema.classes)
    for drawable, colour, style in zip(drawables, cycle(MODEL_COLOURS), cycle(MODEL_STYLES), strict=False):
        _draw_boundary(ax, drawable, view, resolution, colour, style)
    _label(ax, opened.schema, points, generative)
    ax.set(xlim=view[:, 0], ylim=view[:, 1])
    ax.legend(frameon=not beside, framealpha=0.9, title=opened.schema.target.name, alignment="left", **beside)
    return ax


def require_pyplot() -> Any:
    """matplotlib.pyplot, which is an extra."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise SettingError('Pictures need matplotlib, which is not installed: pip install "suffice[plot]"') from error
    return pyplot


def _named(models: Any) -> dict[str, Any]:
    """Models by name: their class, or their settings where two are of one class."""
    kinds = [type(model).__name__ for model in (models if isinstance(models, (list, tuple)) else [models])]

    def name_of(model: Any) -> str:
        kind = type(model).__name__
        return kind if kinds.count(kind) == 1 else one_line(model)

    named = under_names(models, name_of)
    if not named:
        raise SettingError("There is no model to draw. Give an estimator, such as suffice.LDA(), or several.")
    for name, model in named.items():
        contract.require_object(model)
        lacking = [] if hasattr(model, "fit") else ["fit"]
        if not has_probabilities(model) and not has_scores(model):
            lacking.append("predict_proba")
        if lacking:
            raise SettingError(
                f"{name!r} ({type(model).__name__}) has no {' and no '.join(lacking)}, so it has no boundary to draw. "
                "Give a classifier with probabilities, such as suffice.LDA()."
            )
    return named


def _opened(table: Any, target: Any, columns: Any, models: Any) -> Rows:
    """The table with just the two columns and the target, read with every model's spellings of missing."""
    if isinstance(columns, str) or len(columns) != 2 or columns[0] == columns[1]:
        raise SettingError(f"columns must be the names of two different columns, not {columns!r}.")
    columns = (str(columns[0]), str(columns[1]))
    readings = (contract.reading(model) for model in models if isinstance(model, GenerativeClassifier))
    spellings = dict.fromkeys(value for reading in readings for value in reading.missing_values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)  # about columns that are not in the picture
        opened = open_table(table, target, reading=Reading(missing_values=tuple(spellings)), is_part=True).table()
    chosen = tuple(_numeric(opened, target, name) for name in columns)
    return opened.with_schema(Schema(chosen, opened.schema.target)).read_once()


def _numeric(table: Rows, target: Any, name: str) -> Numeric:
    if isinstance(target, str) and name == target:
        raise TableError(f"Column {name!r} is the target; it is drawn as colours. Choose two other columns.")
    found = {column.name: column for column in table.schema.numeric}
    if name in found:
        return found[name]
    rest = (
        f"Choose two of the numeric columns {quoted(found)}."
        if len(found) > 1
        else "A picture needs two numeric columns."
    )
    if name not in table.names:
        raise TableError(f"There is no column {name!r} in the table.{did_you_mean(name, found)} {rest}")
    raise TableError(f"Column {name!r} is nominal, so it has no axis. {rest}")


def _points(table: Rows) -> Points:
    """One pass: every row gets a random number, and those with the smallest stay."""
    random = np.random.default_rng(0)
    x, classes, keys = np.empty((0, 2)), np.empty(0, dtype=np.int32), np.empty(0)
    known = rows = 0
    for batch in table.batches():
        is_known = np.isfinite(batch.numeric).all(axis=1)
        known, rows = known + int(is_known.sum()), rows + batch.rows
        x = np.concatenate([x, batch.numeric[is_known]])
        classes = np.concatenate([classes, batch.class_codes()[is_known]])
        keys = np.concatenate([keys, random.random(int(is_known.sum()))])
        if len(keys) > MOST_POINTS:
            kept = np.sort(np.argpartition(keys, MOST_POINTS)[:MOST_POINTS])
            x, classes, keys = x[kept], classes[kept], keys[kept]
    if not known:
        names = " and ".join(map(repr, table.schema.names))
        raise TableError(f"No row knows both {names}, so there is nothing to draw. Choose other columns.")
    return Points(x, classes, known, rows - known)


def _draw_densities(ax: Any, drawable: Drawable, view: Array, resolution: int) -> None:
    """Levels are found on a grid twice as wide as the picture, so that what is cut off counts too."""
    assert drawable.log_density is not None
    half = 0.5 * (view[1] - view[0])
    wide = grid_over(np.stack([view[0] - half, view[1] + half]), 2 * resolution, drawable.are_counts)
    fine = grid_over(view, resolution, drawable.are_counts)
    both = zip(wide.of(drawable.log_density), fine.of(drawable.log_density), cycle(POINT_COLOURS), strict=False)
    for everywhere, seen, colour in both:
        if np.ptp(everywhere) > 0:
            levels = density_levels(everywhere)
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "No contour levels were found")  # a class out of sight
                ax.contourf(fine.x, fine.y, seen, levels=[*levels, np.inf], colors=colour, alpha=0.07, zorder=0)
                ax.contour(
                    fine.x, fine.y, seen, levels=levels, colors=colour, linewidths=0.9, linestyles="solid", zorder=1
                )


def _draw_points(ax: Any, points: Points, classes: tuple[Level, ...]) -> None:
    size = float(np.clip(9000 / len(points.x), 8, 34))
    edge = 0.5 if size > 12 else 0.0
    for k, (label, colour, marker) in enumerate(zip(classes, cycle(POINT_COLOURS), cycle(CLASS_MARKERS), strict=False)):
        x, y = points.x[points.classes == k].T
        ax.scatter(
            x,
            y,
            s=size,
            c=colour,
            marker=marker,
            alpha=0.85,
            edgecolors="white",
            linewidths=edge,
            label=str(label),
            zorder=2,
        )


def _draw_boundary(ax: Any, drawable: Drawable, view: Array, resolution: int, colour: str, style: Any) -> None:
    from matplotlib.patheffects import withStroke

    grid = grid_over(view, resolution, drawable.are_counts)
    x, y = boundary(grid.of(drawable.log_posterior), grid).T
    halo = [withStroke(linewidth=3.4, foreground="white", alpha=0.7)]
    ax.plot(x, y, color=colour, linestyle=style, linewidth=1.8, path_effects=halo, label=drawable.name, zorder=3)


def _time_ticks(column: Numeric) -> Any:
    """What writes times beside an axis."""
    return lambda seconds, position: column.shown(float(seconds))


def _label(ax: Any, schema: Schema, points: Points, generative: Drawable | None) -> None:
    for axis, column in zip((ax.xaxis, ax.yaxis), schema.numeric, strict=True):
        axis.set_label_text(column.name)
        if column.time:
            axis.set_major_formatter(_time_ticks(column))
    notes = []
    if generative is not None:
        notes.append(f"contours: {generative.name}, 50, 80 and 95 % of each class")
    if points.known > len(points.x):
        notes.append(f"{len(points.x):,} of {points.known:,} rows drawn")
    if points.missing:
        notes.append(f"{counted(points.missing, 'row')} with missing values left out")
    if notes:
        ax.set_title(" · ".join(notes), loc="left", fontsize="small", color="0.35")
    ax.spines[["top", "right"]].set_visible(False)
