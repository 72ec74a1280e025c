"""Dask frames are tables: lazily, by whatever scheduler is set, whatever their partitions hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import suffice as sf
from suffice.errors import TableError
from suffice.machine import threads
from suffice.sources.engines.elsewhere import engine_of

dask = pytest.importorskip("dask", reason="Dask is not installed")
dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
pd = pytest.importorskip("pandas")
DaskFrame = pytest.importorskip("suffice.sources.engines.dask").DaskFrame

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")


@pytest.fixture
def in_threads() -> Iterator[None]:
    """Whatever client other tests have: partitions that leave marks are worked out in this process."""
    with dask.config.set(scheduler="threads"):
        yield


def table(count: int = 60) -> Any:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, count)
    return pd.DataFrame(
        {
            "size": random.normal(y, 1),
            "city": pd.Categorical(random.choice(["Lyon", "Oslo"], count), ["Oslo", "Lyon"]),
            "day": pd.Timestamp("2024-05-01") + pd.to_timedelta(random.integers(0, 90, count) + 20 * y, "D"),
            7: random.integers(0, 5, count),
            "y": np.array(["no", "yes"])[y],
        },
        index=np.arange(count) * 10,
    )


FRAME = dd.from_pandas(table(), npartitions=4)


def test_predictions_are_a_lazy_frame_with_the_index_and_types_of_the_first() -> None:
    model = sf.NaiveBayes().fit(FRAME, "y")
    answered = model.predict(FRAME)
    assert isinstance(answered, dd.DataFrame)
    found, here = answered.compute(), table()
    assert answered.dtypes.to_dict() == found.dtypes.to_dict()
    pd.testing.assert_frame_equal(found[list(here.columns)], FRAME.compute())
    assert found["prediction"].tolist() == model.predict(here).tolist()
    np.testing.assert_allclose(found[["P(no)", "P(yes)"]], model.predict_proba(here), rtol=1e-12)
    assert list(model.predict_proba(FRAME).columns) == [*here.columns, "P(no)", "P(yes)"]
    assert list(model.predictions(FRAME, keep="y").columns) == ["y", "prediction"]
    assert list(model.decide(FRAME, threshold=0.9).columns) == [*here.columns, "prediction"]


def test_scores_leaves_and_densities_are_columns_too() -> None:
    here = table()
    linear, tree, density = sf.LDA().fit(FRAME, "y"), sf.cart().fit(FRAME, "y"), sf.GaussianDensity().fit(FRAME)
    for answered, expected in (
        (linear.decision_function(FRAME)["score"], linear.decision_function(here)),
        (linear.predict_log_proba(FRAME)[["ln P(no)", "ln P(yes)"]], linear.predict_log_proba(here)),
        (linear.transform(FRAME)["direction1"], linear.transform(here)[:, 0]),
        (tree.apply(FRAME)["leaf"], tree.apply(here)),
        (density.log_density(FRAME)["log_density"], density.log_density(here)),
        (density.density(FRAME)["density"], density.density(here)),
    ):
        np.testing.assert_allclose(answered.compute(), expected, rtol=1e-10)


def test_partitions_without_rows_and_frames_without_them() -> None:
    parts = [table(0), table(), table(0)]
    frame = dd.from_map(lambda place: parts[place], range(3))
    assert sf.NaiveBayes().fit(frame, "y").describe() == sf.NaiveBayes().fit(FRAME, "y").describe()
    empty = dd.from_pandas(table(0), npartitions=1)
    with pytest.raises(TableError, match="the table has no rows"):
        sf.NaiveBayes().fit(empty, "y")
    assert len(sf.NaiveBayes().fit(FRAME, "y").predict(empty).compute()) == 0


def test_mistakes_come_back_as_they_would_here() -> None:
    with pytest.raises(TableError, match="There is no target 'x' in the table"):
        sf.NaiveBayes().fit(FRAME, "x")
    with pytest.raises(TableError, match="cannot be an array beside them"):
        sf.NaiveBayes().fit(FRAME, FRAME["y"])
    with pytest.raises(TableError, match="Weights must be numbers of at least 0"):
        sf.NaiveBayes().fit(FRAME, "y", sample_weight="size")
    with pytest.raises(TableError, match="A table cannot be read from"):
        sf.NaiveBayes().fit(FRAME["size"], "y")
    with pytest.raises(TableError, match="no positions"):
        sf.NaiveBayes().fit(FRAME, "y").row(FRAME, 3)


@pytest.mark.usefixtures("in_threads")
def test_nothing_is_worked_out_before_it_is_asked_for() -> None:
    model, asked = sf.NaiveBayes().fit(FRAME, "y"), []

    def watched(part: Any) -> Any:
        asked.append(len(part))
        return part

    frame = FRAME.map_partitions(watched, meta=FRAME._meta)
    answered = model.predict(frame)
    assert asked == []
    answered["prediction"].compute()
    assert sum(asked) == 60


def test_only_the_columns_that_are_needed_are_read(tmp_path: Any) -> None:
    wide = table().assign(**{f"unused{k}": [[k]] * 60 for k in range(3)}).rename(columns={7: "seven"})
    wide.to_parquet(tmp_path / "wide.parquet")
    frame = dd.read_parquet(tmp_path / "wide.parquet")
    unused = [f"unused{k}" for k in range(3)]
    model = sf.NaiveBayes(drop=unused).fit(frame, "y")
    assert model.predict(frame)["unused1"].compute().map(list).tolist() == [[1]] * 60
    assert sf.evaluate(model, frame).rows == 60


@pytest.mark.parametrize("call", ["fit", "update", "score", "predict", "predict_proba", "decide", "predictions", "row"])
def test_a_frame_is_opened_once_a_call(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, opened, of = sf.NaiveBayes().fit(table(), "y"), [], DaskFrame.of
    monkeypatch.setattr(DaskFrame, "of", lambda frame: opened.append(frame) or of(frame))
    more: dict[str, Any] = {"predictions": {"proba": True, "keep": True}, "row": {"position": 0}}
    named = {"y": "y"} if call in ("fit", "update", "score") else {}
    with suppress(TableError):  # there is no first row
        getattr(model, call)(FRAME, **named, **more.get(call, {}))
    assert len(opened) == 1


def test_a_density_opens_a_frame_once(monkeypatch: pytest.MonkeyPatch) -> None:
    density, opened, of = sf.GaussianDensity(columns=["size"]).fit(table()), [], DaskFrame.of
    monkeypatch.setattr(DaskFrame, "of", lambda frame: opened.append(frame) or of(frame))
    assert list(density.log_density(FRAME).columns) == [*table().columns, "log_density"]
    assert len(opened) == 1


def test_a_task_keeps_to_one_thread() -> None:
    before = threads.processors()
    engine = engine_of(FRAME)
    assert list(engine.map(lambda chunk: threads.processors())) == [1] * 4
    assert threads.processors() == before


@pytest.mark.usefixtures("in_threads")
def test_a_look_at_the_first_rows_reads_no_partition_after_them() -> None:
    asked: list[int] = []

    def watched(part: Any) -> Any:
        asked.append(len(part))
        return part

    engine = engine_of(FRAME.map_partitions(watched, meta=FRAME._meta))
    assert engine.is_streamed
    assert engine.first(lambda chunk: chunk.rows) == asked[0]
    assert len(asked) == 1
    assert engine.first(lambda chunk: chunk.rows if len(asked) > 2 else None) == asked[2]
    assert engine.first(lambda chunk: None) is None
    with pytest.raises(TableError, match="wrong"):
        engine.first(mistaken)


def unreadable(part: Any) -> Any:
    raise OSError("the disk is gone")


def test_a_partition_that_cannot_be_read_is_an_error_that_says_why() -> None:
    frame = FRAME.map_partitions(unreadable, meta=FRAME._meta)
    for use in (lambda: sf.NaiveBayes().fit(frame, "y"), lambda: sf.compare(frame, "y", models=["lda"], folds=2)):
        with pytest.raises(TableError, match=r"The Dask frame cannot be read: the disk is gone\. Check the files"):
            use()


def lacking(part: Any) -> Any:
    return part.drop(columns=["size"]) if len(part) and part.index[0] else part


@pytest.mark.parametrize("is_checked", [True, False])
def test_a_partition_without_a_column_that_was_promised_is_an_error_that_names_it(is_checked: bool) -> None:
    frame = FRAME.map_partitions(lacking, meta=FRAME._meta, enforce_metadata=is_checked)
    model = sf.NaiveBayes().fit(FRAME, "y")
    for use in (
        lambda: sf.NaiveBayes().fit(frame, "y"),
        lambda: sf.c45().fit(frame, "y"),
        lambda: sf.evaluate(model, frame, "y"),
    ):
        with pytest.raises(TableError, match=r"A partition of the Dask frame lacks the column 'size', which"):
            use()


def mistaken(chunk: Any) -> None:
    raise TableError("wrong")
