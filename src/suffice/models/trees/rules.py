"""If-then rules: a tree read as one rule per leaf, and lists of rules that predict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from suffice.errors import SettingError
from suffice.models.trees.conditions import Condition, both, cells_of
from suffice.models.trees.tree import TreeModel
from suffice.schema import AnyArray, Batch, Level, Nominal, Numeric, Schema, class_position
from suffice.schema.columns import PLAIN_NUMBERS
from suffice.shown import ShownAsText, percent, shown


@dataclass(frozen=True, slots=True)
class Rule:
    """If all conditions hold, the answer: a class, or a number.

    >>> wind = Nominal("Wind", ("Strong", "Weak"))
    >>> from suffice.models.trees.conditions import Levels
    >>> print(Rule((Levels(wind, (1,)),), "Yes", 8.0, 2.0))
    IF Wind = Weak THEN Yes  (8.0 rows, 75 %)
    """

    conditions: tuple[Condition, ...]  # at most one per column
    answer: Level
    covered: float  # the weight of the training rows that fulfil the conditions
    errors: float = np.nan  # the weight of those of another class; not a number where the answer is one
    deviation: float = np.nan  # the standard deviation of their numbers; not a number where the answer is a class
    target: Numeric = PLAIN_NUMBERS  # what the numbers are

    @property
    def confidence(self) -> float:
        """The share of the covered rows that have the rule's class; not a number where the answer is one."""
        return (self.covered - self.errors) / self.covered if self.covered > 0 else np.nan

    @property
    def premise(self) -> str:
        """The conditions as text."""
        return " AND ".join(map(shown, self.conditions))

    @property
    def quality(self) -> str:
        """How many training rows it covers, and how well."""
        spread = f"sd {self.target.shown_spread(self.deviation)}"
        return f"{self.covered:.1f} rows, {percent(self.confidence) if np.isnan(self.deviation) else spread}"

    @property
    def answer_text(self) -> str:
        """The class or the number, as it reads."""
        return shown(self.answer) if np.isnan(self.deviation) else self.target.shown(float(self.answer))

    def __str__(self) -> str:
        start = f"IF {self.premise} THEN" if self.conditions else "ALWAYS"
        return f"{start} {self.answer_text}  ({self.quality})"


@dataclass(frozen=True, repr=False)
class RuleList(ShownAsText):
    """Rules in the order they are tried: the first whose conditions hold answers, the default where none does."""

    schema: Schema
    rules: tuple[Rule, ...]
    default: Level

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, position: int) -> Rule:
        return self.rules[position]

    @property
    def predicts_classes(self) -> bool:
        """Whether the answers are classes, not numbers."""
        return isinstance(self.schema.target, Nominal)

    def answers(self, batch: Batch) -> AnyArray:
        """The answer for every row: the code of a class, or a number."""
        codes = {label: code for code, label in enumerate(self.schema.classes)}
        as_number = codes.__getitem__ if self.predicts_classes else float
        answers = np.full(batch.rows, as_number(self.default), dtype=np.int32 if self.predicts_classes else np.float64)
        is_left = np.ones(batch.rows, dtype=np.bool_)
        for rule, rows in zip(self.rules, self._fulfilled(batch), strict=True):
            taken = rows[is_left[rows]]
            answers[taken] = as_number(rule.answer)
            is_left[taken] = False
        return answers

    def _fulfilled(self, batch: Batch) -> Iterator[AnyArray]:
        """For each rule the rows that fulfil it. A rule that begins as the one before begins with its rows."""
        columns = {condition.column.name: condition.column for rule in self.rules for condition in rule.conditions}
        cells = {name: cells_of(batch, column) for name, column in columns.items()}
        found = [np.arange(batch.rows)]  # and the rows that fulfil the first condition, the first two, ...
        before: tuple[Condition, ...] = ()
        for rule in self.rules:
            shared = _shared(before, rule.conditions)
            del found[shared + 1 :]
            for condition in rule.conditions[shared:]:
                rows = found[-1]
                found.append(rows[condition.holds(cells[condition.column.name][rows])])
            before = rule.conditions
            yield found[-1]

    def formula(self, label: Level) -> str:
        """When a class is predicted, as a disjunction of conjunctions: `(Sunny ∧ Normal) ∨ Overcast`, with the names.

        In a list where rules overlap, that is when some rule of the class fires; one before it may have fired first.
        """
        if not self.predicts_classes:
            raise SettingError(f"The target {self.schema.target.name!r} is a number; only classes have a formula.")
        known = self.schema.classes[class_position(label, self.schema.classes)]
        chosen = [_conjunction(rule) for rule in self.rules if rule.answer == known]
        return " ∨ ".join(chosen) if chosen else "false"

    @property
    def default_text(self) -> str:
        """The default as it reads."""
        target = self.schema.target
        return target.shown(float(self.default)) if isinstance(target, Numeric) else shown(self.default)

    def __str__(self) -> str:
        """The rules as text, and the default."""
        return "\n".join([*map(str, self.rules), f"OTHERWISE {self.default_text}"])


def path_rules(model: TreeModel) -> RuleList:
    """One rule per leaf that has training rows, in the order of the tree: the tests on the way to it.

    Tests of the same column become one condition. A row with a missing value at a test fulfils neither side, and a
    row that comes to an empty leaf fulfils no rule: both get the default, the root's answer.
    """
    rules: list[Rule] = []
    waiting: list[tuple[int, dict[str, Condition]]] = [(0, {})]
    while waiting:
        node, conditions = waiting.pop()
        if model.nodes.is_leaf[node]:
            if model.weight[node] > 0:
                rules.append(_rule(model, node, tuple(conditions.values())))
            continue
        for branch, child in reversed(list(enumerate(model.nodes.children(node)))):
            test = model.condition(node, branch)
            name = test.column.name
            narrowed = both(conditions[name], test) if name in conditions else test
            waiting.append((child, {**conditions, name: narrowed}))
    return RuleList(model.schema, tuple(rules), model.predicted(0))


def _rule(model: TreeModel, leaf: int, conditions: tuple[Condition, ...]) -> Rule:
    quality = float(model.weight[leaf]), float(model.errors[leaf]), float(model.deviation[leaf])
    return Rule(conditions, model.predicted(leaf), *quality, model.numbers)


def _shared(first: tuple[Condition, ...], second: tuple[Condition, ...]) -> int:
    """How many conditions two rules begin with alike."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((position for position, (one, other) in pairs if one != other), min(len(first), len(second)))


def _conjunction(rule: Rule) -> str:
    texts = [shown(condition) for condition in rule.conditions]
    return f"({' ∧ '.join(texts)})" if len(texts) > 1 else "".join(texts) or "true"
