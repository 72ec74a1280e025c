"""The same rows give the same model, wherever they are: in whatever partitions, order and number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from itertools import pairwise
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from door_cases import FULL, LEARNERS, NUMBERS, PLAIN, TABLE, TREES, answers, named, same
from fake_cluster import FakeCluster, cluster_pool
from sklearn.base import clone

import suffice as sf
from suffice.machine import threads
from suffice.models.trees.nodes import Nodes

pytestmark = pytest.mark.filterwarnings(
    "ignore::suffice.errors.SufficeWarning", "ignore::FutureWarning", "ignore::DeprecationWarning"
)

Put = Callable[[pa.Table], Any]  # a table's rows, put somewhere


def parts(table: pa.Table, count: int) -> list[pa.Table]:
    """A table in parts of different sizes, the first without rows."""
    cuts = [int(bound) for bound in np.linspace(0, 1, count) ** 1.5 * table.num_rows]
    return [table.slice(0, 0), *(table.slice(low, high - low) for low, high in pairwise(cuts))]


def shuffled(table: pa.Table) -> pa.Table:
    return table.take(np.random.default_rng(7).permutation(table.num_rows))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Put:
    def put(table: pa.Table) -> str:
        path = tmp_path_factory.mktemp("parquet")
        for place, part in enumerate(parts(shuffled(table), 4)):
            pq.write_table(part, path / f"{place}.parquet", row_group_size=50)
        return str(path / "*.parquet")

    return put


@pytest.fixture(scope="module")
def relation() -> Put:
    return lambda table: duckdb.from_arrow(shuffled(table))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Put]:
    with cluster_pool() as pool:
        yield lambda table: FakeCluster.of(pool, shuffled(table), 3)


def once(put: Put) -> Put:
    """Every table is put there only once."""
    there: dict[int, Any] = {}

    def kept(table: pa.Table) -> Any:
        if id(table) not in there:
            there[id(table)] = (table, put(table))
        return there[id(table)][1]

    return kept


@pytest.fixture(scope="module")
def spark_frame(spark: Any) -> Put:
    return once(lambda table: spark.createDataFrame(shuffled(table)).repartition(2).cache())


@pytest.fixture
def many_spark_partitions(spark: Any) -> Iterator[Put]:
    """More partitions than rows in some, whose results several tasks merge."""
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "9")
    yield lambda table: spark.createDataFrame(table).repartition(7, "visits")
    spark.conf.set("spark.sql.shuffle.partitions", before)


def dask_frame(table: pa.Table, count: int = 3, types: Any = None) -> Any:
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    return dd.from_map(lambda part: part.to_pandas(types_mapper=types), parts(shuffled(table), count))


@pytest.fixture
def dask_threads() -> Iterator[Put]:
    """In threads, whether or not there is a client by now."""
    dask = pytest.importorskip("dask", reason="Dask is not installed")
    with dask.config.set(scheduler="threads"):
        yield dask_frame


@pytest.fixture(scope="module")
def dask_arrow() -> Put:
    pandas = pytest.importorskip("pandas")
    return lambda table: dask_frame(table, 5, pandas.ArrowDtype)


@pytest.fixture(scope="module")
def dask_client(client: Any) -> Put:
    return lambda table: dask_frame(table, 4)


@pytest.fixture(scope="module")
def memory() -> Put:
    return shuffled


@cache
def fitted(place: int) -> Any:
    model, table = LEARNERS[place]
    return clone(model).fit(table, "class")


ENGINES = ["memory", "folder", "relation", "cluster", "spark_frame", "dask_threads"]
CASES = list(enumerate(LEARNERS))


def name_of(case: int | str) -> str:
    return case if isinstance(case, str) else named(LEARNERS[case][0])


@pytest.mark.parametrize("engine", [engine for engine in ENGINES if engine != "cluster"])  # for which see test_door
@pytest.mark.parametrize("place", range(len(LEARNERS)), ids=name_of)
def test_a_classifier_is_the_same_on_every_engine(place: int, engine: str, request: Any) -> None:
    model, table = LEARNERS[place]
    there = clone(model).fit(request.getfixturevalue(engine)(table), "class")
    require_same_model(there, fitted(place), table, is_tree=LEARNERS[place] in TREES)


@pytest.mark.parametrize("engine", ["many_spark_partitions", "dask_arrow", "dask_client"])
@pytest.mark.parametrize("place", [0, 4, 11], ids=name_of)
def test_other_partitions_types_and_schedulers_change_nothing(place: int, engine: str, request: Any) -> None:
    model, table = LEARNERS[place]
    there = clone(model).fit(request.getfixturevalue(engine)(table), "class")
    require_same_model(there, fitted(place), table, is_tree=LEARNERS[place] in TREES)


@pytest.mark.parametrize(("place", "learner"), CASES, ids=[named(model) for model, _ in LEARNERS])
def test_the_number_of_threads_changes_nothing(place: int, learner: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model, table = learner
    with threads.one_thread():
        alone = clone(model).fit(table, "class")
    monkeypatch.setattr(threads, "_all_processors", lambda: 3)
    three = clone(model).fit(table, "class")
    for there in (alone, three):
        require_same_model(there, fitted(place), table, is_tree=learner in TREES)


def require_same_nodes(there: Nodes, here: Nodes) -> None:
    """Every test and every branch the same; shares of rows whose values are missing add up to the last digit or so."""
    for field in fields(Nodes):
        if field.name != "statistic":
            np.testing.assert_array_equal(getattr(there, field.name), getattr(here, field.name))
    np.testing.assert_allclose(there.statistic, here.statistic, rtol=1e-12, atol=1e-12)


def require_same_model(there: Any, here: Any, table: pa.Table, is_tree: bool) -> None:
    """Counts and trees are identical, moments and weights agree to ten digits."""
    assert there.schema_ == here.schema_
    assert there.describe() == here.describe()
    if is_tree:
        require_same_nodes(there.model_.nodes, here.model_.nodes)
    same(answers(there, table), answers(here, table))
    if "counts" in getattr(getattr(here, "statistic_", None), "parts", {}):
        np.testing.assert_array_equal(there.statistic_.parts["counts"].table, here.statistic_.parts["counts"].table)
    if isinstance(here, sf.LogisticRegression):
        np.testing.assert_allclose(there.coef_, here.coef_, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("engine", ENGINES)
def test_records_densities_and_numbers_are_the_same_on_every_engine(engine: str, request: Any) -> None:
    put = request.getfixturevalue(engine)
    here, there = (sf.JointDistribution(edges=3).fit(table) for table in (PLAIN, put(PLAIN)))
    assert there.describe() == here.describe()
    np.testing.assert_array_equal(there.statistic_.table, here.statistic_.table)
    for density in (sf.GaussianDensity(), sf.KernelDensity(columns=["pay", "visits"])):
        here, there = (clone(density).fit(table) for table in (PLAIN, put(PLAIN)))
        same(there.log_density(PLAIN), here.log_density(PLAIN))
        assert there.score(put(PLAIN)) == pytest.approx(here.score(PLAIN), rel=1e-10)
    tree = sf.DecisionTreeRegressor(min_leaf=5)
    here, there = (clone(tree).fit(table, "price") for table in (NUMBERS, put(NUMBERS)))
    assert there.describe() == here.describe()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_model_is_judged_the_same_on_every_engine(engine: str, request: Any) -> None:
    elsewhere = request.getfixturevalue(engine)(PLAIN)
    model = fitted(0)
    assert str(sf.overview(elsewhere)) == str(sf.overview(PLAIN))
    assert model.score(elsewhere, "class") == pytest.approx(model.score(PLAIN, "class"), rel=1e-12)
    here, there = (sf.evaluate(model, table, "class").value("log_loss") for table in (PLAIN, elsewhere))
    assert there == pytest.approx(here, rel=1e-10)
    here, there = (sf.cross_validate(sf.LDA(), table, "class", folds=3) for table in (PLAIN, elsewhere))
    same(there.accuracy, here.accuracy)
    same(there.log_loss, here.log_loss)


@pytest.mark.parametrize("engine", ["cluster", "spark_frame", "dask_threads"])
def test_a_comparison_and_a_summary_are_the_same_elsewhere(engine: str, request: Any) -> None:
    put = request.getfixturevalue(engine)
    models = ["naive_bayes", "c45"]
    here, there = (sf.compare(table, "class", models, folds=3) for table in (PLAIN, put(PLAIN)))
    assert [row.model for row in there.rows] == [row.model for row in here.rows]
    assert [row.accuracy for row in there.rows] == pytest.approx([row.accuracy for row in here.rows], rel=1e-10)
    two = FULL.filter(pa.compute.not_equal(FULL["class"], "c")).select(["age", "pay", "city", "class"])
    here, there = (sf.LogisticRegression(l2=0).fit(table, "class").summary() for table in (two, put(two)))
    assert there["age"].coefficient == pytest.approx(here["age"].coefficient, rel=1e-8)
    assert there["age"].standard_error == pytest.approx(here["age"].standard_error, rel=1e-8)


@pytest.mark.parametrize("engine", ["folder", "spark_frame", "dask_threads"])
def test_a_tree_larger_than_its_memory_is_the_same_on_every_engine(engine: str, request: Any) -> None:
    many, tree = pa.concat_tables([PLAIN] * 40), sf.c45(memory="1MB", max_depth=3)
    here, there = (clone(tree).fit(table, "class") for table in (many, request.getfixturevalue(engine)(many)))
    assert there.describe() == here.describe()
    require_same_nodes(there.model_.nodes, here.model_.nodes)


WEIGHTED = TABLE.drop_columns(["text", "price"])


@pytest.mark.parametrize("engine", ENGINES)
def test_weights_are_a_column_by_name_which_is_no_feature(engine: str, request: Any) -> None:
    elsewhere = request.getfixturevalue(engine)(WEIGHTED)
    rest, weights = WEIGHTED.drop_columns(["weight"]), WEIGHTED["weight"].to_numpy()
    for model in (sf.LDA(), sf.cart()):
        here = clone(model).fit(rest, "class", sample_weight=weights)
        there = clone(model).fit(elsewhere, "class", sample_weight="weight")
        assert "weight" not in there.feature_names_in_.tolist()
        same(answers(there, WEIGHTED), answers(here, rest))
        assert there.score(elsewhere, "class", sample_weight="weight") == pytest.approx(
            here.score(rest, "class", sample_weight=weights), rel=1e-12
        )


@pytest.mark.parametrize("engine", ENGINES)
def test_weights_by_name_count_in_cross_validation_and_comparison(engine: str, request: Any) -> None:
    elsewhere = request.getfixturevalue(engine)(WEIGHTED)
    rest, weights = WEIGHTED.drop_columns(["weight"]), WEIGHTED["weight"].to_numpy()
    here = sf.cross_validate(sf.LDA(), rest, "class", folds=3, sample_weight=weights)
    there = sf.cross_validate(sf.LDA(), elsewhere, "class", folds=3, sample_weight="weight")
    same(there.log_loss, here.log_loss)
    here, there = (
        sf.compare(table, "class", ["lda"], folds=3, sample_weight=given).rows[0].log_loss
        for table, given in ((rest, weights), (elsewhere, "weight"))
    )
    assert there == pytest.approx(here, rel=1e-10)
