"""The memory a tree may take while it grows, and what fits into it."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.machine.memory import NUMBER
from suffice.schema import Schema

SORTED = 3 * (NUMBER + NUMBER // 2)  # bytes of a cell while nodes are divided: value and place, before and after
HISTOGRAMS = 8  # that are there at once: of batches under way, their sum, and the rows that stand for codes
PIECE = 1 << 20  # numbers of histograms that are searched at once


@dataclass(frozen=True)
class Budget:
    """How much is kept at once."""

    memory: int  # bytes

    def rows_at_once(self, schema: Schema) -> int:
        """Rows from which a tree is grown in memory."""
        return self.memory // (encoded_bytes(schema) + SORTED * len(schema.columns))

    def rows_gathered(self, schema: Schema) -> int:
        """Rows that are gathered in one pass: they are copied once when they are put together."""
        return max(1, self.memory // 2 // (2 * encoded_bytes(schema)))

    def rows_finished(self, schema: Schema) -> int:
        """Rows of a node that is finished in memory."""
        return max(1, min(self.rows_at_once(schema) // 2, self.rows_gathered(schema)))

    def nodes_counted(self, numbers: int) -> int:
        """Open nodes that are counted in one pass, with so many numbers in each one's histograms."""
        return max(1, self.memory // (HISTOGRAMS * NUMBER * numbers))


def encoded_bytes(schema: Schema) -> int:
    """What a row takes: its numbers, codes, outcome, weight and node."""
    return NUMBER * len(schema.numeric) + NUMBER // 2 * len(schema.nominal) + 3 * NUMBER
