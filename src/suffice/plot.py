"""Pictures: the rows, the class densities and the decision boundaries of models over two numeric columns."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import combinations, cycle
from typing import Any

import numpy as np

from suffice.errors import SettingError, SufficeWarning, TableError
from suffice.estimators import GenerativeClassifier
from suffice.models.generative import GenerativeModel
from suffice.models.likelihoods.poisson import Poisson
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.schema import Array, Batch, Chunk, Codes, Level, Numeric, Schema
from suffice.sources import Reading, Table, read_table
from suffice.sources.cached import cached
from suffice.sources.table import CHUNK_ROWS, Reader

MASSES = (0.95, 0.8, 0.5)
MOST_POINTS = 5_000
TIE = 1e-9  # of two equal classes the first wins, as in a prediction
LEAST_LOG = -700.0

# Okabe and Ito's colours, which colour-blind readers can tell apart; the models' lines are darker than all of them.
CLASS_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6D31", "#999999")
CLASS_MARKERS = ("o", "^", "s", "D", "v", "P", "X", "<", ">", "*", "p")
MODEL_COLOURS = ("#000000", "#882255", "#332288", "#4D4D00", "#004D40")
MODEL_STYLES = ("-", (0, (6, 2)), (0, (6, 2, 1, 2)), (0, (1.2, 1.6)), (0, (3, 1.5, 1, 1.5, 1, 1.5)))

Scores = Callable[[Array], Array]  # points (row, 2) -> a number per class


@dataclass(frozen=True)
class Drawable:
    """A model over the two columns: ln P(class | x), ln P(x | class) if it is generative, and which axes are counts."""

    name: str
    log_posterior: Scores
    log_density: Scores | None = None
    are_counts: tuple[bool, bool] = (False, False)


@dataclass(frozen=True)
class Points:
    """The rows to draw: a random 5,000 where there are more; and how many there were."""

    x: Array  # (row, 2)
    classes: Codes
    known: int
    missing: int  # rows that lack one of the two values


@dataclass(frozen=True)
class Narrowed:
    """A reader that gives only some columns."""

    reader: Reader
    names: tuple[str, ...]

    def chunks(self, rows: int = CHUNK_ROWS) -> Iterator[Chunk]:
        """The same rows with the chosen columns."""
        for chunk in self.reader.chunks(rows):
            columns = {name: chunk.column(name) for name in self.names}
            yield Chunk(chunk.rows, columns, target=chunk.target, weights=chunk.weights)


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
    columns and classes is drawn as it is. Any classifier with `fit` and `predict_proba` will do; one that is not
    suffice's is fitted on the rows that know both values.

    The contours are those of the first generative model: the smallest regions that hold 50, 80 and 95 % of each
    class's density P(x | class). `table` and `target` are as in `fit`. Returns the Axes.

    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import suffice as sf
    >>> axes = sf.plot_boundary(sf.LDA(), sf.datasets.load("iris"), "species", ["petal_length", "petal_width"])
    >>> [line.get_label() for line in axes.lines]
    ['LDA']
    """
    pyplot = _pyplot()
    if isinstance(resolution, bool) or not isinstance(resolution, (int, np.integer)) or not 10 <= resolution <= 2000:
        raise SettingError(f"resolution must be a whole number from 10 to 2000, not {resolution!r}.")
    if ax is not None and figsize is not None:
        raise SettingError("figsize is for a new figure. Leave it out where `ax` is given.")
    named = _named(models)
    opened = _opened(table, target, columns, named.values())
    points = _points(opened)
    drawables = [_drawable(name, model, opened) for name, model in named.items()]
    beside: dict[str, Any] = {}  # in a new figure the legend stands where it hides nothing
    if ax is None:
        _, ax = pyplot.subplots(figsize=figsize or (7.5, 5.0), layout="constrained")
        beside = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
    view = _view(points.x)
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


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise SettingError('Pictures need matplotlib, which is not installed: pip install "suffice[plot]"') from error
    return pyplot


# What is asked for -----------------------------------------------------------------------------------------------


