"""The page computes what Python computes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from browser import Browser
from mixed_tables import letters, mixed_table, two_classes

import suffice as sf
from suffice.evaluation import Comparison
from suffice.evaluation.comparison.leaderboard import SAYS

pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")


def models() -> dict[str, Any]:
    return {
        "naive_bayes": sf.NaiveBayes(),
        "shared": sf.NaiveBayes(shared_variance=True, smoothing=0.5),
        "kde": sf.NaiveBayes(likelihoods="kde"),
        "binned_or_kde": sf.NaiveBayes(likelihoods="binned_or_kde"),
        "poisson": sf.NaiveBayes(likelihoods={"calls": "poisson"}),
        "joint": sf.JointBayes(),
        "joint_smoothed": sf.JointBayes(smoothing=0.5),
        "lda": sf.LDA(),
        "qda": sf.QDA(),
        "logistic": sf.LogisticRegression(),
        "degree_2": sf.LogisticRegression(degree=2),
        "perceptron": sf.Perceptron(),
        "id3": sf.id3(),
        "c45": sf.c45(),
        "cart": sf.cart(),
        "direction": sf.DecisionTreeClassifier(missing="direction", splits="binary"),
    }


def from_page(chrome: Browser, name: str, rows: list[dict[str, Any]]) -> Any:
    work = f"suffice.predict({json.dumps(name)}, row)"
    script = (
        f"{json.dumps(rows)}.map(row => {{ const f = {work}; return f.probabilities ?? f.classScores ?? [f.number]; }})"
    )
    return np.array(chrome.run(script), dtype=np.float64)


def from_python(model: Any, table: pa.Table) -> Any:
    if hasattr(model, "predict_proba"):
        return model.predict_proba(table)
    if not hasattr(model, "decision_function"):
        return model.predict(table)[:, None]
    scores = model.decision_function(table)
    return scores if scores.ndim == 2 else np.column_stack([-scores, scores])


def require_same(comparison: Comparison, table: pa.Table, chrome: Browser, path: Path) -> None:
    comparison.report(path)
    chrome.open(path)
    rows = table.to_pylist()
    for name, model in comparison.fitted.items():
        if name in SAYS:
            continue  # a baseline has no place in the panel
        expected = from_python(model, table)
        np.testing.assert_allclose(from_page(chrome, name, rows), expected, rtol=1e-9, atol=1e-9, err_msg=name)
    assert chrome.errors == []


@pytest.mark.parametrize("make", [mixed_table, two_classes])
def test_every_model_of_classes_predicts_in_the_page_what_it_predicts_in_python(
    make: Any, chrome: Browser, tmp_path: Path
) -> None:
    train, asked = make(), mixed_table(seed=3).drop_columns(["class"])  # with gaps that training may not have had
    require_same(sf.compare(train, "class", models=models(), folds=2), asked, chrome, tmp_path / "report.html")


def test_a_level_that_training_never_saw_reads_as_missing_in_the_page_too(chrome: Browser, tmp_path: Path) -> None:
    train = mixed_table()
    asked = train.drop_columns(["class"]).slice(0, 20)
    colours = pa.array(["never seen"] * 10 + asked["colour"].to_pylist()[10:])
    asked = asked.set_column(asked.column_names.index("colour"), "colour", colours)
    chosen = {name: model for name, model in models().items() if name in ("naive_bayes", "lda", "logistic", "c45")}
    require_same(sf.compare(train, "class", models=chosen, folds=2), asked, chrome, tmp_path / "report.html")


def test_texts_are_read_in_the_page_as_in_python(chrome: Browser, tmp_path: Path) -> None:
    table = letters()
    chosen = {
        f"nb_{kind}": sf.NaiveBayes(likelihoods={"text": kind}, text=["text"])
        for kind in ("words", "multinomial", "bernoulli")
    } | {"logistic": sf.LogisticRegression(text=["text"]), "c45": sf.c45()}
    comparison = sf.compare(table, "kind", models=chosen, folds=2)
    require_same(comparison, table.drop_columns(["kind"]), chrome, tmp_path / "report.html")


def test_trees_of_numbers_predict_in_the_page_what_they_predict_in_python(chrome: Browser, tmp_path: Path) -> None:
    table = mixed_table().drop_columns(["class"])
    known = table.filter(table["x"].is_valid())
    require_same(sf.compare(known, "x", folds=2), table.drop_columns(["x"]), chrome, tmp_path / "report.html")
