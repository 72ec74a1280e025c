"""Sources of anybody's as rows."""

from __future__ import annotations

import pytest
from batches import Batches

import suffice as sf
from suffice.schema import Batch
from suffice.sources import Rows, read_table
from suffice.sources.given_source import as_rows
from suffice.sources.keeping.in_memory import InMemory


@pytest.fixture
def batch() -> Batch:
    [batch] = read_table(sf.datasets.load("play_tennis"), "PlayTennis").batches()
    return batch


def test_a_source_of_anybody_gets_all_that_is_asked_of_rows(batch: Batch) -> None:
    rows = as_rows(Batches((batch, batch)))
    assert isinstance(rows, Rows)
    assert not rows.is_here
    assert not rows.is_in_memory
    assert rows.rows is None
    assert rows.names == rows.schema.names
    assert rows.first(lambda batch: batch.rows) == batch.rows
    assert rows.table() is rows.leniently() is rows.in_slices(3) is rows.read_once() is rows
    assert rows.kept_there() is None
    counted, read = rows.counting()
    assert counted is rows
    assert read.rows_read == 2 * batch.rows


def test_rows_stay_what_they_are(batch: Batch) -> None:
    own = InMemory.of(batch)
    assert as_rows(own) is own
    assert own.is_here
    assert own.is_in_memory


def test_two_wrappings_of_a_source_have_the_same_rows(batch: Batch) -> None:
    source, other = Batches((batch,)), Batches((batch, batch))
    assert as_rows(source).has_the_rows_of(as_rows(source))
    assert not as_rows(source).has_the_rows_of(as_rows(other))
    assert not as_rows(source).has_the_rows_of(InMemory.of(batch))
