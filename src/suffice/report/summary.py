"""The summary of a logistic regression: coefficients, standard errors, odds ratios, and the goodness of fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from suffice.errors import SettingError, did_you_mean
from suffice.models.logistic import LogisticModel
from suffice.models.logistic_weights import reference_position
from suffice.report.html import html_table, html_text
from suffice.report.text import text_table
from suffice.schema import Array, Level
from suffice.shown import ShownAsText, shown

KINDS = {
    "none": "maximum likelihood",
    "gaussian": "posterior under a Gaussian prior (MAP)",
    "jeffreys": "likelihood with Firth's penalty",
}


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One line of the summary. Not a number where the rows do not determine it, or where it would mean nothing."""

    name: str
    label: Level  # the class whose log-odds it adds to
    coefficient: float
    standard_error: float
    z: float
    p_value: float
    low: float
    high: float
    odds_ratio: float


@dataclass(frozen=True, repr=False)
class Summary(ShownAsText):
    """Coefficients against the reference class, and how well the model fits the rows it was trained on."""

    title: str
    reference: Level
    coefficients: tuple[Coefficient, ...]
    confidence: float
    is_posterior: bool  # with a prior: deviations and intervals are those of the posterior, and nothing is tested
    rows: float  # their weight
    parameters: int
    log_likelihood: float
    null_log_likelihood: float
    notes: tuple[str, ...]
    has_summit: bool = True  # separable classes have none, and then nothing but the likelihood means anything
    l2: float | None = None  # the strength of the prior, if all columns have the same

    @property
    def aic(self) -> float:
        """Akaike's criterion 2k − 2·ln L."""
        return 2.0 * self.parameters - 2.0 * self.log_likelihood

    @property
    def bic(self) -> float:
        """The Bayesian criterion k·ln n − 2·ln L."""
        return self.parameters * float(np.log(self.rows)) - 2.0 * self.log_likelihood

    @property
    def pseudo_r2(self) -> float:
        """McFadden's 1 − ln L / ln L₀."""
        return 1.0 - self.log_likelihood / self.null_log_likelihood if self.null_log_likelihood else float("nan")

    def __getitem__(self, name: str | tuple[Level, str]) -> Coefficient:
        """The line of a term; with more than two classes by (class, term)."""
        wanted = name if isinstance(name, tuple) else (None, name)
        found = [line for line in self.coefficients if line.name == wanted[1] and wanted[0] in (None, line.label)]
        if len(found) > 1:
            raise KeyError(f"{wanted[1]!r} has a line per class: ask for (class, {wanted[1]!r}).")
        if not found:
            names = dict.fromkeys(line.name for line in self.coefficients)
            raise KeyError(f"There is no term {wanted[1]!r}.{did_you_mean(str(wanted[1]), names)}")
        return found[0]

    @property
    def heading(self) -> list[str]:
        """The names of the columns."""
        percent = f"{100 * self.confidence:g}%"
        if self.is_posterior:
            return ["", "posterior mode", "posterior sd", f"{percent} from", "to", "odds ratio"]
        return ["", "coefficient", "std. error", "z", "p", f"{percent} from", "to", "odds ratio"]

    def lines(self, label: Level) -> list[list[str]]:
        """The lines of one class as text."""
        return [self._line(line) for line in self.coefficients if line.label == label]

    def _line(self, line: Coefficient) -> list[str]:
        tested = [] if self.is_posterior else [_text(line.z, ".2f"), _p_text(line.p_value)]
        return [
            line.name,
            _text(line.coefficient),
            _text(line.standard_error),
            *tested,
            _text(line.low),
            _text(line.high),
            _text(line.odds_ratio if self.has_summit else float("nan"), ".4g"),
        ]

    @property
    def labels(self) -> list[Level]:
        """The classes but the reference."""
        return list(dict.fromkeys(line.label for line in self.coefficients))

    @property
    def fit(self) -> list[tuple[str, str]]:
        """How well the model fits."""
        pairs = [
            ("rows", f"{self.rows:,.6g}" if self.rows % 1 else f"{self.rows:,.0f}"),
            ("parameters", f"{self.parameters:,}"),
            ("log-likelihood", f"{round(self.log_likelihood, 6) + 0.0:.6f}"),
            ("of class shares alone", f"{self.null_log_likelihood:.6f}"),
            ("pseudo-R² (McFadden)", f"{self.pseudo_r2:.4f}"),
        ]
        if self.l2:
            pairs.append(("strength of the prior (l2)", f"{self.l2:.3g}"))
        if self.is_posterior or not self.has_summit:
            return pairs
        return [*pairs, ("AIC", f"{self.aic:.4f}"), ("BIC", f"{self.bic:.4f}")]

    def __str__(self) -> str:
        """The summary as text."""
        parts = [shown(self.title), text_table(["fit", ""], [list(pair) for pair in self.fit])]
        for label in self.labels:
            heading = [f"ln P({label})/P({self.reference})", *self.heading[1:]]
            parts.append(text_table(heading, self.lines(label)))
        return "\n\n".join([*parts, *(shown(f"note: {note}") for note in self.notes)])

    def _repr_html_(self) -> str:
        """The summary for notebooks."""
        parts = [f"<p><b>{html_text(self.title)}</b></p>", html_table(["fit", ""], self.fit)]
        for label in self.labels:
            heading = [f"ln P({label})/P({self.reference})", *self.heading[1:]]
            parts.append(html_table(heading, self.lines(label), "text-align:right"))
        return "".join([*parts, *(f"<p>{html_text(note)}</p>" for note in self.notes)])


