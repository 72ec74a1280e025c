"""The rules of a tree as a user holds them: they predict a table, and show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from suffice.estimators.classifier import label_array
from suffice.models.trees.rules import RuleList
from suffice.report.html import html_table
from suffice.schema import AnyArray, Level
from suffice.sources import Reading, read_as, spellings


@dataclass(frozen=True, repr=False)
class Rules(RuleList):
    """A list of rules that reads tables itself."""

    @classmethod
    def of(cls, rules: RuleList) -> Rules:
        """The same rules."""
        return cls(rules.schema, rules.rules, rules.default)

    def predict(self, table: Any, missing_values: Sequence[Level] = ()) -> AnyArray:
        """The class, or the number, the rules give every row of a table; at most conditions × rows steps.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> sf.id3().fit(tennis, "PlayTennis").rules().predict(tennis)[:3].tolist()
        ['No', 'No', 'Yes']
        """
        source = read_as(self.schema, table, reading=Reading(missing_values=spellings(missing_values)))
        answers = np.concatenate([np.empty(0, dtype=np.int32), *source.map(self.answers)])
        if not self.predicts_classes:
            return answers
        return np.take(label_array(self.schema.classes), answers)

    def _repr_html_(self) -> str:
        """The rules as a table for notebooks."""
        rows = [[rule.premise or "always", rule.answer_text, rule.quality] for rule in self.rules]
        rows.append(["otherwise", self.default_text, ""])
        return html_table(["if", "then", ""], rows, "text-align:left")
