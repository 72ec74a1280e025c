"""Maximum-likelihood and MAP estimates of logistic weights: first pass, start on a sample, maximisation, inference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from suffice.machine.threads import one_blas_thread
from suffice.schema import Array, Batch
from suffice.solve.logistic.arrowhead import ArrowheadObjective, column_to_eliminate, newton_by_levels
from suffice.solve.logistic.conjugate_gradient import conjugate_gradient, newton_cg
from suffice.solve.logistic.firth import FirthObjective
from suffice.solve.logistic.gradient_ascent import gradient_ascent
from suffice.solve.logistic.learned import Learned
from suffice.solve.logistic.leave_one_out import chosen_factor
from suffice.solve.logistic.newton import newton
from suffice.solve.logistic.newton_in_memory import FewRowsObjective, are_few
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.logistic.path import Maximised
from suffice.solve.logistic.penalty import Penalty
from suffice.solve.logistic.samples import Samples
from suffice.solve.logistic.settings import LogisticSettings
from suffice.solve.logistic.setup import FIRST_PASS, first_design, level_shares, with_occurring_pairs
from suffice.solve.symmetric import SymmetricInverse
from suffice.statistics.linear.arrowhead import EliminatedColumn
from suffice.statistics.linear.design import Design
from suffice.statistics.linear.few_rows import KeepFewRows
from suffice.statistics.linear.sparse_rows import KeepRows, MeasureSparseRows
from suffice.statistics.linear.units import unit_of
from suffice.statistics.statistic import M, Measure, Measurement, Together

MOST_STEPS = {"newton": 100, "gradient_ascent": 100_000, "conjugate_gradient": 10_000}
MOST_SOLVED = 500  # weights; up to so many, a step is always solved with the Hessian of all of them
MOST_DENSE = 1_500  # weights; up to so many, where nothing else is quicker
MOST_PAIRS = 300  # classes times terms of levels: the cost of their part of that matrix grows with the square
MOST_INFERRED = 1_500  # weights; beyond it there are no standard errors
VANISHED = 1e-3
GAIN = 1e8  # a step's gain grows with the square of the gradient; at a tolerance of 1e-8 it may be 1e-8
LEAST_WEIGHT = 1e-300  # stands for that of a class that no row has: its odds are a number
UNFINISHED = 1e-4  # of log-likelihood that a Newton step would still gain
MOST_ON_SAMPLE = 20  # steps


def design_of(measure: Measure, parts: Together, settings: LogisticSettings) -> Design:
    """The columns of the model matrix of a table, after its first pass."""
    is_lectures_own = settings.solver != "newton" and not settings.standardize  # then the lectures' own steps are taken
    design = first_design(
        parts,
        settings.degree,
        is_centred=(settings.standardize or settings.degree == 1 or settings.prior != "gaussian")
        and not is_lectures_own,
        is_scaled=not is_lectures_own,
        has_reference=np.array([settings.l2_of_column(column.name) == 0 for column in parts.schema.nominal], bool),
        vocabulary=settings.vocabulary,
    )
    return with_occurring_pairs(design, measure)


def learn(
    measure: Measure,
    sample_measure: Callable[[Batch], Measure],
    settings: LogisticSettings,
    reference: int,
    *,
    start: Callable[[Design], Array] | None = None,
    is_inferred: bool = True,
    nearby: Array | None = None,
    is_watched: bool = True,
    unit: Array | None = None,
) -> Learned:
    """Maximise the penalised likelihood by passes over the rows; `sample_measure` makes passes over a batch in memory.

    Where the `start` is close to the maximum, a Hessian `nearby`, of one row on average, spares measuring its own.
    Without inference there are no standard errors, nor is anything said of collinear terms. If nobody watches the
    path, it is short where a strength was chosen: it begins at the maximum that was found then. A row of each class
    counts for its `unit`, where that is not 1.
    """
    first = measure(FIRST_PASS)
    known, rows = first.parts["known"], first.parts["rows"].rows
    class_weight = known.parts["classes"].weight
    design = design_of(measure, known, settings)
    with one_blas_thread(max(rows * design.dimensions, (design.schema.class_count * design.dimensions) ** 2)):
        measure = _on_kept_rows(measure, design, reference) if design.vocabularies else measure
        objective = _objective(measure, design, reference, settings, rows)
        begin = np.zeros(objective.shape)
        begin[:, 0] = _log_odds(class_weight, reference)
        factor = 1.0
        if settings.is_chosen:
            unit = np.ones_like(class_weight) if unit is None else unit
            counted = max(rows, float((class_weight / np.where(unit > 0, unit, 1.0)).sum()))
            factor, found = chosen_factor(objective, begin, counted, unit, sample_measure)
            objective = replace(objective, penalty=objective.penalty.times(factor))
            begin = begin if is_watched else found
        if start is not None:
            begin = max(begin, start(design), key=lambda weights: objective.at(weights).value)
        samples = Samples.of_many(rows if start is None else 0, sample_measure)
        maximised = _maximised(
            objective,
            begin,
            settings,
            samples,
            is_inferred,
            nearby * rows if nearby is not None and len(nearby) == begin.size else None,
        )
        learned = _inferred(objective, maximised, settings, known, is_inferred)
        hessian = None if maximised.hessian is None else maximised.hessian / rows
        return replace(learned, hessian=hessian, factor=factor)


def _objective(measure: Measure, design: Design, reference: int, settings: LogisticSettings, rows: int) -> Objective:
    """What is maximised: by Firth, of few rows that are kept at hand, or by passes."""
    penalty = Penalty(strength(design, settings), design.schema.class_count)
    if settings.prior == "jeffreys":
        return FirthObjective.of(measure, design, reference, penalty)
    objective = Objective(measure, design, reference, penalty)
    if settings.solver == "newton" and not design.vocabularies and are_few(rows, objective.shape):
        few = measure(KeepFewRows(design, reference))
        return FewRowsObjective(measure, design, reference, penalty, few)
    return objective


def _inferred(
    objective: Objective, maximised: Maximised, settings: LogisticSettings, known: Together, is_inferred: bool
) -> Learned:
    """The estimate, with its covariance and what the rows leave undetermined, where that is asked for."""
    evaluation = maximised.evaluation
    if is_inferred and evaluation.hessian is None and evaluation.weights.size <= MOST_INFERRED:
        evaluation = objective.at(evaluation.weights, with_hessian=True)
    information = objective.information(evaluation)
    origin, looks_separable = None, False
    if settings.leaves_some_free and is_inferred:
        origin, looks_separable = _looked_at(objective, evaluation)
        looks_separable = looks_separable or not maximised.is_converged
    return Learned(
        objective.design,
        evaluation.weights if origin is None else _least(evaluation.weights, origin.null_space),
        objective.penalty.strength,
        origin,
        None if information is None else SymmetricInverse.of(information),
        evaluation,
        known.parts["classes"].weight,
        level_shares(known.parts["counts"]),
        maximised.path,
        maximised.is_converged,
        looks_separable,
    )


def _on_kept_rows(measure: Measure, design: Design, reference: int) -> Measure:
    """Passes over rows with texts that were put under the design once, where they fit into memory."""
    kept = measure(KeepRows(design, reference))
    if not kept.parts:
        return measure

    def measured(measurement: Measurement[M]) -> M:
        if isinstance(measurement, MeasureSparseRows) and measurement.design is design:
            found: M = kept.measure(measurement)
            return found
        return measure(measurement)

    return measured


def _looked_at(objective: Objective, evaluation: Evaluation) -> tuple[SymmetricInverse | None, bool]:
    """The Hessian at w = 0, whose null space the rows leave undetermined; and whether the classes may be separable.

    They may where the Hessian nearly vanishes in some direction, measured by that at w = 0: weights grow there for
    ever. Or the way was left before: the gradient a row of a level that few of many rows have is small from the start.
    """
    if evaluation.hessian is None:
        return None, True
    start = objective.at(np.zeros_like(evaluation.weights), with_hessian=True).hessian
    assert start is not None
    origin, slope = SymmetricInverse.of(start), evaluation.gradient.ravel()
    gain = 0.5 * float(slope @ SymmetricInverse.of(evaluation.hessian).times(slope))
    return origin, gain > UNFINISHED or origin.smallest_eigenvalue_of(evaluation.hessian) < VANISHED


def strength(design: Design, settings: LogisticSettings) -> Array:
    """The penalty of every dimension: that of its column, of a product the largest of its columns'."""
    own = np.array([max((settings.l2_of_column(name) for name in names), default=0.0) for names in design.columns_of])
    return own if settings.standardize else own / unit_of(design) ** 2


