"""The engine of this machine: the chunks of a reader, in threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from suffice.machine.threads import in_threads
from suffice.progress import report_rows
from suffice.schema import Chunk
from suffice.sources.reader import CHUNK_ROWS, WHOLE, Reader
from suffice.sources.source import Engine, R
from suffice.statistics.statistic import M


@dataclass(frozen=True)
class Local:
    """Rows in memory, or streamed from files."""

    reader: Reader
    frame_kind: str = "pyarrow"
    chunk_rows: int = CHUNK_ROWS
    is_text: bool = False  # whether every cell is text, so that what it spells decides
    rows: int | None = None  # so many there are, where that is known beforehand

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return self.reader.names

    def map(self, work: Callable[[Chunk], R]) -> Iterator[R]:
        """A function of every chunk, in threads; what it gives comes in order."""
        for rows, result in in_threads(lambda chunk: (chunk.rows, work(chunk)), self.reader.chunks(self.chunk_rows)):
            report_rows(rows)
            yield result

    def reduce(self, work: Callable[[Chunk], M | None]) -> M | None:
        """What the work gives of every chunk, merged in order."""
        return merged(self.map(work) if self.chunk_rows < WHOLE else map(work, self.reader.chunks(WHOLE)))


def merged(parts: Iterable[M | None]) -> M | None:
    """All that is there, merged from the first to the last."""
    total: M | None = None
    for part in parts:
        if part is not None:
            total = part if total is None else total.merge(part)
    return total


def in_chunks(engine: Engine, rows: int = WHOLE) -> Engine:
    """This machine's engine with chunks of so many rows, or as large as they come; any other engine as it is."""
    return replace(engine, chunk_rows=rows) if isinstance(engine, Local) else engine
