"""The two ways in which the models of a comparison are tried: on folds, or on a test table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.evaluation.comparison.comparison_result import Given
from suffice.evaluation.cross_validation.contestant import Contestant
from suffice.evaluation.cross_validation.folds import Dealing
from suffice.evaluation.cross_validation.held_out_table import HeldOutTable
from suffice.evaluation.cross_validation.results import Result
from suffice.sources import Rows


@dataclass(frozen=True)
class CrossValidating:
    """Models of the rows without each fold say what they think of it."""

    dealing: Dealing
    verb = "cross-validating"

    @property
    def turns(self) -> int:
        """How many times a model is learned from rows."""
        return self.dealing.count

    def tried(self, contestant: Contestant, table: Rows, given: Given) -> tuple[Any, Result]:
        """The model of all rows, and what the models without each fold say of it."""
        trial = contestant.cross_validated(table, self.dealing)
        model = trial.fitted()
        contestant.remember(model, given.table, given.target, table)
        return model, trial.result

    def rows_tested(self, result: Result) -> int:
        """There are no test rows."""
        return 0


@dataclass(frozen=True)
class Testing:
    """A model of all rows says what it thinks of a test table."""

    dealing: Dealing
    test: HeldOutTable
    verb = "testing"
    turns = 1

    def tried(self, contestant: Contestant, table: Rows, given: Given) -> tuple[Any, Result]:
        """The model of all rows, and what it says of the test table."""
        model = contestant.fitted(table, self.dealing.shared_pass)
        contestant.remember(model, given.table, given.target, table)
        return model, contestant.tested(model, table, self.test, self.dealing.seed)

    def rows_tested(self, result: Result) -> int:
        """How many test rows have a target."""
        return len(result.truth)
