"""Is a table linearly separable? The answer, with a hyperplane that separates or a point that both sides share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.errors import TableError
from suffice.estimators.inputs import is_strict, numeric_labels, strict_array
from suffice.models.linear import LinearModel
from suffice.models.logistic_weights import LogisticWeights, against, reference_position
from suffice.progress import doing
from suffice.schema import Array, Level
from suffice.settings import require_one_of
from suffice.shown import ShownAsText
from suffice.solve.logistic.separation import Separated, separation
from suffice.solve.logistic.setup import FIRST_PASS, first_design, level_shares, with_occurring_pairs
from suffice.sources import Reading, read_table
from suffice.sources.keeping.kept import encoded_once
from suffice.sources.reading import named_column
from suffice.sources.source import is_source
from suffice.statistics.linear.design import Design


@dataclass(frozen=True, repr=False)
class Separability(ShownAsText):
    """Whether a hyperplane has every row on its own side; true where it has them all strictly so."""

    kind: str  # complete; quasi_complete, where some rows can only be put on the hyperplane itself; or none
    classes: tuple[Level, ...]
    hyperplane: LogisticWeights | None  # the log-odds 0 of these weights are the hyperplane
    columns: tuple[str, ...]  # what the hyperplane is made of
    common_point: Mapping[str, float] | None  # with two classes: a weighted mean of the rows of either

    def __bool__(self) -> bool:
        return self.kind == "complete"

    def __str__(self) -> str:
        """The answer as text."""
        if self.kind == "none":
            lines = ["not linearly separable"]
            if self.common_point is not None:
                first, second = self.classes
                lines.append(f"the rows of {first} and the rows of {second} have this weighted mean in common:")
                lines += [f"  {name} = {value:.6g}" for name, value in self.common_point.items()]
            return "\n".join(lines)
        if self.kind == "complete":
            return f"linearly separable: every row is on its own side of\n{self._formulas}"
        return f"quasi-completely separable: no row is on the wrong side of, but some are on\n{self._formulas}"

    @property
    def _formulas(self) -> str:
        assert self.hyperplane is not None
        lines = []
        rows = zip(
            self.hyperplane.classes,
            np.atleast_1d(self.hyperplane.intercept),
            np.atleast_2d(self.hyperplane.coefficients),
            strict=True,
        )
        for label, intercept, row in rows:
            terms = [
                f"{weight:+.6g} · {name}" for name, weight in zip(self.hyperplane.names, row, strict=True) if weight
            ]
            formula = " ".join([f"{intercept:.6g}", *terms]) if terms or intercept else "0"
            lines.append(f"  {formula}, positive for {label}, negative for {self.hyperplane.reference}")
        return "\n".join(lines)


def linearly_separable(
    table: Any,
    target: Any,
    degree: int = 1,
    nominal: Any = None,
    missing_values: Any = None,
    keep: Any = None,
    drop: Any = None,
) -> Separability:
    """Tell whether the classes of a table are linearly separable, and show it: a hyperplane, or why there is none.

    Nominal columns count with an indicator per level, missing values with one of their own. `degree=2` asks for
    squares and products too. The answer is true only where every row is strictly on its own side; `kind` tells whether
    it is so but for rows on the hyperplane itself.

    >>> import suffice as sf
    >>> xor = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]
    >>> print(linearly_separable(xor, ["same", "different", "different", "same"]))
    not linearly separable
    the rows of different and the rows of same have this weighted mean in common:
      x0 = 0.5
      x1 = 0.5
    >>> bool(linearly_separable(xor, ["same", "different", "different", "same"], degree=2))
    True
    """
    degree = require_one_of("degree", degree, (1, 2))
    reading = Reading.of(nominal, missing_values, keep, drop)
    rows = strict_array(table) if is_strict(table) else table
    target = named_column(target, table)
    if target is None and not is_source(table):
        raise TableError("Give the target: the classes, one for every row, or the name of the column that has them.")
    labels = target if target is None or isinstance(target, str) else numeric_labels(target)
    source = read_table(rows, labels, None, reading)
    measure = encoded_once(source)
    with doing("looking for a hyperplane"):
        known = measure(FIRST_PASS).parts["known"]
        design = first_design(known, degree, has_reference=np.ones(len(known.schema.nominal), dtype=bool))
        design = with_occurring_pairs(design, measure)
        reference = reference_position(design.schema.classes, None)
        guess = np.zeros((design.schema.class_count - 1, design.dimensions))
        found = separation(measure, design, reference, guess)
    return as_answer(design, reference, found, level_shares(known.parts["counts"]))


def as_answer(design: Design, reference: int, found: Separated, shares: Array) -> Separability:
    """What was found, in the table's units."""
    classes = design.schema.classes
    if found.direction is None:
        point = None if found.common_point is None else _in_table_units(design, found.common_point)
        return Separability(found.kind, classes, None, (), point)
    model = LinearModel(design.schema, design, found.direction, shares)
    every = np.insert(model.coefficients, reference, 0.0, axis=0)
    hyperplane = against(classes, every[:, 0], design.names[1:], every[:, 1:], classes[reference])
    return Separability(found.kind, classes, hyperplane, separating_columns(design, found.direction), None)


def separating_columns(design: Design, direction: Array) -> tuple[str, ...]:
    """The columns that a separating direction is made of."""
    strength = np.abs(direction).max(axis=0)
    involved = strength > 1e-6 * strength.max(initial=0.0)
    named = [
        name for names, takes_part in zip(design.columns_of, involved, strict=True) if takes_part for name in names
    ]
    return tuple(dict.fromkeys(named))


def _in_table_units(design: Design, point: Array) -> dict[str, float]:
    """The numbers and indicators of a point; products are not shown, a mixture does not keep them."""
    shown = {}
    first_product = 1 + len(design.base_columns)
    for dimension, cell in enumerate(design.used.tolist()):
        if 1 <= cell <= len(design.centre):
            shown[design.names[dimension]] = float(point[dimension] * design.scale[cell - 1] + design.centre[cell - 1])
        elif 0 < cell < first_product or design.dense_count <= cell < design.starts[len(design.schema.nominal)]:
            shown[design.names[dimension]] = float(point[dimension])
    return shown
