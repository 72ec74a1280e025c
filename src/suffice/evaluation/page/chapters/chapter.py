"""What a chapter holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Words:
    """What a model assumes: its formula, and how to read it."""

    formula: str
    says: str


@dataclass(frozen=True)
class Chapter:
    """One model. The `body` has the name of its template as `template`; there is none for models of other libraries."""

    name: str
    title: str
    words: Words
    body: Any = None
    parameters: str = ""  # how many there are
    without_evidence: tuple[str, ...] = ()
    settings: str = ""
    text: str = ""
