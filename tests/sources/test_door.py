"""The door for data: every model is the same through it, from a cluster as from memory."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from batches import Batches
from door_cases import FULL, LEARNERS, NUMBERS, PLAIN, TABLE, answers, named, rows, same
from fake_cluster import FakeCluster, cluster_pool
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

import suffice as sf
from suffice.errors import MergeError, SettingError, TableError
from suffice.estimators import naive_bayes
from suffice.solve.logistic import leave_one_out
from suffice.sources import Reading, read_table
from suffice.sources.keeping import memory_setting

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")


@pytest.fixture(scope="module")
def pool() -> Iterator[ProcessPoolExecutor]:
    with cluster_pool() as processes:
        yield processes


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


@pytest.mark.parametrize("settings", [{}, {"criterion": "standard_deviation", "splits": "multiway", "max_depth": 4}])
def test_a_tree_of_numbers_is_the_same_from_a_cluster_as_from_memory(settings: dict[str, Any], pool: Any) -> None:
    cluster, tree = FakeCluster.of(pool, NUMBERS), sf.DecisionTreeRegressor(min_leaf=5, **settings)
    here, there = clone(tree).fit(NUMBERS, "price"), clone(tree).fit(cluster, "price")
    assert there.describe() == here.describe()
    same(there.predict(cluster), here.predict(NUMBERS))
    assert there.score(cluster, "price") == pytest.approx(here.score(NUMBERS, "price"), rel=1e-10)


BY_LEVEL = [
    (sf.id3(nominal=["visits"], memory=40_000), FULL),
    (sf.c45(memory=40_000), PLAIN),
    (sf.c45(class_weight="balanced", prune="reduced_error", memory=40_000), PLAIN),
    (sf.cart(memory=80_000), PLAIN),  # eleven trees, each in seven passes
]


@pytest.mark.parametrize(("tree", "table"), BY_LEVEL, ids=named)
def test_a_tree_larger_than_memory_is_the_same_from_any_partitions_in_any_order(
    tree: Any, table: pa.Table, pool: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_setting, "LEAST", 1)
    tree = clone(tree).set_params(keep=table.column_names)
    here = clone(tree).fit(table, "class")
    assert here.leaf_count > 3
    order = np.random.default_rng(1).permutation(table.num_rows)
    for partitions, given in ((2, table), (5, table.take(order))):
        cluster = FakeCluster.of(pool, given, partitions)
        there = clone(tree).fit(cluster, "class")
        assert cluster.failures > 4  # a pass each
        assert there.describe() == here.describe()
        same(there.predict_proba(table), here.predict_proba(table))


def test_a_tree_of_numbers_larger_than_memory_is_the_same_from_a_cluster(
    pool: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_setting, "LEAST", 1)
    tree = sf.DecisionTreeRegressor(min_leaf=5, memory=40_000)
    here, there = clone(tree).fit(NUMBERS, "price"), clone(tree).fit(FakeCluster.of(pool, NUMBERS), "price")
    assert there.describe() == here.describe()
    same(there.predict(NUMBERS), here.predict(NUMBERS))


def test_records_and_densities_are_the_same_from_a_cluster_as_from_memory(pool: Any) -> None:
    cluster = FakeCluster.of(pool, PLAIN)
    here, there = (sf.JointDistribution(edges=3).fit(table) for table in (PLAIN, cluster))
    assert there.describe() == here.describe()
    np.testing.assert_array_equal(there.statistic_.table, here.statistic_.table)
    for density in (sf.GaussianDensity(), sf.KernelDensity(columns=["pay", "visits"])):
        here, there = (clone(density).fit(table) for table in (PLAIN, cluster))
        same(there.log_density(cluster), here.log_density(PLAIN))


def test_what_looks_at_a_table_looks_at_a_cluster_too(pool: Any) -> None:
    cluster, model = FakeCluster.of(pool, FULL), GaussianNB().fit(FULL.to_pandas()[["age", "pay"]], FULL["class"])
    assert str(sf.overview(cluster)) == str(sf.overview(FULL))
    assert str(sf.evaluate(model, cluster, "class")) == str(sf.evaluate(model, FULL, "class"))
    here, there = (sf.plot_boundary(sf.LDA(), x, "class", ["pay", "age"]).lines[0] for x in (FULL, cluster))
    same(there.get_xydata(), here.get_xydata())


def test_weights_are_named_columns_in_a_cluster(pool: Any) -> None:
    table = TABLE.drop_columns(["text", "price"])
    cluster = FakeCluster.of(pool, table)
    for model in (sf.NaiveBayes(), sf.LogisticRegression(), sf.cart()):
        here, there = (clone(model).fit(rows, "class", sample_weight="weight") for rows in (table, cluster))
        same(there.predict_proba(table), here.predict_proba(table))
    with pytest.raises(TableError, match="cannot be an array beside them"):
        sf.NaiveBayes().fit(cluster, TABLE["class"].to_pylist())


@pytest.mark.parametrize("most", [5_000, 150])
def test_the_strength_of_a_prior_is_chosen_through_the_door(
    most: int, pool: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leave_one_out, "MOST_JUDGED", most)  # rows; of more, a sample is judged
    here, there = (sf.LogisticRegression().fit(rows, "class") for rows in (PLAIN, FakeCluster.of(pool, PLAIN)))
    assert here.l2_ == there.l2_
    assert here.l2_ != 1.0
    np.testing.assert_allclose(there.coef_, here.coef_, rtol=1e-8, atol=1e-10)


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


def test_so_it_is_where_all_rows_come_back_in_one_piece(pool: Any) -> None:
    few = PLAIN.slice(0, 90)  # a chunk of the cluster has a hundred
    here, there = (sf.cross_validate(sf.LDA(), rows, "class", folds=3) for rows in (few, FakeCluster.of(pool, few, 1)))
    same(there.posterior, here.posterior)
    same(there.log_loss, here.log_loss)


def test_a_comparison_runs_through_the_door(pool: Any) -> None:
    models = ["naive_bayes", "lda", "c45"]
    here, there = (sf.compare(rows, "class", models, folds=3) for rows in (PLAIN, FakeCluster.of(pool, PLAIN)))
    assert [row.model for row in there.rows] == [row.model for row in here.rows]
    assert [row.accuracy for row in there.rows] == pytest.approx([row.accuracy for row in here.rows])
    for own in (*here.results.values(), *there.results.values()):
        np.testing.assert_array_equal(own.fold, here.results["lda"].fold)
    assert sf.compare(FakeCluster.of(pool, NUMBERS), "price", folds=3).task == "regression"


def test_no_rows_come_back_where_a_statistic_will_do(pool: Any) -> None:
    large, small = (
        FakeCluster.of(pool, rows(count, 1).drop_columns(["text", "price", "weight"])) for count in (2000, 250)
    )
    for cluster in (large, small):
        sf.LDA().fit(cluster, "class")
    assert large.sent < 2 * small.sent


def test_columns_are_looked_at_where_the_rows_are(pool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(naive_bayes, "FEW_ROWS", 50)
    random = np.random.default_rng(0)
    table = pa.table(
        {**{f"x{j}": random.normal(size=5000) for j in range(8)}, "class": random.choice(["a", "b"], 5000)}
    )
    cluster = FakeCluster.of(pool, table)
    there = sf.NaiveBayes().fit(cluster, "class")
    assert there.statistic_.parts["shapes"].columns == ()
    assert cluster.sent < table.nbytes / 4


def test_rows_that_do_not_fit_are_not_gathered(pool: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_setting, "LEAST", 1)
    monkeypatch.setenv("SUFFICE_MEMORY", "10kB")
    with pytest.raises(TableError, match=r"and 10\.0 kB may be taken\. Set the environment variable SUFFICE_MEMORY"):
        sf.Perceptron().fit(FakeCluster.of(pool, PLAIN), "class")
    sf.NaiveBayes().fit(FakeCluster.of(pool, PLAIN), "class")


# Sources ------------------------------------------------------------------------------------------------------------


def source_of(table: pa.Table, target: str = "class", reading: Reading | None = None) -> Batches:
    (batch,) = read_table(table, target, reading=reading).batches()
    return Batches((batch.take(slice(0, 250)), batch.take(slice(250, None))))


@cache
def from_memory(model: Any) -> tuple[Any, float]:
    """A model of the rows in memory, and how often it is right in a cross-validation."""
    return clone(model).fit(PLAIN, "class"), sf.cross_validate(model, PLAIN, "class", folds=3).accuracy


@pytest.mark.parametrize("made", [source_of, lambda table: read_table(table, "class")], ids=["batches", "table"])
@pytest.mark.parametrize(
    "model", [sf.NaiveBayes(), sf.QDA(), sf.LogisticRegression(), sf.c45(), sf.Perceptron()], ids=repr
)
def test_whatever_has_a_schema_and_can_be_measured_and_mapped_is_a_source(made: Any, model: Any) -> None:
    source = made(PLAIN)
    here, accuracy = from_memory(model)
    there = clone(model).fit(source, "class")
    assert there.describe() == here.describe()
    assert (there.target_name_, there.feature_names_in_.tolist()) == ("class", here.feature_names_in_.tolist())
    same(answers(there, source), answers(here, PLAIN))
    assert there.predict(PLAIN).tolist() == here.predict(PLAIN).tolist()
    assert there.score(source) == there.score(source, "class") == here.score(PLAIN, "class")
    result = sf.cross_validate(model, source, "class", folds=3)
    same(result.accuracy, accuracy)


@pytest.mark.parametrize("made", [source_of, lambda table: read_table(table, "class")], ids=["batches", "table"])
@pytest.mark.parametrize("density", [sf.GaussianDensity(), sf.KernelDensity(columns=["visits", "age"])], ids=repr)
def test_a_density_has_the_columns_of_a_source_without_its_target(made: Any, density: Any) -> None:
    source, table = made(PLAIN), PLAIN.drop_columns(["class"])
    here, there = clone(density).fit(table), clone(density).fit(source)
    assert there.schema_.names == here.schema_.names
    same(there.log_density(source), here.log_density(table))
    same(there.update(source).density(table), here.update(table).density(table))
    priced = source_of(NUMBERS, "price", Reading(numeric_target=True))
    assert clone(density).fit(priced).schema_.names == here.schema_.names  # the price is a number too


@pytest.mark.parametrize("made", [source_of, lambda table: read_table(table, "class")], ids=["batches", "table"])
def test_records_are_counted_of_a_source_without_its_target(made: Any) -> None:
    own = ["age", "pay", "city", "class"]
    source, table = made(PLAIN.select(own)), PLAIN.select(own[:-1])
    here, there = (sf.JointDistribution(edges=3).fit(rows) for rows in (table, source))
    assert there.describe() == here.describe()
    assert there.update(source).forget(source).describe() == here.describe()
    with pytest.raises(TableError, match=r"'age' has [0-9]+ different numbers"):
        sf.JointDistribution().fit(source)


@pytest.mark.parametrize("made", [source_of, lambda table: read_table(table, "class")], ids=["batches", "table"])
def test_a_model_of_scikit_learn_is_judged_on_a_source(made: Any) -> None:
    own = FULL.select(["age", "pay", "class"])
    model = GaussianNB().fit(own.to_pandas()[["age", "pay"]], own["class"].to_pylist())
    expected = str(sf.evaluate(model, own, "class"))
    assert str(sf.evaluate(model, made(own), "class")) == str(sf.evaluate(model, made(own))) == expected


def test_a_source_has_no_cells_to_look_over() -> None:
    with pytest.raises(TableError, match="Give the table that it was made of"):
        sf.overview(source_of(PLAIN))


def test_a_source_adds_its_own_levels_and_classes() -> None:
    new = PLAIN.slice(0, 60).set_column(4, "level", pa.array(["medium"] * 60))
    here = sf.NaiveBayes().fit(PLAIN, "class").update(new, "class")
    (batch,) = read_table(new, "class", reading=Reading(keep=("level",))).batches()
    there = sf.NaiveBayes().fit(source_of(PLAIN), "class").update(Batches((batch,)), "class")
    same(there.predict_proba(PLAIN), here.predict_proba(PLAIN))


@pytest.mark.parametrize("made", [source_of, lambda table: read_table(table, "class")], ids=["batches", "table"])
def test_the_first_part_of_a_source_may_name_classes_that_come_later(made: Any) -> None:
    first = PLAIN.filter(pa.compute.not_equal(PLAIN["class"], "b"))
    for model in (sf.NaiveBayes(), sf.QDA(), sf.JointBayes(bins=3)):
        here, there = (clone(model).partial_fit(x, "class", classes=[*"abcd"]) for x in (first, made(first)))
        assert there.classes_.tolist() == [*"abcd"]
        same(there.predict_proba(PLAIN), here.predict_proba(PLAIN))
    here, there = (clone(model).partial_fit(x, "class", classes=[*"abc"]) for x in (first, made(first)))
    same(there.update(made(PLAIN), "class").predict_proba(PLAIN), here.update(PLAIN, "class").predict_proba(PLAIN))


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


def test_rows_to_add_have_the_columns_of_the_rows_before() -> None:
    own = ["age", "pay", "city", "class"]
    model, counts = sf.NaiveBayes().fit(PLAIN.select(own), "class"), counted(PLAIN.select(own))
    for lacking in ("age", "city"):
        part = PLAIN.select([name for name in own if name != lacking])
        for update in (partial(model.update, y="class"), counts.update):
            with pytest.raises(TableError, match=f"The table lacks the column '{lacking}', which the model reads"):
                update(read_table(part, "class"))
            with pytest.raises(MergeError, match=f"'{lacking}' is in one only"):
                update(source_of(part))
    with pytest.raises(MergeError, match="'age' is numeric in one and nominal in the other"):
        counts.update(source_of(PLAIN.select(own), reading=Reading(nominal=("age",), keep=("age",))))
    with pytest.raises(TableError, match="Column 'city' cannot be the target: the model reads it"):
        counts.update(read_table(PLAIN.select(own), "city"))
    assert (
        counts.update(read_table(PLAIN, "class")).forget(PLAIN.select(own)).describe()
        == counted(PLAIN.select(own)).describe()
    )


def counted(rows: pa.Table) -> sf.JointDistribution:
    return sf.JointDistribution(edges=3).fit(rows.drop_columns(["class"]))
