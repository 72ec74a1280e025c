"""A process imports what its model is made of, and no more."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import suffice as sf

LEARN = "sf.{model}().fit(sf.datasets.load('iris'), 'species').predict(sf.datasets.load('iris'))"
PREDICT = """
import contextlib
from suffice.cli import app
with contextlib.suppress(SystemExit):
    app(['predict', {model!r}, 'iris', '--out', {out!r}])
"""
OF_TREES = ("suffice.solve.trees", "suffice.estimators.tree")
OF_LOGISTIC = ("suffice.solve.logistic", "suffice.estimators.logistic_regression")
OF_OTHERS = ("suffice.evaluate", "suffice.plot", "suffice.report.describe", "matplotlib")


def imported(code: str) -> list[str]:
    """What a new process has imported after running some code."""
    whole = f"import json, sys\nimport suffice as sf\n{code}\nprint(json.dumps(sorted(sys.modules)))"
    ran = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True)
    return list(json.loads(ran.stdout.splitlines()[-1]))


def of(modules: list[str], packages: tuple[str, ...]) -> list[str]:
    return [name for name in modules if name.startswith(packages)]


def test_importing_the_package_imports_no_kernel_and_no_numpy():
    assert of(imported("pass"), ("numpy", "sklearn", "suffice.kernels", "suffice.estimators")) == []


@pytest.mark.parametrize("model", ["NaiveBayes", "LDA"])
def test_a_closed_form_model_needs_neither_trees_nor_climbs(model):
    found = imported(LEARN.format(model=model))
    assert of(found, (*OF_TREES, *OF_LOGISTIC, *OF_OTHERS)) == []
    assert of(found, (f"suffice.kernels.{'levels' if model == 'NaiveBayes' else 'density_sums'}",)) != []


def test_a_climb_needs_no_trees():
    assert of(imported(LEARN.format(model="LogisticRegression")), (*OF_TREES, *OF_OTHERS)) == []


def test_a_tree_needs_no_climb():
    assert of(imported(LEARN.format(model="cart")), (*OF_LOGISTIC, *OF_OTHERS)) == []


def test_predict_imports_what_the_saved_model_needs(tmp_path: Path):
    model, out = tmp_path / "model.json", tmp_path / "predictions.csv"
    sf.NaiveBayes().fit(sf.datasets.load("iris"), "species").save(model)
    found = imported(PREDICT.format(model=str(model), out=str(out)))
    assert len(out.read_text().splitlines()) == 151
    assert of(found, (*OF_TREES, *OF_LOGISTIC, *OF_OTHERS)) == []
