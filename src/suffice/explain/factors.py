"""The derivation of one prediction, factor by factor, adding up to the posterior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.explain.missing import missing_columns, unseen_columns, unseen_note
from suffice.explain.shown import TOP, parted, require_top
from suffice.models.factor import Factor
from suffice.models.generative import GenerativeModel
from suffice.models.joint_bayes import JointBayesModel
from suffice.models.posterior import softmax
from suffice.report.html import html_derivation
from suffice.report.text import text_derivation, text_table
from suffice.schema import Array, Batch, Level
from suffice.shown import ShownAsText, counted, listed
from suffice.statistics.moments.column_moments import require_no_infinity
from suffice.statistics.ties import first_of_equals

LEAST_LOG = -700.0


@dataclass(frozen=True, repr=False)
class Explanation(ShownAsText):
    """Why a row is classified as it is: every factor in order, their sum, and the posterior.

    Of more than `top` columns, those that set the classes apart most are shown, and the product of the others.
    """

    classes: tuple[Level, ...]
    factors: tuple[Factor, ...]
    log_joint: Array  # (class,), the sum of the factors' logs
    posterior: Array  # (class,)
    notes: tuple[str, ...] = ()
    top: int | None = TOP  # how many factors are shown beside the prior

    labels: ClassVar[int] = 2  # columns of the text that name a line: the column and its value

    @property
    def prediction(self) -> Level:
        """The class with the largest posterior, the first of equals."""
        return self.classes[int(first_of_equals(self.posterior[None])[0])]

    @property
    def _heading(self) -> list[str]:
        return ["", "", *(str(label) for label in self.classes)]

    def rows(self) -> list[list[str]]:
        """The derivation as rows of a table."""
        prior, *factors = self.factors
        first, rest = parted([factor.log for factor in factors], self.top)
        rows = [self._row(factor) for factor in (prior, *(factors[place] for place in first))]
        if rest:
            product = np.sum([factors[place].log for place in rest], axis=0)
            rows.append([counted(len(rest), "other"), "", *map(_as_number, product)])
        rows.append(["= joint", "", *map(_as_number, self.log_joint)])
        rows.append(["posterior", "", *(f"{value:.4f}" for value in self.posterior)])
        return rows

    def _row(self, factor: Factor) -> list[str]:
        cells = [
            text if _is_number(text) else f"{text} = {_as_number(log)}"
            for text, log in zip(factor.texts, factor.log, strict=True)
        ]
        return [factor.name, factor.value, *cells]

    def as_dict(self) -> dict[str, Any]:
        """All that is said, in names, numbers and arrays."""
        return {
            "prediction": self.prediction,
            "classes": self.classes,
            "posterior": self.posterior,
            "log_joint": self.log_joint,
            "factors": [
                {"name": factor.name, "value": factor.value, "log": factor.log, "texts": factor.texts}
                for factor in self.factors
            ],
            "notes": self.notes,
        }

    def __str__(self) -> str:
        """The derivation as text."""
        rows = self.rows()
        table = text_table(self._heading, rows, lines_before=(len(rows) - 2,), labels=2)
        return text_derivation(table, (), self.prediction, self.notes)

    def _repr_html_(self) -> str:
        """The derivation as a table for notebooks."""
        return html_derivation(self._heading, self.rows(), str(self.prediction), self.notes)


@np.errstate(over="ignore", invalid="ignore")  # of a row far out
def explain(model: GenerativeModel, batch: Batch, top: int | None = TOP) -> Explanation:
    """Derive the prediction for the first row of a batch."""
    require_top(top)
    row = batch.take(np.arange(1))
    require_no_infinity(row)
    factors = tuple(model.factors(row))
    total = np.sum([factor.log for factor in factors], axis=0)
    posterior = softmax(total[None, :], model.priors)[0][0]
    told = {factor.name for factor in factors[1:]}
    return Explanation(model.schema.classes, factors, total, posterior, tuple(_notes(model, row, total, told)), top)


def _notes(model: GenerativeModel, row: Batch, total: Array, told: set[str]) -> list[str]:
    notes = []
    unseen = unseen_columns(row)
    if not isinstance(model, JointBayesModel):
        missing = missing_columns(row, {*model.without_evidence, *unseen, *told})
        if missing:
            notes.append(f"missing, so left out: {listed(missing, TOP)}")
    elif model.is_unseen(row)[0]:
        notes.append(
            "no training row has this combination" + ("" if model.smoothing else "; the class priors are used")
        )
    if unseen:
        notes.append(unseen_note(unseen))
    if not np.isfinite(total.max()) and not isinstance(model, JointBayesModel):
        notes.append("the row is impossible in every class; the class priors are used")
    return notes


def _as_number(log: float) -> str:
    """A number given by its logarithm; as a power of e where it is too small for a float."""
    return f"e^{log:.6g}" if np.isfinite(log) and log < LEAST_LOG else f"{np.exp(log):.4g}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
