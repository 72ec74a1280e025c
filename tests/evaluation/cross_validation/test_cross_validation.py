from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SettingError
from suffice.solve.folds import Folds, KeyRows
from suffice.sources import read_table

ESTIMATORS = [
    sf.NaiveBayes(),
    sf.NaiveBayes(likelihoods={"visits": "poisson", "age": "kde"}, smoothing_prior="marginal"),
    sf.LDA(),
    sf.QDA(unbiased=True),
    sf.LDA(shrinkage="ledoit_wolf"),
    sf.GaussianDiscriminant("diagonal"),
    sf.JointBayes(smoothing=1.0),
]


def mixed_table(rows=240, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, rows)
    frame = pd.DataFrame(
        {
            "age": random.normal(40 + 5 * y, 10),
            "visits": random.poisson(2 + y).astype(float),
            "city": random.choice(["Lyon", "Oslo", "Rome"], rows),
            "class": np.array(["a", "b", "c"])[y],
        }
    )
    frame.loc[random.random(rows) < 0.1, "age"] = np.nan
    frame.loc[random.random(rows) < 0.1, "city"] = None
    return frame


def refitted(estimator, frame, folds, seed):
    """The plain way: for every fold, measure the other rows under the whole table's schema, solve, predict."""
    table = read_table(frame, "class", reading=estimator._reading())
    batch = next(table.batches())
    fold = Folds.deal([KeyRows(seed)(batch)], folds, seed).of(batch)
    measurement = estimator._measurement(table)
    posterior = np.empty((batch.rows, 3))
    for k in range(folds):
        model = estimator._model_of(measurement.of(batch.take(np.flatnonzero(fold != k))))
        rows = np.flatnonzero(fold == k)
        posterior[rows] = np.exp(model.log_posterior(batch.take(rows)))
    return posterior, fold


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_one_pass_equals_refitting_on_the_rest_with_the_whole_tables_schema(estimator):
    frame = mixed_table()
    result = sf.cross_validate(estimator, frame, "class", folds=6, random_state=4)
    posterior, fold = refitted(estimator, frame, 6, 4)
    np.testing.assert_array_equal(result.fold, fold)
    np.testing.assert_allclose(result.posterior, posterior, atol=1e-9)


def test_of_many_columns_a_few_tell_rows_apart_unless_some_are_alike_in_them():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(60, 40))).add_prefix("x").assign(y=random.choice(["a", "b"], 60))
    same = frame.assign(**{f"x{j}": 0.0 for j in range(8)})
    for table in (frame, same):
        fold = sf.cross_validate(sf.NaiveBayes(), table, "y", folds=5).fold
        order = random.permutation(60)
        shuffled = sf.cross_validate(sf.cart(), table.iloc[order], "y", folds=5).fold
        np.testing.assert_array_equal(shuffled, fold[order])
        compared = sf.compare(table, "y", ["lda", "majority"], folds=5).results
        np.testing.assert_array_equal(compared["lda"].fold, fold)
        np.testing.assert_array_equal(compared["majority"].fold, fold)
    changed = sf.cross_validate(sf.NaiveBayes(), frame.assign(x39=1.5), "y", folds=5).fold
    np.testing.assert_array_equal(changed, sf.cross_validate(sf.NaiveBayes(), frame, "y", folds=5).fold)


def test_the_estimator_itself_is_not_fitted():
    estimator = sf.NaiveBayes()
    sf.cross_validate(estimator, mixed_table(), "class", folds=3)
    assert not hasattr(estimator, "model_")


def test_a_file_in_many_chunks_gives_the_same_as_memory(tmp_path, monkeypatch):
    frame = mixed_table(3000)
    frame.to_parquet(tmp_path / "table.parquet")
    whole = sf.cross_validate(sf.NaiveBayes(), frame, "class", folds=3)
    monkeypatch.setattr("suffice.sources.readers.files.CHUNK_ROWS", 128)
    streamed = sf.cross_validate(sf.NaiveBayes(), str(tmp_path / "table.parquet"), "class", folds=3)
    np.testing.assert_array_equal(streamed.fold, whole.fold)
    np.testing.assert_allclose(streamed.posterior, whole.posterior, atol=1e-12)


def test_weights_count_in_the_metrics_and_in_the_models():
    frame = mixed_table()
    frame["weight"] = np.tile([1.0, 3.0], len(frame) // 2)
    plain, weights = frame.drop(columns="weight"), frame["weight"].to_numpy()
    by_name = sf.cross_validate(sf.NaiveBayes(), frame, "class", sample_weight="weight", folds=3)
    by_array = sf.cross_validate(sf.NaiveBayes(), plain, "class", sample_weight=weights, folds=3)
    np.testing.assert_allclose(by_name.posterior, by_array.posterior)
    assert by_name.mean("log_loss") == pytest.approx(by_array.mean("log_loss"))
    assert by_name.mean("log_loss") != sf.cross_validate(sf.NaiveBayes(), plain, "class", folds=3).mean("log_loss")


def test_more_folds_than_rows_of_a_class_still_works():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0], "class": ["a", "a", "a", "b", "b"]})
    result = sf.cross_validate(sf.NaiveBayes(), frame, "class", folds=4)
    np.testing.assert_allclose(result.posterior.sum(axis=1), 1.0)


def test_a_single_fold_is_refused():
    with pytest.raises(SettingError, match="at least 2"):
        sf.cross_validate(sf.NaiveBayes(), mixed_table(), "class", folds=1)


def test_the_result_prints_means_and_standard_errors():
    text = str(sf.cross_validate(sf.LDA(), sf.datasets.load("iris"), "species"))
    assert "accuracy" in text
    assert "std. error" in text


def test_more_folds_than_rows_are_refused():
    with pytest.raises(SettingError, match="more than the 14 rows"):
        sf.cross_validate(sf.NaiveBayes(), sf.datasets.load("play_tennis"), "PlayTennis", folds=100)


@pytest.mark.parametrize("seed", [None, -1, "one"])
def test_a_seed_is_a_whole_number(seed):
    with pytest.raises(SettingError, match="random_state"):
        sf.cross_validate(sf.NaiveBayes(), mixed_table(), "class", random_state=seed)


def test_an_estimator_that_is_not_of_suffice_is_refused():
    with pytest.raises(SettingError, match="no model of suffice"):
        sf.cross_validate("LDA", mixed_table(), "class")


@pytest.mark.parametrize("estimator", [sf.LDA(), sf.cart(criterion="variance")])
def test_a_result_shows_as_its_table(estimator: Any) -> None:
    result = sf.cross_validate(
        estimator, sf.datasets.load("iris"), "petal_width" if "Reg" in repr(estimator) else "species"
    )
    assert repr(result) == str(result)
    assert len(repr(result).splitlines()) == 5
    assert result._repr_html_().startswith("<table>")
    assert "10-fold" in result._repr_html_()


@pytest.mark.parametrize("kind", [np.int32, np.int64, str])
def test_a_result_is_its_own_whatever_becomes_of_the_rows(kind: Any) -> None:
    x, y = np.random.default_rng(0).normal(size=(100, 2)), (np.arange(100) % 2).astype(kind)
    result = sf.cross_validate(sf.NaiveBayes(), x, y, folds=5)
    truth, accuracy = result.truth.copy(), result.mean("accuracy")
    x[:], y[:] = 0.0, y[0]
    np.testing.assert_array_equal(result.truth, truth)
    assert result.mean("accuracy") == accuracy
