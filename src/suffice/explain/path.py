"""The derivation of one prediction of a tree: the tests on the row's way, and the leaves it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from suffice.explain.missing import is_missing, unseen_columns, unseen_note
from suffice.kernels.tree_routing import branch_of
from suffice.models.factor import fraction
from suffice.models.trees.nodes import ALL_BRANCHES
from suffice.models.trees.numbers import numbers_and_codes
from suffice.models.trees.tree import TreeModel
from suffice.report.html import html_derivation
from suffice.report.text import text_derivation, text_table
from suffice.schema import Array, Batch, Level, Nominal, Numeric
from suffice.schema.columns import PLAIN_NUMBERS, number_text
from suffice.shown import ShownAsText
from suffice.statistics.moments.column_moments import require_no_infinity
from suffice.statistics.ties import first_of_equals

ROOT = "all training rows"
INDENT = "|   "
FORK = "if "  # a branch that only part of the row takes


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A node the row comes to: the condition that led there, the share of the row that came, and the training rows."""

    node: int
    condition: str  # `Outlook = Sunny`, `age = 37 <= 40`; `if Outlook = Sunny` where a missing value takes every branch
    forks: int  # how many tests above sent the row down every branch
    share: float  # of the row
    statistic: Array  # (class,) the weight of the training rows; or their weight, mean and standard deviation
    source: Array  # likewise, of the node whose rows give the answer: an empty branch answers as the node above
    answer: Array | None  # in a leaf: (class,) probabilities, or (1,) the number

    @property
    def is_leaf(self) -> bool:
        """Whether the way ends here."""
        return self.answer is not None

    def as_dict(self, has_classes: bool) -> dict[str, Any]:
        """The node, and its training rows: how many of each class; or how many, their mean and deviation."""
        names = ("rows", "mean", "standard_deviation")
        rows = {"rows": self.statistic} if has_classes else dict(zip(names, self.statistic, strict=True))
        return {
            "node": self.node,
            "condition": self.condition,
            "share": self.share,
            **rows,
            "answer": self.answer,  # in a leaf: the probabilities, or the number
        }


@dataclass(frozen=True, eq=False, repr=False)
class PathExplanation(ShownAsText):
    """Why a tree predicts what it predicts: the row's way from the root, and Σ share · answer over its leaves."""

    target: str
    classes: tuple[Level, ...]  # none where the target is a number
    steps: tuple[Step, ...]  # in the order of the tree, a branch's own steps after it
    answer: Array  # (class,) or (1,)
    notes: tuple[str, ...] = ()
    numbers: Numeric = PLAIN_NUMBERS  # what the target's numbers are, where it has no classes
    leaf_smoothing: float = 0.0  # rows, spread evenly over the classes, that join a leaf's own

    labels: ClassVar[int] = 1  # columns of the text that name a line: the condition

    @property
    def leaves(self) -> tuple[Step, ...]:
        """The steps that end the way; their shares add up to 1."""
        return tuple(step for step in self.steps if step.is_leaf)

    @property
    def posterior(self) -> Array:
        """P(class | row)."""
        if not self.classes:
            raise TypeError(f"the target {self.target!r} is a number, it has no classes; see `value`")
        return self.answer

    @property
    def value(self) -> float:
        """The number that is predicted."""
        if self.classes:
            raise TypeError(f"the target {self.target!r} has classes; see `posterior`")
        return float(self.answer[0])

    @property
    def prediction(self) -> Level:
        """The class with the largest posterior, the first of equals; or the number.

        Of a single leaf it is that of its rows as counted, which smoothing makes hard to tell where they weigh nothing
        beside it.
        """
        if not self.classes:
            return self.value
        counted = self.leaves[0].source
        shares = self.answer if len(self.leaves) > 1 else counted / counted.sum()
        return self.classes[int(first_of_equals(shares[None])[0])]

    # As a table -------------------------------------------------------------------------------------------------

    @property
    def _has_shares(self) -> bool:
        return any(step.forks for step in self.steps)

    @property
    def _heading(self) -> list[str]:
        columns = [str(label) for label in self.classes] if self.classes else ["rows", "mean", "sd"]
        return ["", *(["share"] if self._has_shares else []), *columns]

    def rows(self) -> list[list[str]]:
        """The derivation as rows of a table."""
        return [*map(self._row, self.steps), self._last_row()]

    def _row(self, step: Step) -> list[str]:
        share = [f"{step.share:.4f}"] if self._has_shares else []
        return [INDENT * step.forks + step.condition, *share, *self._cells(step)]

    def _cells(self, step: Step) -> list[str]:
        statistic = step.source if step.is_leaf else step.statistic
        if not self.classes:
            weight, mean, deviation = statistic.tolist()
            return [number_text(weight), self.numbers.shown(mean), self.numbers.shown_spread(deviation)]
        if not step.is_leaf:
            return [number_text(weight) for weight in statistic]
        total, added = float(step.source.sum()), self.leaf_smoothing
        if not added:
            return [fraction(weight, total) for weight in step.source]
        below = f"({number_text(total)}+{number_text(added)})"
        return [f"({number_text(weight)}+{number_text(added / len(self.classes))})/{below}" for weight in step.source]

    def _last_row(self) -> list[str]:
        share = [""] if self._has_shares else []
        if self.classes:
            return ["posterior", *share, *(f"{value:.4f}" for value in self.answer)]
        return ["prediction", *share, "", self.numbers.shown(self.value), ""]

    def _verdict(self) -> str:
        return str(self.prediction) if self.classes else self.numbers.shown(self.value)

    def as_dict(self) -> dict[str, Any]:
        """All that is said, in names, numbers and arrays."""
        of_classes = {"classes": self.classes, "posterior": self.answer} if self.classes else {}
        return {
            "prediction": self.prediction,
            **of_classes,
            "steps": [step.as_dict(bool(self.classes)) for step in self.steps],
            "notes": self.notes,
        }

    def __str__(self) -> str:
        """The derivation as text."""
        table = text_table(self._heading, self.rows(), lines_before=(len(self.steps),))
        return text_derivation(table, (), self._verdict(), self.notes)

    def _repr_html_(self) -> str:
        """The derivation as a table for notebooks."""
        return html_derivation(self._heading, self.rows(), self._verdict(), self.notes)


