"""Columns that are not used: because the user said so, because they hold text, or look like identifiers."""

from __future__ import annotations

from dataclasses import dataclass

from suffice.errors import Message
from suffice.soundness import require_a

DROPPED, TEXT, IDENTIFIER = "dropped", "text", "identifier"
READS_NO_TEXT = "holds text, which only naive Bayes and logistic regression read"
_REASONS = {DROPPED: "was dropped, as asked", TEXT: READS_NO_TEXT}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A column that is not used, and why."""

    name: str
    reason: str | Message
    kind: str = IDENTIFIER

    @classmethod
    def because(cls, kind: str, name: str) -> LeftOut:
        """A column that is left out for a reason that needs no more words."""
        return cls(name, _REASONS[kind], kind)

    def require_sound(self) -> None:
        """What a file may have wrong."""
        require_a("name of a column", self.name, str)
        require_a("reason", self.reason, str)
        if self.kind not in (*_REASONS, IDENTIFIER):
            raise ValueError(f"a column cannot be left out as {self.kind!r:.60}")


def kind_of(reason: object) -> str:
    """The kind of a reason, in files that do not name it."""
    return next((kind for kind, known in _REASONS.items() if known == reason), IDENTIFIER)
