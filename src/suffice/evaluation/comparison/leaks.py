"""Target leakage: columns that give the answer away, as those do that are filled in after the outcome."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from suffice.errors import Message, Setting, SufficeWarning
from suffice.estimators import Predictor, contract
from suffice.evaluation.comparison.single_columns import SingleColumn, single_columns
from suffice.evaluation.cross_validation.contestant_of import own_model
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.results import CrossValidation, RegressionCrossValidation, Result
from suffice.evaluation.models import EVERY_BASELINE
from suffice.schema import Array, Batch, Codes, Nominal
from suffice.shown import percent
from suffice.sources import Reading, Rows, gathered
from suffice.statistics.entropy import entropies

NEARLY_ALL = 0.9  # of what the best model explains
MOST = 0.5  # of the target: what explains less gives nothing away
EVERYTHING = 0.99
FAR_LESS = 0.75  # of what the column explains alone
FAR_LESS_RIGHT = 0.8  # of the rows that the column adds to those the baseline has right
LEAST_ROWS = 20
STRAY = 0.02  # of the other classes' rows may have a value
CHANCE = 1e-6


def explained_share(result: Result) -> float:
    """The share of the target's entropy, or of its variance, that a cross-validated model explains.

    1 − log loss ÷ H(Y), or R²; not a number for a model without probabilities.
    """
    if isinstance(result, RegressionCrossValidation):
        return result.mean("r2")
    entropy = float(entropies(np.bincount(result.truth).astype(np.float64)) * np.log(2.0))  # nats, as the log loss
    return 1 - result.mean("log_loss") / entropy if entropy > 0 else float("nan")


@dataclass(frozen=True, slots=True)
class SuspectedLeak:
    """A column that may only be known once the outcome is, and why one might think so."""

    column: str
    reason: str

    @property
    def note(self) -> Message:
        """What is said of it, and how to leave it out."""
        return Message(
            f"{self.column!r} is a suspected leak: {self.reason}. If it is known before the outcome, keep it; if not, "
            "leave it out with ",
            Setting("drop", [self.column]),
            ".",
        )

    def __str__(self) -> str:
        return str(self.note)


@dataclass(frozen=True, slots=True)
class Without:
    """What the best model explains without a column, and how often it is right."""

    model: str
    explained: float
    accuracy: float  # not a number of a quantity


def leaks_of(
    results: Mapping[str, Result],
    fitted: Mapping[str, Predictor],
    opened: Mapping[Reading, Rows],
    dealing: Dealing,
) -> tuple[SuspectedLeak, ...]:
    """Columns that give the answer away, in the rows as the best model of suffice reads them."""
    explained = {name: explained_share(result) for name, result in results.items() if name not in EVERY_BASELINE}
    explained = {name: share for name, share in explained.items() if name in fitted and np.isfinite(share)}
    if not explained:
        return ()
    name = max(explained, key=lambda name: explained[name])
    source = opened[contract.reading(fitted[name])]
    if not source.is_here:  # it takes all rows, which do not travel for this
        return ()

    def without(column: str) -> Without:
        others = [other for other in source.schema.columns if other.name != column]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SufficeWarning)
            narrowed = source.with_schema(source.schema.with_columns(others))
            result = own_model(fitted[name]).cross_validated(narrowed, dealing).result
        accuracy = result.mean("accuracy") if isinstance(result, CrossValidation) else float("nan")
        return Without(name, explained_share(result), accuracy)

    batch, result = gathered(source), results[name]
    if result.tried_on and batch.rows < dealing.count:  # too few to deal
        return ()
    fold = dealing.of_batch(batch) if result.tried_on else result.fold
    return suspected_leaks(batch, fold, explained[name], without)


def suspected_leaks(
    batch: Batch, fold: Codes, best: float, without: Callable[[str], Without]
) -> tuple[SuspectedLeak, ...]:
    """The columns of some rows that tell suspiciously much.

    A column is suspected that explains everything; that alone explains most of the target, about as much as the best
    model does with all columns (`best`), and without which the best model explains far less (`without` names that model
    and says how much: it is only asked of such columns); or whose values are known for one class only, whatever they
    are. What is strong among others that are just as strong, as a petal's length beside its width, is not.
    """
    columns = sorted(single_columns(batch, fold), key=lambda column: -column.explained)
    if len(columns) < 2:
        return ()
    found = []
    for column in columns:
        reason = _gives_away(column, best, without, batch) or _is_of_one_class(column, batch)
        if reason:
            found.append(SuspectedLeak(column.name, reason))
    return tuple(found)


def _gives_away(column: SingleColumn, best: float, without: Callable[[str], Without], batch: Batch) -> str | None:
    schema = batch.schema
    target, alone = schema.target.name, column.explained
    if alone < max(NEARLY_ALL * best, MOST):
        return None
    if alone >= EVERYTHING and isinstance(schema.target, Nominal):
        return f"alone it tells {percent(alone)} of {target!r}"
    if best < FAR_LESS * alone:  # a model that does not use what the column tells is no worse without it
        return None
    rest = without(column.name)
    if rest.explained >= FAR_LESS * alone:
        return None
    if isinstance(schema.target, Nominal):
        baseline = _class_rows(batch).max() / batch.total_weight
        if rest.accuracy - baseline >= FAR_LESS_RIGHT * (column.accuracy - baseline):
            return None
    return (
        f"alone it explains {percent(alone)} of {target!r}, the best model with all columns "
        f"{percent(best)}, and without it {rest.model} explains {percent(max(rest.explained, 0))}"
    )


def _class_rows(batch: Batch) -> Array:
    return np.bincount(batch.class_codes(), batch.row_weights(), batch.schema.class_count).astype(np.float64)


def _is_of_one_class(column: SingleColumn, batch: Batch) -> str | None:
    """Known for one class only; a column of one value is a mark, whose absence is a value too."""
    schema = batch.schema
    if not isinstance(schema.target, Nominal) or column.values < 2:
        return None
    rows = _class_rows(batch)
    own, known = int(np.argmax(column.known)), float(column.known.sum())
    others, strays = rows.sum() - rows[own], known - column.known[own]
    is_rare = known * np.log(rows[own] / rows.sum()) < np.log(CHANCE)
    if known < LEAST_ROWS or strays > STRAY * others or not is_rare:
        return None
    which = "all" if not strays else f"{column.known[own]:,.0f}"
    return f"it is known in {known:,.0f} rows, {which} of them of the class {schema.classes[own]!r}"