def _named(models: Any) -> dict[str, Any]:
    """Models by name: their class, or their settings where two are of one class."""
    if isinstance(models, Mapping):
        named = {str(name): model for name, model in models.items()}
    else:
        listed = list(models) if isinstance(models, (list, tuple)) else [models]
        kinds = [type(model).__name__ for model in listed]
        named = {}
        for kind, model in zip(kinds, listed, strict=True):
            name = kind if kinds.count(kind) == 1 else " ".join(repr(model).split())
            named[f"{name} ({len(named) + 1})" if name in named else name] = model
    if not named:
        raise SettingError("There is no model to draw. Give an estimator, such as suffice.LDA(), or several.")
    for name, model in named.items():
        if isinstance(model, type):
            raise SettingError(f"{name!r} is a class, not an estimator. Write {model.__name__}().")
        lacking = [method for method in ("fit", "predict_proba") if not hasattr(model, method)]
        if lacking:
            raise SettingError(
                f"{name!r} ({type(model).__name__}) has no {' and no '.join(lacking)}, so it has no boundary to draw. "
                "Give a classifier with probabilities, such as suffice.LDA()."
            )
    return named


def _opened(table: Any, target: Any, columns: Any, models: Any) -> Table:
    """The table with just the two columns and the target, read with every model's spellings of missing."""
    if isinstance(columns, str) or len(columns) != 2 or columns[0] == columns[1]:
        raise SettingError(f"columns must be the names of two different columns, not {columns!r}.")
    columns = (str(columns[0]), str(columns[1]))
    readings = (model._reading() for model in models if isinstance(model, GenerativeClassifier))
    spellings = dict.fromkeys(value for reading in readings for value in reading.missing_values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SufficeWarning)  # about columns that are not in the picture
        opened = read_table(table, target, reading=Reading(missing_values=tuple(spellings)))
    chosen = tuple(_numeric(opened, target, name) for name in columns)
    schema = Schema(chosen, opened.schema.target)
    return cached(Table(Narrowed(opened.reader, columns), schema, opened.frame_kind))


def _numeric(table: Table, target: Any, name: str) -> Numeric:
    if isinstance(target, str) and name == target:
        raise TableError(f"Column {name!r} is the target; it is drawn as colours. Choose two other columns.")
    found = {column.name: column for column in table.schema.numeric}
    if name in found:
        return found[name]
    listed = ", ".join(map(repr, list(found)[:20])) + (", …" if len(found) > 20 else "")
    rest = f"Choose two of the numeric columns {listed}." if len(found) > 1 else "A picture needs two numeric columns."
    if name not in table.reader.names:
        close = get_close_matches(name, found, n=1)
        raise TableError(
            f"There is no column {name!r} in the table.{f' Did you mean {close[0]!r}?' if close else ''} {rest}"
        )
    raise TableError(f"Column {name!r} is nominal, so it has no axis. {rest}")


def _points(table: Table) -> Points:
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


# The models ------------------------------------------------------------------------------------------------------


def _drawable(name: str, model: Any, table: Table) -> Drawable:
    if isinstance(model, GenerativeClassifier):
        return _of_generative(name, _solved(model, table), table.schema.names)
    return _of_any(name, model, table)


def _solved(estimator: GenerativeClassifier, table: Table) -> GenerativeModel:
    known: GenerativeModel | None = getattr(estimator, "model_", None)
    if known is not None and _is_same(known.schema, table.schema):
        return known
    narrowed = _narrowed(estimator, table.schema.names)
    return narrowed._solve(table.measure(narrowed._measurement(table)))


def _is_same(known: Schema, wanted: Schema) -> bool:
    return set(known.columns) == set(wanted.columns) and known.classes == wanted.classes


def _narrowed(estimator: GenerativeClassifier, names: tuple[str, ...]) -> GenerativeClassifier:
    """A clone whose settings speak of the two columns only."""
    from sklearn.base import clone

    reading = estimator._reading()
    as_levels = [name for name in names if reading.all_nominal or name in reading.nominal]
    if as_levels:
        raise SettingError(
            f"{type(estimator).__name__} reads column {as_levels[0]!r} as nominal, so it has no axis. "
            "Choose other columns, or leave it out of `nominal` and `likelihoods`."
        )
    settings: dict[str, Any] = {"nominal": None, "keep": None}
    likelihoods = getattr(estimator, "likelihoods", None)
    if isinstance(likelihoods, Mapping):
        by_name = {column if isinstance(column, str) else f"x{column}": kind for column, kind in likelihoods.items()}
        settings["likelihoods"] = {name: by_name[name] for name in names if name in by_name}
    narrowed: GenerativeClassifier = clone(estimator).set_params(**settings)
    return narrowed


