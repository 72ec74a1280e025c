"""Models that grow with every class or column are announced with an estimate, or left out where it is too long."""

import numpy as np
import pyarrow as pa
import pytest

import suffice as sf
from suffice.estimators import contract
from suffice.evaluation.contestants import estimated_seconds
from suffice.progress import listening


def many_classes(count=60, rows=600):
    random = np.random.default_rng(0)
    kind = np.arange(rows) % count
    return pa.table({"a": kind + random.normal(size=rows), "b": random.normal(size=rows), "y": [f"k{k}" for k in kind]})


@pytest.mark.parametrize("model", [sf.LogisticRegression(), sf.Perceptron(), sf.cart()])
def test_the_estimate_grows_with_rows_classes_and_folds(model):
    def seconds(table, folds=10):
        return estimated_seconds.seconds_to_judge(model, contract.training_table(model, table, "y"), folds)

    assert seconds(many_classes(60, 1200)) == 2 * seconds(many_classes(60, 600)) > 0
    assert seconds(many_classes(120, 600)) == pytest.approx(2 * seconds(many_classes(60, 600)))
    assert seconds(many_classes(60, 600), 5) == seconds(many_classes(60, 600)) / 2
    assert seconds(many_classes(3, 600)) == 0


def test_where_it_would_be_too_long_a_model_is_left_out_unless_it_is_named(monkeypatch):
    monkeypatch.setattr(estimated_seconds, "MANY_CLASSES", 20)
    monkeypatch.setattr(estimated_seconds, "TOO_LONG", 0.01)
    table = many_classes(20, 400)
    others = ["naive_bayes_kde", "lda", "qda", "joint_bayes", "perceptron", "id3", "c45", "cart"]
    result = sf.compare(table, "y", skip=others)
    assert "logistic" not in result.fitted
    assert "20 classes and 2 columns in 10 folds would take it about 1 minute" in result.skipped["logistic"]
    assert "logistic" in sf.compare(table, "y", models=["logistic"], folds=2).fitted


@pytest.mark.parametrize(("model", "times"), [(sf.NaiveBayes("kde"), 2), (sf.LDA(), 4), (sf.QDA(), 4)])
def test_the_estimate_of_densities_and_discriminants_grows_with_columns_however_few_the_rows(model, times):
    def seconds(columns, folds=10):
        x, y = np.random.default_rng(0).normal(size=(20, columns)), np.arange(20) % 2
        return estimated_seconds.seconds_to_judge(model, contract.training_table(model, x, y), folds)

    assert seconds(200) > 0
    assert seconds(400) == pytest.approx(times * seconds(200))
    assert seconds(200, 5) == pytest.approx(seconds(200) / 2)


def test_of_too_many_columns_kernel_densities_are_left_out(monkeypatch):
    monkeypatch.setattr(estimated_seconds, "TOO_LONG", 0.5)
    x, y = np.random.default_rng(0).normal(size=(20, 300)), np.arange(20) % 2
    result = sf.compare(x, y, models=None, skip=["lda", "qda", "logistic", "perceptron", "id3", "c45", "cart"])
    assert "2 classes and 300 columns in 10 folds would take" in result.skipped["naive_bayes_kde"]
    assert "naive_bayes" in result.fitted


def test_what_may_take_long_is_said_beforehand(monkeypatch):
    monkeypatch.setattr(estimated_seconds, "WORTH_SAYING", 0.01)
    said = []
    with listening(lambda rows: None, task_listener=said.append):
        sf.compare(many_classes(), "y", models=["cart", "c45"], folds=2)
    assert "cross-validating cart, which may take about 1 minute" in said
    assert "cross-validating c45" in said


def test_a_climb_of_few_weights_is_quick():
    def seconds(classes):
        model = sf.LogisticRegression()
        return estimated_seconds.seconds_to_judge(
            model, contract.training_table(model, many_classes(classes, 6000), "y"), 10
        )

    assert seconds(300) < 10  # 900 weights
    assert seconds(600) > 10 * seconds(300)  # 1,800: beyond 1,500