def _log_odds(class_weight: Array, reference: int) -> Array:
    others = np.delete(class_weight, reference)
    odds: Array = np.log(np.maximum(others, LEAST_WEIGHT) / max(class_weight[reference], LEAST_WEIGHT))
    return odds


def _maximised(
    objective: Objective,
    begin: Array,
    settings: LogisticSettings,
    samples: Samples,
    is_inferred: bool,
    sampled: Array | None,
) -> Maximised:
    most = settings.most_steps or MOST_STEPS[settings.solver]
    if settings.solver == "gradient_ascent":
        return gradient_ascent(objective, begin, settings.tol, most, settings.step)
    if settings.solver == "conjugate_gradient":
        return conjugate_gradient(objective, begin, settings.tol, most)
    if begin.size > MOST_SOLVED:
        eliminated = column_to_eliminate(objective)
        if eliminated is not None:
            return _maximised_by_levels(objective, eliminated, begin, settings.tol, most, samples)
        if not _is_dense(objective):
            return newton_cg(objective, begin, settings.tol, most)
    for small in samples.of(objective):
        nearby = None if sampled is None else sampled * small.share
        maximised = newton(small.objective, begin, small.tol, MOST_ON_SAMPLE, nearby)
        begin, sampled = maximised.evaluation.weights, maximised.evaluation.hessian
        sampled = None if sampled is None else sampled / small.share
    return newton(objective, begin, settings.tol, most, sampled, is_inferred, GAIN * settings.tol**2)


