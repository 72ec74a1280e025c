"""Warnings of an optimisation: separation (no maximum), no convergence, weights that are not identifiable."""

from __future__ import annotations

import numpy as np

from suffice.errors import ConvergenceWarning, SeparationWarning, warn_user
from suffice.estimators.linear.separability import separating_columns
from suffice.schema import Array
from suffice.shown import counted, quoted_few
from suffice.solve.logistic.learned import INVOLVED, Learned
from suffice.solve.logistic.settings import LogisticSettings

MOST_NAMED = 8


def warn_of_separation(learned: Learned, kind: str, direction: Array) -> None:
    """Separation: some weights would grow for ever."""
    firth = ", or l2='firth'" if len(learned.weights) == 1 else ""
    warn_user(
        f"The classes are {'completely' if kind == 'complete' else 'quasi-completely'} separable by "
        f"{quoted_few(separating_columns(learned.design, direction), MOST_NAMED)}: the likelihood has no maximum, and "
        f"these weights would grow without end. `separation_` has the hyperplane. Use l2 above 0{firth}.",
        SeparationWarning,
    )


def warn_of_no_convergence(learned: Learned, settings: LogisticSettings) -> None:
    """No convergence: the optimisation ended before the gradient vanished."""
    norm, steps = float(np.linalg.norm(learned.evaluation.gradient)), learned.path.steps - 1
    advice = "Raise max_iter" + ("." if settings.solver == "newton" else ", or use solver='newton'.")
    if settings.step is not None and learned.path.is_falling:
        advice = "Lower the step: it goes too far."
    elif settings.solver == "newton" and not settings.standardize:
        advice = "Raise max_iter, or use standardize=True."
    warn_user(
        f"The optimisation did not converge in {counted(steps, 'step')}: the largest component of the "
        f"gradient is {learned.evaluation.steepness:.3g} a row, with tol={settings.tol:g}, and the norm of the "
        f"gradient is {norm:.3g}. The best weights are kept. {advice}",
        ConvergenceWarning,
    )


def warn_of_collinearity(learned: Learned) -> None:
    """Collinearity: some weights are not determined by the rows."""
    if learned.origin is None or not learned.origin.directions.shape[1]:
        return
    names = np.array(learned.design.names)
    involved = np.abs(learned.origin.directions).max(axis=1) > INVOLVED
    terms = names[involved.reshape(learned.weights.shape).any(axis=0)]
    warn_user(
        f"These terms determine one another: {quoted_few(map(str, terms), MOST_NAMED)}. Of all weights that fit "
        "equally well the smallest are kept, and they have no standard errors. Leave some out, or use l2 above 0."
    )
