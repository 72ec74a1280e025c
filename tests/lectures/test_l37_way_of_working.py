"""L37, deck 003: normalise, select features, split, cross-validate, choose metrics."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import suffice as sf

TUMOURS = sf.datasets.load("breast_cancer").to_pandas()
Split = tuple[pd.DataFrame, pd.DataFrame]


@pytest.fixture(scope="module")
def split() -> Split:
    train, test = train_test_split(TUMOURS, test_size=0.25, random_state=0, stratify=TUMOURS["diagnosis"])
    return train, test


@pytest.mark.parametrize("model", [sf.LDA(), sf.QDA(), sf.NaiveBayes(), sf.LogisticRegression(), sf.cart()], ids=repr)
def test_normalised_columns_change_no_prediction_since_models_normalise_themselves(model: sf.LDA, split: Split) -> None:
    train, test = (part.select_dtypes("number").iloc[:, :10] for part in split)
    labels = split[0]["diagnosis"]
    scaler = StandardScaler().set_output(transform="pandas").fit(train)
    raw = model.fit(train, labels).predict(test)
    normalised = model.fit(scaler.transform(train), labels).predict(scaler.transform(test))
    assert (raw == normalised).mean() > 0.99


def test_a_pipeline_normalises_and_classifies(split: Split) -> None:
    train, test = split
    columns = [name for name in TUMOURS if name != "diagnosis"]
    pipeline = make_pipeline(StandardScaler(), sf.LogisticRegression())
    pipeline.fit(train[columns].to_numpy(), train["diagnosis"].to_numpy())
    assert pipeline.score(test[columns].to_numpy(), test["diagnosis"].to_numpy()) > 0.95


def test_a_few_chosen_columns_do_nearly_as_well_as_all(split: Split) -> None:
    """Chosen on the training rows only: whoever chooses on all rows has seen the answers."""
    train, test = split
    ranked = sf.rank_features(train, "diagnosis")
    chosen = ranked.names[:6] if hasattr(ranked, "names") else [line.column for line in ranked][:6]
    few = sf.evaluate(sf.LDA().fit(train[[*chosen, "diagnosis"]], "diagnosis"), test)
    everything = sf.evaluate(sf.LDA().fit(train, "diagnosis"), test)
    assert few.value("auc") > everything.value("auc") - 0.03


def test_cross_validation_predicts_what_new_rows_will_show(split: Split) -> None:
    train, test = split
    expected = sf.cross_validate(sf.LDA(), train, "diagnosis")
    found = sf.evaluate(sf.LDA().fit(train, "diagnosis"), test)
    assert abs(expected.mean("accuracy") - found.value("accuracy")) < 0.05
    columns = [name for name in TUMOURS if name != "diagnosis"]
    theirs = cross_val_score(sf.LDA(), train[columns].to_numpy(), train["diagnosis"].to_numpy(), cv=10)
    assert abs(theirs.mean() - expected.mean("accuracy")) < 0.02


def test_every_metric_of_the_deck_is_there_and_right(split: Split) -> None:
    train, test = split
    model = sf.LDA().fit(train, "diagnosis")
    result = sf.evaluate(model, test)
    truth, predicted = test["diagnosis"], model.predict(test)
    np.testing.assert_array_equal(result.confusion, metrics.confusion_matrix(truth, predicted))
    found = result.by_class["malignant"]
    assert result.value("accuracy") == pytest.approx(metrics.accuracy_score(truth, predicted))
    for name, function in (
        ("precision", metrics.precision_score),
        ("recall", metrics.recall_score),
        ("f1", metrics.f1_score),
    ):
        assert found[name].value == pytest.approx(function(truth, predicted, pos_label="malignant"))
    area = metrics.roc_auc_score(truth == "malignant", model.predict_proba(test)[:, 1])
    assert result.roc().area == pytest.approx(area)


def test_accuracy_alone_misleads_where_one_class_is_rare() -> None:
    random = np.random.default_rng(0)
    y = (random.random(4000) < 0.03).astype(int)
    x = random.normal(size=(4000, 2)) + 0.5 * y[:, None]
    result = sf.evaluate(sf.LDA().fit(x[:2000], y[:2000]), x[2000:], y[2000:])
    assert result.value("accuracy") > 0.95
    assert result.value("balanced_accuracy") < 0.55
    assert 0.55 < result.value("auc") < 0.8
