"""The door for data: every model is the same through it, from a cluster as from memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from fake_cluster import FakeCluster, cluster_pool
from sklearn.base import clone

import suffice as sf
from suffice.errors import SettingError, TableError
from suffice.schema import Batch, Schema
from suffice.sources import Reading, kept, read_table

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")

WORDS = ("free", "call", "win", "now", "lunch", "home", "late", "meeting", "money", "tomorrow")


def rows(count: int = 600, seed: int = 0) -> pa.Table:
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, count)
    age, pay = random.normal(40 + 5 * y, 9).round(1), random.normal(size=count) + 0.8 * y
    city = random.choice(["Lyon", "Oslo", "Rome"], count)
    has_age, has_city = random.random(count) > 0.1, random.random(count) > 0.1
    texts = [" ".join(random.choice(WORDS, 8, p=np.roll([0.3, 0.2, 0.1, 0.1, *[0.05] * 6], 3 * k))) for k in y]
    return pa.table(
        {
            "age": pa.array(np.where(has_age, age, np.nan), from_pandas=True),
            "pay": pay,
            "visits": random.poisson(2 + y),
            "city": pa.array([name if known else None for name, known in zip(city, has_city, strict=True)]),
            "level": random.choice(["low", "high"], count),
            "text": texts,
            "weight": random.choice([1.0, 2.0, 3.0], count),
            "price": 3 * pay + (city == "Rome") + random.normal(0, 0.3, count).round(3),
            "class": np.array(["a", "b", "c"])[y],
        }
    )


TABLE = rows()
PLAIN = TABLE.drop_columns(["text", "price", "weight"])
FULL = PLAIN.filter(pa.compute.and_(PLAIN["age"].is_valid(), PLAIN["city"].is_valid()))
NUMBERS = TABLE.drop_columns(["text", "class", "weight"])


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with cluster_pool() as processes:
        yield processes


def same(first: Any, second: Any) -> None:
    """Whole numbers, levels and trees the same; sums of numbers to ten digits."""
    np.testing.assert_allclose(first, second, rtol=1e-10, atol=1e-12)


MERGED = [
    (sf.NaiveBayes(), PLAIN),
    (sf.NaiveBayes(), TABLE.drop_columns(["price", "weight"])),
    (sf.NaiveBayes(likelihoods={"visits": "poisson", "age": "kde"}), PLAIN),
    (sf.JointBayes(bins=3), PLAIN),
    (sf.LDA(), PLAIN),
    (sf.QDA(), PLAIN),
    (sf.LDA(shrinkage="ledoit_wolf", class_weight="balanced"), FULL),
]
CLIMBED = [
    (sf.LogisticRegression(), PLAIN),
    (sf.LogisticRegression(l2=0.5, degree=2, class_weight="balanced"), FULL),
    (sf.LogisticRegression(), TABLE.select(["text", "pay", "class"])),
]
TREES = [
    (sf.id3(nominal=["visits"]), FULL),
    (sf.c45(), PLAIN),
    (sf.cart(), PLAIN),
    (sf.c45(prune="reduced_error"), PLAIN),
]
LEARNERS = [*MERGED, *CLIMBED, *TREES, (sf.Perceptron(), PLAIN)]


def named(case: Any) -> Any:
    return " ".join(repr(case).split()) if hasattr(case, "fit") else f"{case.num_columns} columns"


@pytest.mark.parametrize(("model", "table"), LEARNERS, ids=named)
def test_a_classifier_is_the_same_from_a_cluster_as_from_memory(model: Any, table: pa.Table, pool: Any) -> None:
    cluster = FakeCluster.of(pool, table)
    here = clone(model).fit(table, "class")
    there = clone(model).fit(cluster, "class")
    assert cluster.failures > 0
    assert there.schema_ == here.schema_
    assert there.describe() == here.describe()
    same(answers(there, table), answers(here, table))
    same(answers(there, cluster), answers(here, table))
    assert there.predict(cluster).tolist() == here.predict(table).tolist()
    assert there.score(cluster, "class") == pytest.approx(here.score(table, "class"), rel=1e-12)
    if isinstance(model, sf.LogisticRegression):
        np.testing.assert_allclose(there.coef_, here.coef_, rtol=1e-10, atol=1e-10)


def answers(model: Any, table: Any) -> Any:
    return model.predict_proba(table) if hasattr(model, "predict_proba") else model.decision_function(table)


@pytest.mark.parametrize("settings", [{}, {"criterion": "standard_deviation", "splits": "multiway", "max_depth": 4}])
def test_a_tree_of_numbers_is_the_same_from_a_cluster_as_from_memory(settings: dict[str, Any], pool: Any) -> None:
    cluster, tree = FakeCluster.of(pool, NUMBERS), sf.DecisionTreeRegressor(min_leaf=5, **settings)
    here, there = clone(tree).fit(NUMBERS, "price"), clone(tree).fit(cluster, "price")
    assert there.describe() == here.describe()
    same(there.predict(cluster), here.predict(NUMBERS))
    assert there.score(cluster, "price") == pytest.approx(here.score(NUMBERS, "price"), rel=1e-10)


def test_records_and_densities_are_the_same_from_a_cluster_as_from_memory(pool: Any) -> None:
    cluster = FakeCluster.of(pool, PLAIN)
    here, there = (sf.JointDistribution(edges=3).fit(table) for table in (PLAIN, cluster))
    assert there.describe() == here.describe()
    np.testing.assert_array_equal(there.statistic_.table, here.statistic_.table)
    for density in (sf.GaussianDensity(), sf.KernelDensity(columns=["pay", "visits"])):
        here, there = (clone(density).fit(table) for table in (PLAIN, cluster))
        same(there.log_density(cluster), here.log_density(PLAIN))


def test_weights_are_named_columns_in_a_cluster(pool: Any) -> None:
    table = TABLE.drop_columns(["text", "price"])
    cluster = FakeCluster.of(pool, table)
    for model in (sf.NaiveBayes(), sf.LogisticRegression(), sf.cart()):
        here, there = (clone(model).fit(rows, "class", sample_weight="weight") for rows in (table, cluster))
        same(there.predict_proba(table), here.predict_proba(table))
    with pytest.raises(TableError, match="cannot be an array beside them"):
        sf.NaiveBayes().fit(cluster, TABLE["class"].to_pylist())


def test_rows_are_added_and_taken_out_through_the_door(pool: Any) -> None:
    new = PLAIN.slice(0, 60).set_column(4, "level", pa.array(["medium"] * 60))
    here = sf.NaiveBayes().fit(PLAIN.slice(60), "class").update(new, "class").forget(PLAIN.slice(100, 50), "class")
    first, more, gone = (FakeCluster.of(pool, part) for part in (PLAIN.slice(60), new, PLAIN.slice(100, 50)))
    there = sf.NaiveBayes().fit(first, "class").update(more, "class").forget(gone, "class")
    assert there.schema_ == here.schema_
    np.testing.assert_array_equal(there.statistic_.parts["counts"].table, here.statistic_.parts["counts"].table)
    same(there.predict_proba(PLAIN), here.predict_proba(PLAIN))


@pytest.mark.parametrize("model", [sf.NaiveBayes(), sf.LDA(), sf.cart(), sf.LogisticRegression()], ids=repr)
def test_a_cross_validation_is_the_same_in_whatever_partitions_and_order(model: Any, pool: Any) -> None:
    doubled = pa.concat_tables([PLAIN, PLAIN.slice(0, 100)])  # equal rows, in different partitions
    order = np.random.default_rng(5).permutation(doubled.num_rows)
    here = sf.cross_validate(model, doubled, "class", folds=4)
    there = sf.cross_validate(model, FakeCluster.of(pool, doubled.take(order)), "class", folds=4)
    for metric in ("accuracy", "log_loss", "auc"):
        same(getattr(there, metric), getattr(here, metric))


def test_a_comparison_runs_through_the_door(pool: Any) -> None:
    models = ["naive_bayes", "lda", "c45"]
    here, there = (sf.compare(rows, "class", models, folds=3) for rows in (PLAIN, FakeCluster.of(pool, PLAIN)))
    assert [row.model for row in there.rows] == [row.model for row in here.rows]
    assert [row.accuracy for row in there.rows] == pytest.approx([row.accuracy for row in here.rows])
    assert sf.compare(FakeCluster.of(pool, NUMBERS), "price", folds=3).task == "regression"


def test_no_rows_come_back_where_a_statistic_will_do(pool: Any) -> None:
    large, small = (
        FakeCluster.of(pool, rows(count, 1).drop_columns(["text", "price", "weight"])) for count in (4000, 500)
    )
    for cluster in (large, small):
        sf.LDA().fit(cluster, "class")
    assert large.sent < 2 * small.sent


def test_rows_that_do_not_fit_are_not_gathered(pool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_GATHERED", 10_000)
    with pytest.raises(TableError, match=r"at most 10\.0 kB are gathered"):
        sf.c45().fit(FakeCluster.of(pool, PLAIN), "class")
    sf.NaiveBayes().fit(FakeCluster.of(pool, PLAIN), "class")


# Sources ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Batches:
    """The least that a source is."""

    parts: tuple[Batch, ...]

    @property
    def schema(self) -> Schema:
        return self.parts[0].schema

    def measure(self, measurement: Any) -> Any:
        return reduce(lambda mine, theirs: mine.merge(theirs), map(measurement.of, self.parts))

    def map(self, work: Callable[[Batch], Any]) -> Iterator[Any]:
        return map(work, self.parts)


def source_of(table: pa.Table, target: str = "class", reading: Reading | None = None) -> Batches:
    (batch,) = read_table(table, target, reading=reading).batches()
    return Batches((batch.take(slice(0, 250)), batch.take(slice(250, None))))


@pytest.mark.parametrize("made", [source_of, lambda table: read_table(table, "class")], ids=["batches", "table"])
@pytest.mark.parametrize(
    "model", [sf.NaiveBayes(), sf.QDA(), sf.LogisticRegression(), sf.c45(), sf.Perceptron()], ids=repr
)
def test_whatever_has_a_schema_and_can_be_measured_and_mapped_is_a_source(made: Any, model: Any) -> None:
    source = made(PLAIN)
    here, there = clone(model).fit(PLAIN, "class"), clone(model).fit(source, "class")
    assert there.describe() == here.describe()
    assert (there.target_name_, there.feature_names_in_.tolist()) == ("class", here.feature_names_in_.tolist())
    same(answers(there, source), answers(here, PLAIN))
    assert there.predict(PLAIN).tolist() == here.predict(PLAIN).tolist()
    assert there.score(source) == there.score(source, "class") == here.score(PLAIN, "class")
    result = sf.cross_validate(model, source, "class", folds=3)
    same(result.accuracy, sf.cross_validate(model, PLAIN, "class", folds=3).accuracy)


def test_a_source_adds_its_own_levels_and_classes() -> None:
    new = PLAIN.slice(0, 60).set_column(4, "level", pa.array(["medium"] * 60))
    here = sf.NaiveBayes().fit(PLAIN, "class").update(new, "class")
    (batch,) = read_table(new, "class", reading=Reading(keep=("level",))).batches()
    there = sf.NaiveBayes().fit(source_of(PLAIN), "class").update(Batches((batch,)), "class")
    same(there.predict_proba(PLAIN), here.predict_proba(PLAIN))


def test_what_a_source_has_already_cannot_be_said_again() -> None:
    source = source_of(PLAIN)
    with pytest.raises(
        TableError, match="The target of the source is its column 'class'; y must be that name, not 'age'"
    ):
        sf.NaiveBayes().fit(source, "age")
    with pytest.raises(TableError, match="has its weights already"):
        sf.NaiveBayes().fit(source, "class", sample_weight="pay")
    with pytest.raises(SettingError, match="nominal and keep would say how columns are read"):
        sf.NaiveBayes(nominal=["visits"], keep=["age"]).fit(source, "class")
    with pytest.raises(TableError, match="this model learns numbers"):
        sf.DecisionTreeRegressor().fit(source, "class")
    with pytest.raises(TableError, match=r"columns of text \('text'\), which this model does not read"):
        sf.LDA().fit(source_of(TABLE, reading=Reading(reads_text=True)), "class")
    with pytest.raises(TableError, match="not those the model was trained on"):
        sf.NaiveBayes().fit(source, "class").predict(source_of(FULL.drop_columns(["age"])))
