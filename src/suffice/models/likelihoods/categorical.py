"""Categorical and Bernoulli likelihoods: tables of fractions, one per nominal column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from suffice.kernels.levels import add_levels
from suffice.models.factor import Factor, fractions
from suffice.models.fractions import Fractions
from suffice.models.generative import Drawn
from suffice.models.likelihoods.likelihood import NO_BLOCKS, constant
from suffice.schema import Array, Batch, Codes, Nominal, Schema
from suffice.soundness import require_a, require_tuple


@dataclass(frozen=True, slots=True)
class CategoricalTerms:
    """What the kernel needs of one model's tables, or of several models': a block of classes for each."""

    offsets: Codes  # (nominal column,): where its levels begin
    table: Array  # (level of every column in turn, class of every block in turn)

    @classmethod
    def of(cls, parts: Sequence[Categorical]) -> CategoricalTerms:
        """The tables side by side."""
        table = np.concatenate([part.log_table for part in parts], axis=1)
        return cls(np.asarray(parts[0].schema.level_offsets, dtype=np.int32), table)

    def add(self, batch: Batch, total: Array, block: Codes = NO_BLOCKS) -> None:
        """Look up every level."""
        add_levels(np.ascontiguousarray(batch.codes), block, self.offsets, self.table, total)


@dataclass(frozen=True)
class Categorical:
    """P(level | class) of every nominal column. Bernoulli is the case of two levels."""

    schema: Schema
    tables: tuple[Fractions, ...]  # one per nominal column
    varies: tuple[bool, ...]

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("schema", self.schema, Schema)
        require_tuple("tables of fractions", self.tables, Fractions, len(self.schema.nominal))
        require_tuple("columns that vary", self.varies, bool, len(self.schema.nominal))
        for column, table, varies in zip(self.schema.nominal, self.tables, self.varies, strict=True):
            table.require_size(len(column.levels), self.schema.class_count)
            if varies and not table.numerator.any(axis=0).all():
                raise ValueError("a table of fractions has a class without any")

    @property
    def columns(self) -> tuple[str, ...]:
        """The nominal columns."""
        return tuple(column.name for column in self.schema.nominal)

    @property
    def silent(self) -> tuple[str, ...]:
        """Columns in which only one level occurs."""
        return constant(self.columns, self.varies)

    @property
    def parameter_count(self) -> int:
        """One number per level and class."""
        return sum(table.numerator.size for table, varies in zip(self.tables, self.varies, strict=True) if varies)

    @cached_property
    def log_table(self) -> Array:
        """ln P(level | class), all columns stacked; zero for columns without evidence."""
        with np.errstate(divide="ignore"):
            parts = [
                np.log(table.probability) if varies else np.zeros_like(table.numerator)
                for table, varies in zip(self.tables, self.varies, strict=True)
            ]
        return np.concatenate([np.zeros((0, self.schema.class_count)), *parts])

    @cached_property
    def _terms(self) -> CategoricalTerms:
        return CategoricalTerms.of([self])

    def add_log_likelihood(self, batch: Batch, total: Array) -> None:
        """Look up every level."""
        self._terms.add(batch, total)

    def factors(self, batch: Batch) -> list[Factor]:
        """The fraction of each known level."""
        rows = zip(self.schema.nominal, self.tables, self.varies, batch.codes[:, 0], strict=True)
        return [self._factor(column, table, int(code)) for column, table, varies, code in rows if varies and code >= 0]

    def _factor(self, column: Nominal, table: Fractions, code: int) -> Factor:
        with np.errstate(divide="ignore"):
            log = np.log(table.probability[code])
        return Factor(column.name, str(column.levels[code]), log, fractions(table.numerator[code], table.denominator))

    def draw(self, drawn: Drawn, random: np.random.Generator) -> None:
        """Draw a level of every column."""
        for position, table in enumerate(self.tables):
            if len(table.numerator):
                drawn.codes[position] = table.draw(drawn.classes, random)