def summarise(model: LogisticModel, title: str, reference: Level | None, confidence: float) -> Summary:
    """The summary of a fitted model, against any class."""
    if not isinstance(confidence, (int, float)) or not 0.0 < confidence < 1.0:
        raise SettingError(f"confidence must be between 0 and 1, not {confidence!r}.")
    classes = model.schema.classes
    base = model.reference if reference is None else reference_position(classes, reference)
    coefficients, deviation = _against(model, base)
    if model.separation != "none":  # the Hessian at a point on the way to infinity says nothing
        deviation = np.full(deviation.shape, np.nan)
    tests = model.prior != "gaussian" and model.separation == "none"
    others = [label for k, label in enumerate(classes) if k != base]
    quantile = float(ndtri(0.5 + confidence / 2.0))
    lines = list(_lines(model.design.names, others, coefficients, deviation, quantile, tests))
    return Summary(
        f"{title}: {model.schema.target.name}, {KINDS[model.prior]}",
        classes[base],
        tuple(lines),
        float(confidence),
        model.prior == "gaussian",
        float(model.class_weight.sum()),
        model.rank,
        model.log_likelihood,
        model.null_log_likelihood,
        tuple(_notes(model)),
        model.separation == "none",
        model.l2,
    )


def _against(model: LogisticModel, base: int) -> tuple[Array, Array]:
    """Coefficients and standard deviations (class but the new reference, dimension)."""
    count = model.schema.class_count
    every = np.insert(np.eye(count - 1), model.reference, 0.0, axis=0)  # (class, class but the old reference)
    mix = np.delete(every - every[base], base, axis=0)
    coefficients = mix @ model.coefficients
    if not model.covariance.size:
        return coefficients, np.full(coefficients.shape, np.nan)
    variance = np.diagonal(model.coefficient_covariance(mix)).reshape(coefficients.shape)
    deviation = np.sqrt(np.maximum(variance, 0.0))
    return coefficients, np.where(model.is_known.all(axis=0), deviation, np.nan)


def _lines(
    names: tuple[str, ...], labels: list[Level], coefficients: Array, deviation: Array, quantile: float, tests: bool
) -> Iterator[Coefficient]:
    for label, row, spread in zip(labels, coefficients, deviation, strict=True):
        for name, value, error in zip(names, row.tolist(), spread.tolist(), strict=True):
            z = value / error if tests and error > 0 else float("nan")
            p_value = 2.0 * float(ndtr(-abs(z)))
            with np.errstate(over="ignore"):
                odds = float(np.exp(value))
            yield Coefficient(
                name, label, value, error, z, p_value, value - quantile * error, value + quantile * error, odds
            )


def _notes(model: LogisticModel) -> Iterator[str]:
    if model.separation != "none":
        how = "completely" if model.separation == "complete" else "quasi-completely"
        yield f"the classes are {how} separable: there is no finite maximum, and no test means anything. Use l2 above 0"
    if not model.is_known.all():
        yield "terms without a standard error are determined by the others (collinear)"
    if not model.covariance.size:
        yield "there are no standard errors: they were not asked for, or there are too many weights"


def _text(value: float, form: str = ".6g") -> str:
    return "—" if np.isnan(value) else format(value, form)


def _p_text(value: float) -> str:
    return "—" if np.isnan(value) else "<0.0001" if value < 0.0001 else f"{value:.4f}"
