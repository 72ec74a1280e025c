"""Files that must stay as they are: a table is read several times, and every pass must see the same rows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from suffice.errors import TableError

State = tuple[int, int, int]


@dataclass(frozen=True)
class Unchanged:
    """What files were like when they were opened."""

    states: tuple[tuple[str, State], ...]

    @classmethod
    def since_now(cls, files: Iterable[str]) -> Unchanged:
        """The files as they are now."""
        return cls(tuple((name, _state(name)) for name in files))

    def require(self) -> None:
        """The files must be what they were."""
        for name, state in self.states:
            if _state(name) != state:
                raise TableError(f"{name} cannot be read: it was changed meanwhile. Start again once it is complete.")


def _state(path: str) -> State:
    try:
        found = os.stat(path)
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}. Check that it is there and stays there.") from error
    return found.st_ino, found.st_size, found.st_mtime_ns
