"""Random tables that try C4.5's small print: ties, gaps of a hundred-thousandth, missing values, empty levels."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from pathlib import Path

import numpy as np

from suffice.schema import AnyArray, Array

HARDLY = 1e-5  # the gap a cut needs


@dataclass(frozen=True)
class Column:
    """Numbers, or codes of levels; not a number where missing."""

    cells: Array
    levels: tuple[str, ...] = ()

    def texts(self) -> list[str]:
        """Every cell as an ARFF file has it."""
        cells = self.cells.astype(float).tolist()
        shown = (lambda cell: self.levels[int(cell)]) if self.levels else repr
        return ["?" if isnan(cell) else shown(cell) for cell in cells]


@dataclass(frozen=True)
class RandomTable:
    """Columns, classes and perhaps weights; every table has two classes with rows at least."""

    columns: tuple[Column, ...]
    target: AnyArray
    classes: tuple[str, ...]
    weights: Array | None

    def write(self, path: Path) -> Path:
        """Save it as an ARFF file with the columns c0, c1, … and the target y."""
        lines = ["@relation random"]
        for position, column in enumerate(self.columns):
            kind = f"{{{','.join(column.levels)}}}" if column.levels else "numeric"
            lines.append(f"@attribute c{position} {kind}")
        classes = [f"'{label}'" for label in self.classes]
        lines += [f"@attribute y {{{','.join(classes)}}}", "@data"]
        cells = [*(column.texts() for column in self.columns), [classes[label] for label in self.target.tolist()]]
        if self.weights is not None:
            cells.append([f"{{{weight!r}}}" for weight in self.weights.astype(float).tolist()])
        lines += map(",".join, zip(*cells, strict=True))
        path.write_text("\n".join(lines) + "\n")
        return path


def random_table(seed: int) -> RandomTable:
    """One table; the same for the same seed."""
    random = np.random.default_rng(seed)
    rows = int(random.choice([5, 12, 20, 35, 60, 60, 100, 100, 200, 200, 400]))
    weights = random.choice([0.5, 0.75, 1.0], rows) if rows >= 60 and random.random() < 0.15 else None
    columns = tuple(_column(random, rows, weights is not None) for _ in range(random.integers(1, 9)))
    class_count = int(random.choice([2, 2, 3, 4, 6]))
    target = _target(random, rows, columns, class_count)
    declared = class_count + int(random.choice([0, 0, 0, 1, 3]))
    place = np.sort(random.choice(declared, class_count, replace=False))
    return RandomTable(columns, place[target], tuple(f"k{k}" for k in range(declared)), weights)


def _column(random: np.random.Generator, rows: int, is_weighted: bool) -> Column:
    is_missing = random.random(rows) < random.choice([0, 0, 0, 0.05, 0.2, 0.5, 0.9])
    if random.random() < 0.45:
        most = 4 if is_weighted else int(random.choice([2, 3, 5, max(2, round(0.3 * rows)), max(3, rows // 2)]))
        count = int(random.integers(1, most + 1))
        idle = int(random.choice([0, 0, 1, 2])) if not is_weighted else 0
        order = random.permutation(count + idle)
        cells = order[random.integers(0, count, rows)].astype(float)
        cells[is_missing] = np.nan
        return Column(cells, tuple(f"v{k}" for k in range(count + idle)))
    cells = _numbers(random, rows)
    cells[is_missing] = np.nan
    return Column(cells)


def _numbers(random: np.random.Generator, rows: int) -> Array:
    kind = random.integers(0, 9)
    steps = random.integers(0, int(random.choice([2, 4, 10, 40])), rows).astype(float)
    if kind == 0:
        return steps
    if kind == 1:
        return np.asarray(random.normal(size=rows))
    if kind == 2:
        return np.asarray(np.round(random.normal(size=rows), 1))
    if kind == 3:
        return -steps / 10
    if kind == 4:  # neighbours about as far apart as a cut needs, give or take the last digit
        return random.choice([0.0, 1.0, 1.5, -3.0, 100.0]) + steps * HARDLY
    if kind == 5:
        return np.asarray(np.round(steps * random.choice([3e-6, 7e-6, 1e-5, 1.3e-5]), 6))
    if kind == 6:  # many neighbours too close to be parted, and some that are not
        return steps + random.integers(0, 3, rows) * HARDLY / 2
    if kind == 7:
        return (steps - 5) * 10.0 ** random.integers(2, 12)
    return np.asarray(random.choice(np.round(random.normal(size=5), 2), rows))


def _target(random: np.random.Generator, rows: int, columns: tuple[Column, ...], class_count: int) -> AnyArray:
    """Classes that a tree of some of the columns tells, but for noise; the first rows have two of them."""
    target = np.zeros(rows, dtype=np.int64)
    waiting = [(np.arange(rows), 0)]
    while waiting:
        inside, depth = waiting.pop()
        pair = [columns[place] for place in random.integers(len(columns), size=2)]
        column = min(pair, key=lambda one: int(np.isnan(one.cells).sum()))
        known = inside[~np.isnan(column.cells[inside])]
        if depth == 5 or len(known) < 4 or random.random() < 0.1 * depth:
            target[inside] = random.integers(class_count)
            continue
        limit = np.median(column.cells[random.choice(known, 3)])
        filled = random.choice(column.cells[known], len(inside))
        cells = np.where(np.isnan(column.cells[inside]), filled, column.cells[inside])
        is_left = cells <= limit
        waiting += [(inside[is_left], depth + 1), (inside[~is_left], depth + 1)]
    is_noise = random.random(rows) < random.choice([0.0, 0.0, 0.05, 0.15, 0.3])
    target[is_noise] = random.integers(0, class_count, np.count_nonzero(is_noise))
    target[:2] = [0, 1]
    return target
