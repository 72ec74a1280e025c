"""Models of many passes read a Dask frame once, where a client has workers: these keep what is made of the rows."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import suffice as sf
from suffice.errors import TableError
from suffice.sources.engines.elsewhere import engine_of
from suffice.sources.source import itself

dask = pytest.importorskip("dask", reason="Dask is not installed")
dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")

ROWS = 60


def table(times: int = 1) -> Any:
    random = np.random.default_rng(0)
    x = random.normal(size=ROWS)
    y = np.array(["no", "yes"])[(x + random.normal(size=ROWS) > 0).astype(int)]
    once = pd.DataFrame({"x": x, "kind": random.choice(["a", "b", "c"], ROWS), "y": y})
    return pd.concat([once] * times, ignore_index=True)


def marking(part: Any, marks: str) -> Any:
    """A partition as it is, which leaves a mark when it is worked out."""
    if len(part):
        (Path(marks) / uuid.uuid4().hex).touch()
    return part


def watched(rows: Any, marks: Path) -> Any:
    frame = dd.from_pandas(rows, npartitions=3)
    return frame.map_partitions(marking, str(marks), meta=frame._meta)


def is_let_go(client: Any) -> bool:
    """Whether nothing is left on the workers; they are told so in their own time."""
    end = time.monotonic() + 30
    while client.who_has() and time.monotonic() < end:
        time.sleep(0.05)
    return not client.who_has()


@pytest.mark.parametrize(
    ("model", "passes", "times"),
    [(sf.LogisticRegression(), 2, 1), (sf.cart(memory="1MB", max_depth=3), 3, 300)],  # a tree looks at levels, too
    ids=["logistic regression", "tree larger than memory"],
)
def test_a_frame_is_read_to_find_its_columns_and_once_more(
    client: Any, tmp_path: Path, model: Any, passes: int, times: int
) -> None:
    rows = table(times)
    there = clone(model).fit(watched(rows, tmp_path), "y")
    assert len(list(tmp_path.iterdir())) == 3 * passes
    here = clone(model).fit(rows, "y")
    assert there.describe() == here.describe()
    np.testing.assert_allclose(there.predict_proba(rows), here.predict_proba(rows), rtol=1e-9)
    assert is_let_go(client)


def test_threads_of_this_machine_keep_nothing(client: Any, tmp_path: Path) -> None:
    frame = watched(table(), tmp_path)
    with dask.config.set(scheduler="threads"):
        assert engine_of(frame).kept(itself) is None


def numbers(client: Any) -> Any:
    frame = dd.from_pandas(pd.DataFrame({"x": np.arange(40.0)}), npartitions=4)
    engine = engine_of(frame)
    return engine.kept(lambda chunk: chunk.column("x").stored.tolist())


def test_what_belongs_to_a_group_comes_together_on_a_worker_in_the_order_of_the_rows(client: Any) -> None:
    here, kept = os.getpid(), numbers(client)

    def by_last_digit(found: list[float]) -> list[tuple[int, list[float]]]:
        return [(digit, [x for x in found if x % 10 == digit]) for digit in sorted({int(x % 10) for x in found})]

    def joined(pieces: Iterable[list[float]]) -> tuple[bool, list[float]]:
        return os.getpid() == here, [x for piece in pieces for x in piece]

    found = list(kept.grouped(by_last_digit, joined))
    assert found == [(False, [d, d + 10.0, d + 20, d + 30]) for d in range(10)]

    def refused(given: Any) -> Any:
        raise TableError("not these")

    for work, finish in ((refused, joined), (by_last_digit, refused)):
        with pytest.raises(TableError, match="not these"):
            list(kept.grouped(work, finish))


def test_what_is_kept_is_passed_over_in_the_order_of_the_rows(client: Any) -> None:
    kept = numbers(client)
    assert list(kept.map(sum)) == [45.0, 145.0, 245.0, 345.0]


def test_what_a_lost_worker_kept_is_worked_out_anew(client: Any, tmp_path: Path) -> None:
    kept, mark = numbers(client), tmp_path / "lost"

    def once_deadly(found: list[float]) -> float:
        if not mark.exists():
            mark.touch()
            os._exit(1)
        return sum(found)

    assert list(kept.map(once_deadly)) == [45.0, 145.0, 245.0, 345.0]
    assert mark.exists()


def test_a_mistake_that_is_met_while_rows_are_kept_comes_back_as_it_would_here(client: Any) -> None:
    weighted = table().assign(w=np.append(np.ones(ROWS - 1), -1.0))
    with pytest.raises(TableError, match="Weights must be numbers of at least 0"):
        sf.LogisticRegression().fit(dd.from_pandas(weighted, npartitions=3), "y", sample_weight="w")