def _of_generative(name: str, model: GenerativeModel, names: tuple[str, ...]) -> Drawable:
    order = [names.index(column) for column in model.schema.names]

    def batch(points: Array) -> Batch:
        numeric = np.ascontiguousarray(points[:, order])
        return Batch(model.schema, numeric, np.empty((0, len(points)), dtype=np.int32))

    def log_density(points: Array) -> Array:
        with np.errstate(divide="ignore", invalid="ignore"):
            return model.log_joint(batch(points)) - np.log(model.priors)

    parts = model.likelihoods if isinstance(model, NaiveBayesModel) else ()
    counts = {column for part in parts if isinstance(part, Poisson) for column in part.columns}
    return Drawable(
        name,
        lambda points: model.log_posterior(batch(points)),
        log_density,
        (names[0] in counts, names[1] in counts),
    )


def _of_any(name: str, model: Any, table: Table) -> Drawable:
    """A classifier of another library, fitted on the rows that know both values."""
    from sklearn.base import clone

    names, classes = table.schema.names, table.schema.classes
    if _columns_of(model) != names or list(getattr(model, "classes_", ())) != list(classes):
        batches = list(table.batches())
        x = np.concatenate([batch.numeric for batch in batches])
        labels = np.array(classes)[np.concatenate([batch.class_codes() for batch in batches])]
        is_known = np.isfinite(x).all(axis=1)
        model = clone(model, safe=False).fit(_frame(x[is_known], names), labels[is_known])
    found = list(model.classes_)
    where = [found.index(label) for label in classes if label in found]

    def log_posterior(points: Array) -> Array:
        posterior = np.zeros((len(points), len(classes)))
        posterior[:, [label in found for label in classes]] = model.predict_proba(_frame(points, names))[:, where]
        with np.errstate(divide="ignore"):
            return np.log(posterior)

    return Drawable(name, log_posterior)


def _columns_of(model: Any) -> tuple[str, ...]:
    """The columns a classifier was fitted on; none where it was not."""
    names = getattr(model, "feature_names_in_", None)
    return tuple(names) if names is not None else tuple(f"x{j}" for j in range(getattr(model, "n_features_in_", 0)))


def _frame(x: Array, names: tuple[str, ...]) -> Any:
    """Two columns with their names, for classifiers that look at names."""
    import pyarrow as pa

    return pa.table(list(x.T), names=list(names))


# The picture -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Grid:
    """Points at the crossings of two axes."""

    x: Array
    y: Array

    @property
    def points(self) -> Array:
        """Every crossing as a row (x, y)."""
        return np.stack(np.meshgrid(self.x, self.y), axis=-1).reshape(-1, 2)

    def of(self, scores: Scores) -> Array:
        """Scores at every crossing (class, y, x), none below e^−700."""
        values = np.maximum(np.nan_to_num(scores(self.points), nan=LEAST_LOG), LEAST_LOG)
        return values.T.reshape(-1, len(self.y), len(self.x))


def _view(x: Array) -> Array:
    """The lowest and highest corner of the picture: the rows with a margin."""
    low, high = x.min(axis=0), x.max(axis=0)
    margin = np.where(high > low, 0.12 * (high - low), np.maximum(0.5, 0.1 * np.abs(low)))
    return np.stack([low - margin, high + margin])


def _grid(view: Array, resolution: int, are_counts: tuple[bool, bool]) -> Grid:
    """A grid over the view; the axis of a Poisson column has whole numbers only, where its density is."""
    axes: list[Array] = []
    for low, high, is_count in zip(*view, are_counts, strict=True):
        if is_count:
            axes.append(np.unique(np.round(np.linspace(max(np.floor(low), 0.0), np.ceil(high), resolution))))
        else:
            axes.append(np.linspace(low, high, resolution))
    return Grid(axes[0], axes[1])


