"""Dask frames as they are met: unknown divisions and categories, a class in a partition, clients that do not wait."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest

import suffice as sf
from suffice.errors import TableError

dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
pd = pytest.importorskip("pandas")

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")


def table(rows: int = 60) -> Any:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, rows)
    kind = pd.Categorical(random.choice(list("abc"), rows))
    return pd.DataFrame({"x": random.normal(y), "kind": kind, "y": np.array(["n", "y"])[y]})


FRAME = dd.from_pandas(table(), npartitions=4)


def of_unknown_categories() -> Any:
    frame = FRAME.copy()
    frame["kind"] = frame["kind"].astype("object").astype("category")
    assert not frame["kind"].cat.known
    return frame


@pytest.mark.parametrize(
    "frame",
    [
        FRAME.clear_divisions(),
        of_unknown_categories(),
        dd.concat([FRAME[FRAME.y == "n"], FRAME[FRAME.y == "y"]]),
        FRAME.repartition(npartitions=40),
    ],
    ids=["unknown divisions", "unknown categories", "a class each", "many partitions"],
)
def test_the_model_and_its_evaluation_are_those_of_the_rows_in_memory(frame: Any) -> None:
    here, there = (sf.NaiveBayes().fit(rows, "y") for rows in (table(), frame))
    assert there.describe() == here.describe()
    assert str(sf.evaluate(there, frame, "y")) == str(sf.evaluate(here, table(), "y"))


def test_numbers_in_a_partition_and_words_in_another_are_told_apart() -> None:
    def part(place: int) -> Any:
        return table().assign(kind=["a", 1.5, 7][place])

    with pytest.raises(TableError, match=r"Column 'kind' holds numbers in some parts .* nominal=\['kind'\]"):
        sf.NaiveBayes().fit(dd.from_map(part, range(2), meta=part(0)), "y")
    for places, model in ((range(2), sf.NaiveBayes(nominal=["kind"])), ([0, 2], sf.NaiveBayes())):
        here = model.fit(pd.concat([part(place) for place in places]), "y").describe()
        assert model.fit(dd.from_map(part, places, meta=part(0)), "y").describe() == here


def test_an_asynchronous_client_is_a_clear_error() -> None:
    distributed = pytest.importorskip("distributed", reason="Dask's distributed is not installed")

    async def fit() -> None:
        one = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": ":0"}
        async with distributed.Client(asynchronous=True, **one):
            sf.NaiveBayes().fit(FRAME, "y")

    with pytest.raises(TableError, match="Dask's client is asynchronous"):
        asyncio.run(fit())


@pytest.mark.parametrize("model", [sf.NaiveBayes(), sf.LDA()], ids=repr)
def test_rows_of_partitions_have_no_numbers(model: Any) -> None:
    frame = table(40)
    name = next(name for name in frame.columns if frame[name].dtype == float)
    frame.loc[34, name] = np.inf
    with pytest.raises(TableError, match=rf"Column '{name}' contains infinity \(inf\)\. Replace"):
        model.fit(dd.from_pandas(frame, npartitions=2), frame.columns[-1])
