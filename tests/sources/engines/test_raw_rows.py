"""Raw rows: an engine that anybody has written is asked for no more than the protocol; who can do more says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

import pyarrow as pa

import suffice as sf
from suffice.schema import Chunk
from suffice.sources import open_reader, read_table
from suffice.sources.engines.elsewhere import engine_of
from suffice.sources.engines.raw_rows import GivenEngine, RawRows
from suffice.statistics.statistic import both

TABLE = pa.table({"x": [float(k % 7) for k in range(40)], "y": ["a", "b"] * 20})


class Plain:
    """As little as an engine can be: four chunks of rows."""

    names = ("x", "y")
    frame_kind = "pandas"

    def __init__(self) -> None:
        self.passes = 0

    def map(self, work: Callable[[Chunk], Any]) -> Iterator[Any]:
        """One pass."""
        self.passes += 1
        return map(work, open_reader(TABLE).chunks(10))

    def reduce(self, work: Callable[[Chunk], Any]) -> Any:
        """One pass, merged."""
        nothing: Any = None
        return reduce(both, self.map(work), nothing)


class Quick(Plain, RawRows):
    """One that looks at its first rows without a pass."""

    is_streamed = True

    def first(self, work: Callable[[Chunk], Any]) -> Any:
        """No pass."""
        return work(next(open_reader(TABLE).chunks(10)))


def test_an_engine_that_anybody_wrote_answers_by_passes() -> None:
    plain = Plain()
    rows = engine_of(plain)
    assert isinstance(rows, GivenEngine)
    assert (rows.names, rows.frame_kind, rows.rows) == (("x", "y"), "pandas", None)
    assert (rows.is_here, rows.is_text, rows.is_streamed) == (False, False, False)
    assert rows.only(["x"]) is rows.in_chunks(5) is rows.begun(["x"]) is rows.read_through(open_reader) is rows
    assert rows.kept(lambda chunk: chunk) is None
    assert rows.first(lambda chunk: chunk.rows) == 10
    assert plain.passes == 1
    counting, counted = rows.counting()
    assert (counting, counted.rows_read, plain.passes) == (rows, 40, 2)


def test_what_more_an_engine_can_do_is_asked_of_it() -> None:
    plain, quick = Plain(), Quick()
    assert engine_of(quick) is quick
    here = sf.NaiveBayes().fit(TABLE, "y").describe()
    assert sf.NaiveBayes().fit(plain, "y").describe() == sf.NaiveBayes().fit(quick, "y").describe() == here
    assert (plain.passes, quick.passes) == (2, 1)  # what to measure shows in the first rows
    assert read_table(plain, "y").is_here is read_table(quick, "y").is_framed is False
