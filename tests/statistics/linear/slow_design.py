"""A design written out in full, cell by cell: what the kernels never form, and must agree with."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.special import log_softmax

from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.statistics.linear.design import Design

CLASSES = ("no", "yes", "maybe", "never")


def schema_of(numeric: int = 2, levels: tuple[int, ...] = (3, 2), classes: int = 2) -> Schema:
    columns = [Numeric(f"x{j}") for j in range(numeric)]
    columns += [Nominal(f"n{q}", tuple("abcdef"[:count])) for q, count in enumerate(levels)]
    return Schema(tuple(columns), Nominal("y", CLASSES[:classes]))


def random_rows(schema: Schema, rows: int, gaps: float = 0.2, is_weighted: bool = False, seed: int = 0) -> Batch:
    random = np.random.default_rng(seed)
    numeric = random.normal(3.0, 2.0, (rows, len(schema.numeric)))
    numeric[random.random(numeric.shape) < gaps] = np.nan
    codes = np.empty((len(schema.nominal), rows), dtype=np.int32)
    for position, column in enumerate(schema.nominal):
        codes[position] = random.integers(0, len(column.levels), rows)
    codes[random.random(codes.shape) < gaps] = -1
    classes = random.integers(0, schema.class_count, rows).astype(np.int32)
    return Batch(schema, numeric, codes, classes, random.random(rows) * 2 if is_weighted else None)


def random_design(schema: Schema, degree: int = 1, unused: float = 0.2, seed: int = 0) -> Design:
    """Any centres and scales, a column without spread now and then, indicators and cells left out at random."""
    random = np.random.default_rng(seed)
    width = len(schema.numeric)
    mean, centre = random.normal(3.0, 1.0, (2, width))
    scale = random.uniform(0.5, 2.0, width)
    scale[random.random(width) < unused / 2] = 0.0
    has_missing = random.random(width) < 0.7
    whole = Design(schema, mean, centre, scale, has_missing, degree, np.empty(0, bool))
    is_used = random.random(whole.cell_count) >= unused
    is_used[0] = True
    return Design(schema, mean, centre, scale, has_missing, degree, is_used)


def random_weights(design: Design, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(0.0, 0.5, (design.schema.class_count - 1, design.dimensions))


def cells_of(design: Design, numbers: list[float], levels: list[object]) -> dict[str, float]:
    """Every cell of one row by name: numbers of the numeric columns, levels of the nominal ones (None is missing)."""
    schema, base = design.schema, [("", "intercept", 1.0)]
    for j, column in enumerate(schema.numeric):
        value = design.mean[j] if np.isnan(numbers[j]) else numbers[j]
        scaled = (value - design.centre[j]) / design.scale[j] if design.scale[j] > 0 else 0.0
        base.append((column.name, column.name, scaled))
    for j, column in enumerate(schema.numeric):
        if design.has_missing[j]:
            base.append((column.name, f"{column.name} missing", float(np.isnan(numbers[j]))))
    indicators = []
    for q, column in enumerate(schema.nominal):
        own = [(f"{column.name} missing", float(levels[q] is None))]
        indicators.append(own + [(f"{column.name}={level}", float(levels[q] == level)) for level in column.levels])
    cells = {name: value for _, name, value in base}
    if design.degree == 2:
        for _, name, value in base[1 : 1 + len(schema.numeric)]:
            cells[f"{name}²"] = value**2
        for (column, name, value), (other, second, factor) in combinations(base[1:], 2):
            if column != other:
                cells[f"{name} × {second}"] = value * factor
    for own in indicators:
        cells |= dict(own)
    if design.degree == 2:
        for own in indicators:
            for _, name, value in base[1:]:
                cells |= {f"{name} × {level}": value * is_it for level, is_it in own}
        for own, other in combinations(indicators, 2):
            cells |= {f"{a} × {b}": x * y for a, x in own for b, y in other}
    return cells


def slow_names(design: Design) -> list[str]:
    numbers, levels = [0.0] * len(design.schema.numeric), [None] * len(design.schema.nominal)
    names = list(cells_of(design, numbers, levels))
    return [name for name, is_used in zip(names, design.is_used, strict=True) if is_used]


def slow_rows(design: Design, batch: Batch) -> np.ndarray:
    """The rows in full (row, dimension)."""
    found = np.empty((batch.rows, int(design.is_used.sum())))
    for i in range(batch.rows):
        codes = batch.codes[:, i].tolist()
        levels = [
            None if code < 0 else column.levels[code] for code, column in zip(codes, design.schema.nominal, strict=True)
        ]
        found[i] = np.array(list(cells_of(design, batch.numeric[i].tolist(), levels).values()))[design.is_used]
    return found


def slow_log_likelihood(
    design: Design, batch: Batch, reference: int, weights: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Log-likelihood, gradient and curvature, from the definitions."""
    x, row_weights, count = slow_rows(design, batch), batch.row_weights(), len(weights)
    logs = log_softmax(np.insert(x @ weights.T, reference, 0.0, axis=1), axis=1)
    own = batch.class_codes()
    others = [k for k in range(batch.schema.class_count) if k != reference]
    p = np.exp(logs)[:, others]
    is_own = np.array([[float(own[i] == k) for k in others] for i in range(batch.rows)]).reshape(batch.rows, count)
    gradient = (row_weights[:, None] * (is_own - p)).T @ x
    curvature = np.zeros((count, x.shape[1], count, x.shape[1]))
    for k in range(count):
        for m in range(count):
            part = row_weights * p[:, k] * (float(k == m) - p[:, m])
            curvature[k, :, m, :] = (x * part[:, None]).T @ x
    log_likelihood = float(row_weights @ logs[np.arange(batch.rows), own])
    return log_likelihood, gradient, curvature.reshape(weights.size, weights.size)