def _is_dense(objective: Objective) -> bool:
    """Whether the Hessian of many weights is formed sooner than conjugate gradients find what it would tell."""
    design, (classes, dimensions) = objective.design, objective.shape
    is_much = classes * dimensions > MOST_DENSE or classes * len(design.coded) > MOST_PAIRS
    return not is_much and not design.vocabularies


def _maximised_by_levels(
    objective: Objective,
    eliminated: EliminatedColumn,
    begin: Array,
    tol: float,
    most: int,
    samples: Samples,
) -> Maximised:
    """Newton's method by Schur complement, with very many weights of one column's levels, which are eliminated."""
    for small in samples.of(objective):
        on_sample = ArrowheadObjective.of(small.objective, eliminated)
        begin = newton_by_levels(on_sample, begin, small.tol, MOST_ON_SAMPLE).evaluation.weights
    return newton_by_levels(ArrowheadObjective.of(objective, eliminated), begin, tol, most)


def _least(weights: Array, flat: Array) -> Array:
    """Minimum-norm solution: of all weights that fit as well, those with the least sum of squares, intercepts aside."""
    if not flat.shape[1]:
        return weights
    is_free = np.ones(weights.shape, dtype=bool)
    is_free[:, 0] = False
    free = is_free.ravel()
    along = np.linalg.lstsq(flat[free], -weights.ravel()[free], rcond=None)[0]
    return (weights.ravel() + flat @ along).reshape(weights.shape)