def explain_path(model: TreeModel, batch: Batch) -> PathExplanation:
    """Derive the prediction for the first row of a batch."""
    row = batch.take(np.arange(1))
    require_no_infinity(row)
    steps = tuple(_steps(model, row))
    answer = np.zeros(model.answers.shape[1])
    for step in steps:
        if step.answer is not None:
            answer += step.share * step.answer
    target = model.schema.target
    notes = tuple(_notes(model, row, steps))
    return PathExplanation(target.name, model.schema.classes, steps, answer, notes, model.numbers, model.smoothing)


# The way through the tree -------------------------------------------------------------------------------------------


def _steps(model: TreeModel, row: Batch) -> Iterator[Step]:
    """Every node the row comes to, each branch with all that is below it before the next."""
    unseen = frozenset(unseen_columns(row))
    waiting = [(0, ROOT, 0, 1.0)]
    while waiting:
        node, condition, forks, share = waiting.pop()
        yield _step(model, node, condition, forks, share)
        if model.nodes.is_leaf[node]:
            continue
        branch = branch_of(model.routes, node, *numbers_and_codes(row), 0)
        children = model.nodes.children(node)
        below = forks + 1 if condition.startswith(FORK) else forks
        if branch >= 0:
            waiting.append((children[branch], _condition(model, node, branch, row, unseen), below, share))
            continue
        for place in reversed(range(len(children))):
            part = float(model.routes.share[children[place]])
            if part > 0.0:
                waiting.append((children[place], FORK + str(model.condition(node, place)), below + 1, share * part))


def _step(model: TreeModel, node: int, condition: str, forks: int, share: float) -> Step:
    answer = model.answers[node] if model.nodes.is_leaf[node] else None
    source = _statistic(model, int(model.source[node]))
    return Step(node, condition, forks, share, _statistic(model, node), source, answer)


def _statistic(model: TreeModel, node: int) -> Array:
    statistic: Array = model.nodes.statistic[node]
    return statistic if model.classifies else np.array([statistic[0], statistic[1], model.deviation[node]])


def _condition(model: TreeModel, node: int, branch: int, row: Batch, unseen: frozenset[str]) -> str:
    """The condition that held, with the row's own value."""
    column, condition = model.tested(node), str(model.condition(node, branch))
    asks_for_missing = _asks_for_missing(model, node)
    if is_missing(row, column.name):
        word = "new" if column.name in unseen else "missing"
        return f"{column.name} is {word}" if asks_for_missing else f"{column.name} {word}, as if {condition}"
    if isinstance(column, Nominal):
        levels = model.branch_levels(node, branch)
        value = column.levels[int(row.level_codes(column.name)[0])]
        return condition if len(levels) == 1 else f"{column.name} = {value}{condition.removeprefix(column.name)}"
    assert isinstance(column, Numeric)
    value = float(row.numbers(column.name)[0])
    if asks_for_missing:
        return f"{column.name} = {column.shown(value)}, {condition}"
    text, threshold = _told_apart(column, value, float(model.nodes.threshold[node]))
    return f"{column.name} = {text} {'<=' if branch == 0 else '>'} {threshold}"


def _asks_for_missing(model: TreeModel, node: int) -> bool:
    """Whether a test parts the missing values from all that are known."""
    if not isinstance(model.tested(node), Nominal):
        return bool(np.isinf(model.nodes.threshold[node]))
    has_subsets = bool(model.nodes.subset[node] >= 0)
    return has_subsets and not all(model.branch_levels(node, branch) for branch in range(2))


def _told_apart(column: Numeric, value: float, threshold: float) -> tuple[str, str]:
    """Two numbers as people write them, or in full where they would read as one.

    >>> _told_apart(Numeric("age"), 37.0, 40.5), _told_apart(Numeric("age"), 0.12345671, 0.1234567)
    (('37', '40.5'), ('0.12345671', '0.1234567'))
    """
    texts = column.shown(value), column.shown(threshold)
    return texts if texts[0] != texts[1] or value == threshold else (repr(value), repr(threshold))


def _notes(model: TreeModel, row: Batch, steps: tuple[Step, ...]) -> Iterator[str]:
    unseen = unseen_columns(row)
    inner = [step.node for step in steps if not step.is_leaf and not _asks_for_missing(model, step.node)]
    asked = [node for node in inner if is_missing(row, model.tested(node).name)]
    missing = [node for node in asked if model.tested(node).name not in unseen]
    everywhere = [model.tested(node).name for node in missing if model.nodes.missing_branch[node] == ALL_BRANCHES]
    elsewhere = [model.tested(node).name for node in missing if model.nodes.missing_branch[node] != ALL_BRANCHES]
    if everywhere:
        yield f"missing, so in every branch by its share of the training rows: {', '.join(dict.fromkeys(everywhere))}"
    if elsewhere:
        yield f"missing, so in the branch that missing values take: {', '.join(dict.fromkeys(elsewhere))}"
    if unseen:
        yield unseen_note(unseen)
    if any(step.is_leaf and model.weight[step.node] <= 0 for step in steps):
        yield "no training row came to this leaf; it answers as the node above it"