def boundary(log_posterior: Array, grid: Grid) -> Array:
    """Where the most probable class changes: lines of points (x, y), parted by rows of NaN.

    For each pair of classes the line on which they are equal, cut where a third class is more probable than both.
    """
    from contourpy import contour_generator
    from scipy.interpolate import RegularGridInterpolator

    pieces = [np.empty((0, 2))]
    for first, second in combinations(range(len(log_posterior)), 2):
        difference = log_posterior[first] - log_posterior[second] + TIE
        others = np.delete(log_posterior, (first, second), axis=0)
        rival = others.max(axis=0, initial=2 * LEAST_LOG) - np.maximum(log_posterior[first], log_posterior[second])
        lead = RegularGridInterpolator((grid.y, grid.x), rival, bounds_error=False, fill_value=None)
        for line in contour_generator(grid.x, grid.y, difference).lines(0.0):
            pieces += [_without_losers(np.asarray(line), lead(np.asarray(line)[:, ::-1])), np.full((1, 2), np.nan)]
    return np.concatenate(pieces)


def _without_losers(line: Array, lead: Array) -> Array:
    """A line without the parts on which a third class leads, cut where its lead is zero."""
    at = np.flatnonzero((lead[:-1] > 0) != (lead[1:] > 0))
    share = (lead[at] / (lead[at] - lead[at + 1]))[:, None]
    cut = np.insert(line, at + 1, line[at] + share * (line[at + 1] - line[at]), axis=0)
    cut[np.insert(lead, at + 1, 0.0) > 0] = np.nan
    return cut


def density_levels(log_density: Array, masses: Sequence[float] = MASSES) -> Array:
    """The levels whose regions are the smallest to hold the given masses, of log densities at points of a grid."""
    falling = np.sort(log_density, axis=None)[::-1]
    mass = np.cumsum(np.exp(falling - falling[0]))
    reached = np.searchsorted(mass, np.asarray(masses) * mass[-1])
    levels: Array = np.unique(falling[np.minimum(reached, len(falling) - 1)] - TIE)
    return levels


def _draw_densities(ax: Any, drawable: Drawable, view: Array, resolution: int) -> None:
    """Levels are found on a grid twice as wide as the picture, so that what is cut off counts too."""
    assert drawable.log_density is not None
    half = 0.5 * (view[1] - view[0])
    wide = _grid(np.stack([view[0] - half, view[1] + half]), 2 * resolution, drawable.are_counts)
    fine = _grid(view, resolution, drawable.are_counts)
    both = zip(wide.of(drawable.log_density), fine.of(drawable.log_density), cycle(CLASS_COLOURS), strict=False)
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
    for k, (label, colour, marker) in enumerate(zip(classes, cycle(CLASS_COLOURS), cycle(CLASS_MARKERS), strict=False)):
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

    grid = _grid(view, resolution, drawable.are_counts)
    x, y = boundary(grid.of(drawable.log_posterior), grid).T
    halo = [withStroke(linewidth=3.4, foreground="white", alpha=0.7)]
    ax.plot(x, y, color=colour, linestyle=style, linewidth=1.8, path_effects=halo, label=drawable.name, zorder=3)


def _label(ax: Any, schema: Schema, points: Points, generative: Drawable | None) -> None:
    labels = [f"{column.name} (seconds since 1970)" if column.is_time else column.name for column in schema.numeric]
    ax.set_xlabel(labels[0])
    ax.set_ylabel(labels[1])
    notes = []
    if generative is not None:
        notes.append(f"contours: {generative.name}, 50, 80 and 95 % of each class")
    if points.known > len(points.x):
        notes.append(f"{len(points.x):,} of {points.known:,} rows drawn")
    if points.missing:
        notes.append(f"{points.missing:,} row{'s' if points.missing > 1 else ''} with missing values left out")
    if notes:
        ax.set_title(" · ".join(notes), loc="left", fontsize="small", color="0.35")
    ax.spines[["top", "right"]].set_visible(False)
