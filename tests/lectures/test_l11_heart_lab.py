"""L11, deck 003: the heart lab. Split, fit LDA, print what it learned, judge it on the other rows, draw the ROC."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.metrics import classification_report, roc_auc_score
from sklearn.model_selection import train_test_split

import suffice as sf

mpl.use("Agg")

HEART = Path(__file__).parents[3] / "shared" / "data" / "heart.csv"
pytestmark = pytest.mark.skipif(not HEART.exists(), reason="heart.csv is not here")


@pytest.fixture(scope="module")
def heart() -> pd.DataFrame:
    return pd.read_csv(HEART)


@pytest.fixture(scope="module")
def split(heart: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    train, test = train_test_split(heart, test_size=0.25, random_state=0)
    return train, test


def test_priors_means_and_coefficients_are_those_of_the_lab(split: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    train, _ = split
    model = sf.LDA().fit(train, "target")
    lab = LinearDiscriminantAnalysis(solver="lsqr").fit(train.drop(columns="target"), train["target"])
    np.testing.assert_allclose(model.priors_, lab.priors_, rtol=1e-12)
    np.testing.assert_allclose(model.means_, lab.means_, rtol=1e-12)
    weights = model.logistic_weights()
    np.testing.assert_allclose(weights.coefficients, lab.coef_[0], rtol=1e-6)
    np.testing.assert_allclose(weights.intercept, lab.intercept_[0], rtol=1e-6)
    described = model.describe()
    assert all(name in described for name in train.columns)


def test_accuracy_report_and_area_are_those_of_scikit_learn(split: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    train, test = split
    model = sf.LDA().fit(train, "target")
    result = sf.evaluate(model, test)
    truth, predicted = test["target"].to_numpy(), model.predict(test)
    report = classification_report(truth, predicted, output_dict=True)
    assert result.value("accuracy") == pytest.approx(report["accuracy"])
    for label in (0, 1):
        for ours, theirs in (("precision", "precision"), ("recall", "recall"), ("f1", "f1-score")):
            assert result.by_class[label][ours].value == pytest.approx(report[str(label)][theirs])
    assert result.value("mean_f1") == pytest.approx(report["macro avg"]["f1-score"])
    assert result.value("auc") == pytest.approx(roc_auc_score(truth, model.predict_proba(test)[:, 1]))
    assert all(word in str(result) for word in ("accuracy", "precision", "recall", "F1", "AUC"))


def test_the_decks_one_split_lies_within_the_intervals(split: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    """The deck prints 0.803 and 0.884 of a split that it does not name."""
    train, test = split
    overall = sf.evaluate(sf.LDA().fit(train, "target"), test).overall
    assert overall["accuracy"].low < 0.803 < overall["accuracy"].high
    assert overall["auc"].low < 0.884 < overall["auc"].high


def test_200_random_splits_average_083_and_090(heart: pd.DataFrame) -> None:
    accuracy, area = [], []
    x, y = heart.drop(columns="target").to_numpy(dtype=float), heart["target"].to_numpy()
    for seed in range(200):
        x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.25, random_state=seed)
        result = sf.evaluate(sf.LDA().fit(x_train, y_train), x_test, y_test)
        accuracy.append(result.value("accuracy"))
        area.append(result.roc().area)
    assert round(float(np.mean(accuracy)), 2) == 0.83
    assert round(float(np.std(accuracy)), 2) == 0.04
    assert round(float(np.mean(area)), 2) == 0.90
    assert round(float(np.std(area)), 2) == 0.03


def test_the_roc_curve_is_drawn_with_its_area(split: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    train, test = split
    result = sf.evaluate(sf.LDA().fit(train, "target"), test)
    _, roc, *_ = result.plot()
    legend = roc.get_legend().get_texts()[0].get_text()
    assert legend == f"1: AUC {result.value('auc'):.3f}"
