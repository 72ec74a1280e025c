"""Logistic regression and the perceptron on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import Run


@pytest.fixture
def model(run: Run, tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    assert run("train", "iris", "-m", "logistic", "-o", path, "--set", "l2=0.5").exit_code == 0
    return path


def test_a_summary_is_shown_on_request(run: Run, model: Path) -> None:
    result = run("describe", model, "--summary")
    assert "posterior under a Gaussian prior" in result.stdout
    assert "ln P(setosa)/P(virginica)" in result.stdout
    document = json.loads(run("describe", model, "--summary", "--json").stdout)["summary"]
    assert document["reference"] == "virginica"
    assert len(document["coefficients"]) == 10
    assert document["coefficients"][0]["p_value"] is None


def test_only_a_logistic_regression_has_a_summary(run: Run, tmp_path: Path) -> None:
    run("train", "iris", "-m", "lda", "-o", tmp_path / "lda.json")
    result = run("describe", tmp_path / "lda.json", "--summary")
    assert result.exit_code == 2
    assert "--summary shows a logistic regression; this model is a LDA" in " ".join(result.stderr.split())


def test_a_prediction_is_explained_term_by_term(run: Run, model: Path) -> None:
    assert "= log-odds" in run("explain", model, "iris", "--row", 1).stdout
    document = json.loads(run("explain", model, "iris", "--row", 1, "--json").stdout)
    added = [sum(part["added"][k] for part in document["contributions"]) for k in range(2)]
    assert added == pytest.approx(list(document["scores"].values()))
    assert document["prediction"] == "setosa"
    assert sum(document["posterior"]) == pytest.approx(1.0)


def test_a_perceptron_predicts_classes_but_no_probabilities(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "perceptron.json"
    result = run("train", "iris", "-m", "perceptron", "-o", path, "--set", "max_epochs=5")
    assert result.exit_code == 0
    assert "still on the wrong side" in " ".join(result.stderr.split())
    assert run("predict", path, "iris").exit_code == 0
    result = run("predict", path, "iris", "--proba")
    assert result.exit_code == 2
    assert "has no probabilities" in " ".join(result.stderr.split())


def test_weights_are_refused_where_a_model_takes_none(run: Run, tmp_path: Path) -> None:
    result = run("train", "iris", "-m", "perceptron", "-o", tmp_path / "m.json", "--weight", "petal_width")
    assert result.exit_code == 2
    assert "perceptron takes no weights" in " ".join(result.stderr.split())
