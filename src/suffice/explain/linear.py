"""The derivation of a linear prediction: what every column adds to the log-odds, or to the perceptron's score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.explain.missing import is_missing, missing_columns, unseen_columns, unseen_note
from suffice.explain.shown import TOP, parted, require_top
from suffice.models.linear import LinearModel
from suffice.models.logistic import LogisticModel
from suffice.models.perceptron import PerceptronModel
from suffice.models.posterior import softmax
from suffice.report.html import html_derivation
from suffice.report.text import text_derivation, text_table
from suffice.schema import Array, Batch, Level
from suffice.schema.columns import number_text
from suffice.shown import ShownAsText, counted, listed
from suffice.statistics.moments.column_moments import require_no_infinity
from suffice.statistics.ties import first_of_equals

MANY_DIGITS = 1e12  # before the point: of these the first few tell


@dataclass(frozen=True, slots=True)
class Contribution:
    """The additive contribution of one column, or of the product of two, to each score."""

    name: str
    value: str
    added: Array  # (score,)


@dataclass(frozen=True, repr=False)
class LinearExplanation(ShownAsText):
    """Why a row is classified as it is: contributions that add up to the scores that decide.

    Numbers contribute by how far they are from their mean, so the intercept is the score of an average row (but for
    models fitted without centring: standardize=False with degree=2 or a solver other than Newton's). The scores of a
    logistic regression are log-odds and give a posterior; a perceptron's give none. Of more than `top` contributions,
    those that matter most are shown, and the sum of the others.
    """

    classes: tuple[Level, ...]
    headings: tuple[str, ...]  # of the scores
    total_name: str
    contributions: tuple[Contribution, ...]
    total: Array  # (score,), the sum of the contributions
    prediction: Level
    posterior: Array | None = None  # (class,)
    notes: tuple[str, ...] = ()
    top: int | None = TOP  # how many contributions are shown beside the intercept

    labels: ClassVar[int] = 2  # columns of the text that name a line: the column and its value

    @property
    def _heading(self) -> list[str]:
        return ["", "", *self.headings]

    def rows(self) -> list[list[str]]:
        """The derivation as rows of a table."""
        intercept, *parts = self.contributions
        first, rest = parted([self._against_all(part) for part in parts], self.top)
        chosen = (intercept, *(parts[place] for place in first))
        rows = [[part.name, part.value, *map(_signed, part.added)] for part in chosen]
        if rest:
            rows.append(
                [counted(len(rest), "other"), "", *map(_signed, np.sum([parts[place].added for place in rest], axis=0))]
            )
        return [*rows, [f"= {self.total_name}", "", *map(_signed, self.total)]]

    def _against_all(self, part: Contribution) -> Array:
        """What is added to the score of every class; a reference, or the other of two, has none but 0."""
        return part.added if len(part.added) == len(self.classes) else np.append(part.added, 0.0)

    @property
    def _verdict(self) -> list[str]:
        if self.posterior is None:
            return []
        return [", ".join(f"P({label}) = {p:.4f}" for label, p in zip(self.classes, self.posterior, strict=True))]

    def as_dict(self) -> dict[str, Any]:
        """All that is said, in names, numbers and arrays; a perceptron has no probabilities."""
        probabilities = {} if self.posterior is None else {"posterior": self.posterior}
        return {
            "prediction": self.prediction,
            "classes": self.classes,
            **probabilities,
            "scores": dict(zip(self.headings, self.total, strict=True)),
            "contributions": [
                {"name": part.name, "value": part.value, "added": part.added} for part in self.contributions
            ],
            "notes": self.notes,
        }

    def __str__(self) -> str:
        """The derivation as text."""
        rows = self.rows()
        table = text_table(self._heading, rows, lines_before=(len(rows) - 1,), labels=2)
        return text_derivation(table, self._verdict, self.prediction, self.notes)

    def _repr_html_(self) -> str:
        """The derivation as a table for notebooks."""
        return html_derivation(self._heading, self.rows(), str(self.prediction), (*self._verdict, *self.notes))


@np.errstate(over="ignore", invalid="ignore")  # of a row far out
def explain_linear(model: LinearModel, batch: Batch, top: int | None) -> LinearExplanation:
    """Derive the prediction for the first row of a batch."""
    require_top(top)
    row = batch.take(np.arange(1))
    require_no_infinity(row)
    parts, classes = _contributions(model, row), model.schema.classes
    total = np.sum([part.added for part in parts], axis=0)
    notes = tuple(_notes(model, row))
    if isinstance(model, PerceptronModel):
        decided = classes[int(first_of_equals(total[None])[0])] if len(total) > 1 else classes[int(total[0] > 0)]
        names = tuple(f"θ({label})·x" for label in model.labels)
        return LinearExplanation(classes, names, "θ·x", parts, total, decided, None, notes, top)
    assert isinstance(model, LogisticModel)
    reference = classes[model.reference]
    names = tuple(f"ln P({label})/P({reference})" for label in classes if label != reference)
    every = np.insert(total, model.reference, 0.0)
    posterior = softmax(every[None, :])[0][0]
    decided = classes[int(first_of_equals(posterior[None])[0])]
    return LinearExplanation(classes, names, "log-odds", parts, total, decided, posterior, notes, top)


def _contributions(model: LinearModel, row: Batch) -> tuple[Contribution, ...]:
    terms, every = model.contributions(row)
    found: dict[tuple[str, ...], Array] = {}
    for dimension, names in enumerate(model.design.columns_of[: model.design.first_text]):
        own = every[:, dimension]
        found[names] = found[names] + own if names in found else own
    for position, column in enumerate(model.schema.nominal):
        is_unknown = row.codes[position, 0] < 0 and model.has_average(position)
        if is_unknown and column.name not in model.without_evidence:
            own = model.averages[:, position]
            found[(column.name,)] = found[(column.name,)] + own if (column.name,) in found else own
    parts = [
        Contribution(" × ".join(dict.fromkeys(names)) or "intercept", _value(row, names), added)
        for names, added in found.items()
    ]
    return (*parts, *_words(model, terms, every))


def _words(model: LinearModel, terms: Array, every: Array) -> list[Contribution]:
    """What every word of the row's texts adds that has a weight."""
    design = model.design
    held = design.first_text + np.flatnonzero(terms[design.first_text :])
    found = []
    for dimension in held.tolist():
        column, word = design.word_of(int(design.used[dimension]))
        added = every[:, dimension]
        shown_word = f"{word} ×{number_text(terms[dimension])}" if terms[dimension] != 1.0 else word
        found.append(Contribution(column, shown_word if word else "missing", added))
    return found


def _signed(value: float) -> str:
    if abs(value) >= MANY_DIGITS:
        return f"{value:+.4g}"
    return f"{round(float(value), 4) + 0.0:+.4f}"  # nothing is written +0.0000, never -0.0000


def _value(row: Batch, names: tuple[str, ...]) -> str:
    return " × ".join(_cell(row, name) for name in names)


def _cell(row: Batch, name: str) -> str:
    if is_missing(row, name):
        return "missing"
    if name in row.schema.nominal_position:
        position = row.schema.nominal_position[name]
        return str(row.schema.nominal[position].levels[row.codes[position, 0]])
    position = row.schema.numeric_position[name]
    return row.schema.numeric[position].shown(float(row.numeric[0, position]))


def _notes(model: LinearModel, row: Batch) -> list[str]:
    unseen = unseen_columns(row)
    missing = missing_columns(row, {*model.without_evidence, *unseen})
    notes = []
    if missing:
        notes.append(
            f"missing: {listed(missing, TOP)}; a number is put at its mean, a level at the average of all, and where "
            "training rows lacked it too, that has a weight of its own"
        )
    return [*notes, unseen_note(unseen)] if unseen else notes
