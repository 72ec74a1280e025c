"""Independence of two variables, given others: exact for a stated distribution, a test for a learned one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

from suffice.errors import QueryError
from suffice.models.joint_table import JointTable
from suffice.schema import Codes
from suffice.shown import ShownAsText

EXACT = 1e-9  # bits: what is left of a stated distribution's information below is rounding


@dataclass(frozen=True, repr=False)
class Independence(ShownAsText):
    """The answer; true where nothing speaks against independence."""

    first: str
    second: str
    given: tuple[str, ...]
    mutual_information: float  # in bits
    statistic: float | None  # G = 2·N·ln 2·I(A; B | C), of a learned distribution
    degrees_of_freedom: int
    p_value: float | None
    level: float

    def __bool__(self) -> bool:
        if self.p_value is None:
            return self.mutual_information <= EXACT
        return self.p_value >= self.level

    def __str__(self) -> str:
        condition = f" given {', '.join(self.given)}" if self.given else ""
        verb = "are not" if not self else "are" if self.p_value is None else "may be"
        answer = f"{self.first} and {self.second} {verb} independent{condition}"
        information = f"mutual information {self.mutual_information:.4g} bits"
        if self.p_value is None:
            return f"{answer}: {information}"
        test = f"G = {self.statistic:.4g} with {self.degrees_of_freedom} degrees of freedom, p = {self.p_value:.4g}"
        return f"{answer}: {information}, {test} ({'not below' if self else 'below'} {self.level:g})"


def independence(table: JointTable, first: str, second: str, given: Sequence[str], level: float) -> Independence:
    """Whether P(a, b | c) = P(a | c)·P(b | c) for all values, or whether rows leave that open (the G-test)."""
    if first == second or first in given or second in given:
        raise QueryError("Independence is asked of two different variables, given others. Name each once.")
    information = table.mutual_information([first], [second], given)
    if table.weight is None:
        return Independence(first, second, tuple(given), information, None, 0, None, level)
    statistic = 2.0 * table.weight * np.log(2.0) * information
    degrees = _degrees_of_freedom(table.over([*given, first, second]).cells)
    p_value = float(chi2.sf(statistic, degrees)) if degrees else 1.0
    return Independence(first, second, tuple(given), information, statistic, degrees, p_value, level)


def _degrees_of_freedom(cells: Codes) -> int:
    """Σ over the combinations of the given variables: (values of the first − 1)·(values of the second − 1)."""
    conditions = [tuple(cell[:-2]) for cell in cells.tolist()]
    seen: dict[tuple[int, ...], tuple[set[int], set[int]]] = {}
    for condition, cell in zip(conditions, cells.tolist(), strict=True):
        ones, others = seen.setdefault(condition, (set(), set()))
        ones.add(cell[-2])
        others.add(cell[-1])
    return sum((len(ones) - 1) * (len(others) - 1) for ones, others in seen.values())
