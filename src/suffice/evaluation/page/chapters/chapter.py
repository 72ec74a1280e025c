"""What a chapter holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from suffice.shown import whole_number


@dataclass(frozen=True)
class Words:
    """What a model assumes: its formula, and how to read it."""

    formula: str
    says: str


@dataclass(frozen=True)
class Numbers:
    """What is said of every model."""

    parameters: str
    without_evidence: tuple[str, ...]

    @classmethod
    def of(cls, model: Any, rows: int) -> Numbers:
        """Of a fitted model."""
        return cls(whole_number(model.parameter_count), tuple(model.without_evidence))


@dataclass(frozen=True)
class Chapter:
    """One model. The `body` has the name of its template as `template`; there is none for models of other libraries."""

    name: str
    title: str
    words: Words
    body: Any = None
    numbers: Numbers | None = None
    settings: str = ""
    text: str = ""
