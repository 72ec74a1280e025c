"""Newton's method: solve Hessian·step = gradient until the gradient vanishes, and with it what a step would gain.

On many rows most of a pass is the Hessian (of the negative objective). It changes little near the maximum, so an
earlier one (at first, that of a sample) serves, with BFGS's correction, while every step still lowers the gradient by
much.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from suffice.schema import Array
from suffice.solve.logistic.gradient_ascent import safe_step
from suffice.solve.logistic.line_search import ROUNDING, line_search
from suffice.solve.logistic.objective import Evaluation, Objective
from suffice.solve.logistic.path import Maximised, Path
from suffice.solve.logistic.quasi_newton import QuasiNewton
from suffice.solve.logistic.trust_region import TrustRegion
from suffice.solve.symmetric import SymmetricInverse

WORTH_REUSING = 0.5  # a step with an old Hessian must lower the gradient's norm at least to this part
MANY_WEIGHTS = 500  # whose Hessian costs as much as some dozens of gradients
SAME_HESSIAN = 1e-5  # a root mean square change of the log-odds that leaves the Hessian as it is
SAME_WEIGHT = 1e-4  # a change of a single weight that does: of a level that few of many rows have, it is all the change


def newton(
    objective: Objective,
    start: Array,
    tol: float,
    most_steps: int,
    sampled: Array | None = None,
    is_inferred: bool = True,
    least_gain: float = inf,
) -> Maximised:
    """Newton's method from the start, in a trust region; along the steps of reused Hessians it is a line search.

    It ends where the gradient is at most `tol` a row, and a further step would gain at most `least_gain`. Of a class or
    a level that few of many rows have, the gradient a row says nothing: it is small from the start.

    Where a Hessian `sampled` is given to begin with, measuring it on all rows costs much more than the gradient, and
    is done only where it pays; so it is with very many weights. `is_inferred` asks for it at the maximum, where
    standard errors come from.
    """
    is_costly, worth = sampled is not None or start.size > MANY_WEIGHTS, _worth_reusing(start.size)
    path = Path()
    for here in objective.begun(start, sampled is None, tol, most_steps, least_gain):
        path.add(here)
    latest = sampled if here.hessian is None else here.hessian
    assert latest is not None
    known: Evaluation | None = None  # where the Hessian was last measured
    old: QuasiNewton | None = None
    lowered = worth  # to what part the last step did the gradient's norm
    region = TrustRegion(objective)
    for _ in range(most_steps + 1 - path.steps):
        if here.hessian is not None:
            known, latest, old = here, here.hessian, None
        if here.steepness <= tol and least_gain == inf:  # whatever a step would gain, which need not be found
            break
        old = QuasiNewton(SymmetricInverse.of(latest)) if old is None else old
        step = old.newton_step(here.gradient.ravel()).reshape(here.gradient.shape)
        gain, rounding = 0.5 * max(float((here.gradient * step).sum()), 0.0), ROUNDING * abs(here.value)
        if here.steepness <= tol and gain <= max(least_gain, rounding):
            break
        wants_hessian = not is_costly or lowered > worth
        if is_inferred and not wants_hessian and not _is_near(known, here.weights + step):
            is_last = here.steepness * lowered <= tol and gain * lowered**2 <= least_gain
            wants_hessian = is_last or _change(2.0 * gain / here.weight, step) * lowered <= SAME_HESSIAN
        if here.hessian is None:
            there = line_search(objective, here, step, wants_hessian)
        else:
            there = region.search(here, step, wants_hessian)
        if there is None and here.hessian is None:  # an old Hessian may mislead; the true one does not
            here = objective.at(here.weights, with_hessian=True)
            continue
        is_flat = 2.0 * gain <= rounding
        if there is None and not is_flat:  # so far off that the Hessian says nothing: along the gradient
            there = line_search(objective, here, safe_step(objective) * here.gradient, with_hessian=True)
        if there is None:
            return Maximised(here, path, is_flat, latest)
        old.remember((there.weights - here.weights).ravel(), (here.gradient - there.gradient).ravel())
        lowered = there.steepness / here.steepness
        here = there
        path.add(here)
    maximum = _with_hessian(objective, here, known) if is_inferred else here
    return Maximised(maximum, path, here.steepness <= tol, latest)


def _worth_reusing(weights: int) -> float:
    """The part to which a step with an old Hessian must lower the gradient.

    A pass with the Hessian takes as long as about weights/20 passes without, and lowers it to a hundredth or less.
    """
    return max(WORTH_REUSING, float(0.01 ** (20 / max(weights, 1))))


def _with_hessian(objective: Objective, here: Evaluation, known: Evaluation | None) -> Evaluation:
    """The same point with its Hessian: as measured nearby, or anew."""
    if here.hessian is not None:
        return here
    if known is not None and known.hessian is not None and _is_near(known, here.weights):
        return here.with_hessian(known.hessian)
    return objective.at(here.weights, with_hessian=True)


def _is_near(known: Evaluation | None, weights: Array) -> bool:
    """Whether the Hessian at some weights is that which was measured elsewhere: the log-odds are about the same."""
    if known is None or known.hessian is None:
        return False
    moved = (weights - known.weights).ravel()
    return _change(float(moved @ known.hessian @ moved) / known.weight, moved) <= SAME_HESSIAN


def _change(square: float, moved: Array) -> float:
    """How far log-odds have changed, by √(Σ w·p·(1−p)·(x·moved)² / Σ w), their root mean square where they matter.

    That `square` is given. It says nothing of a level or a class that few of many rows have; the largest change of a
    weight does, in units in which it counts as much.
    """
    single = float(np.abs(moved).max(initial=0.0)) * SAME_HESSIAN / SAME_WEIGHT
    return max(sqrt(max(square, 0.0)), single)
