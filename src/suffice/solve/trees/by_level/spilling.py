"""Spilling to disk: rows gathered in one pass, kept in temporary files in groups, and read back a group at a time."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import IO

import numpy as np

from suffice.errors import TableError
from suffice.schema import AnyArray, Batch, Codes, joined

USED = 0.8  # of the free space
MOST_FILES = 200  # open at once: systems allow a few hundred


def by_group(batch: Batch, place: Codes, group: AnyArray) -> list[tuple[int, tuple[Batch, Codes]]]:
    """Rows with the places of their nodes, dealt out to the groups (open node,) that the nodes are in."""
    own = group[place]
    mine = ((number, np.flatnonzero(own == number)) for number in np.unique(own).tolist())
    return [(number, (batch.take(rows), place[rows])) for number, rows in mine]


class Spill:
    """A file for every group of open nodes. Inside a `with` block; afterwards the files are gone."""

    def __init__(self, group: AnyArray) -> None:
        self._group = group  # (open node,) rising from 0
        self._parts = [0] * (int(group[-1]) + 1)  # (group,) how many were written
        self._files: list[IO[bytes]] = []
        self._open = ExitStack()

    def __enter__(self) -> Spill:
        with _telling():
            for _ in self._parts:
                self._files.append(self._open.enter_context(tempfile.TemporaryFile()))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def add(self, batch: Batch, place: Codes) -> None:
        """Spill rows, each with the place of its node; they stay in order."""
        for group, (part, own) in by_group(batch, place, self._group):
            outcome = part.responses() if part.classes is None else part.classes
            weights = part.given_weights()
            with _telling():
                for array in (own, part.numeric, part.codes, outcome, weights):
                    np.save(self._files[group], np.ascontiguousarray(array), allow_pickle=False)
            self._parts[group] += 1

    def groups(self, form: Batch) -> Iterator[tuple[Batch, Codes]]:
        """The rows of one group after the other, and the places of their nodes; `form` is any batch of such rows."""
        for file, parts in zip(self._files, self._parts, strict=True):
            if parts:
                with _telling():
                    file.seek(0)
                    found = [_read(file, form) for _ in range(parts)]
                    file.close()  # which frees its space
                yield joined_rows(found)


def joined_rows(parts: Sequence[tuple[Batch, Codes]]) -> tuple[Batch, Codes]:
    """Rows with the places of their nodes, at least one part of them, put together."""
    batches, places = zip(*parts, strict=True)
    return joined(batches), np.concatenate(places)


def bytes_for_rows() -> int:
    """How much may be spilled."""
    return int(USED * shutil.disk_usage(tempfile.gettempdir()).free)


def _read(file: IO[bytes], form: Batch) -> tuple[Batch, Codes]:
    place, numeric, codes, outcome, weights = (np.load(file, allow_pickle=False) for _ in range(5))
    of_target = {"response": outcome} if form.classes is None else {"classes": outcome}
    return replace(form, numeric=numeric, codes=codes, weights=weights if len(weights) else None, **of_target), place


@contextmanager
def _telling() -> Iterator[None]:
    """A full disk, or a folder that cannot be written to, is nothing that the rows can help."""
    try:
        yield
    except OSError as error:
        raise TableError(
            f"Rows of the tree's small nodes could not be put aside in {tempfile.gettempdir()}: "
            f"{error.strerror or error}. Make room there, name another folder in TMPDIR, or give the tree more memory."
        ) from error
