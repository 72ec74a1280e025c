"""A process imports what its model is made of, and no more."""

import json
import os
import subprocess
import sys

import pytest

import suffice as sf

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes fork on POSIX")

LEARN = "sf.{model}().fit(sf.datasets.load('iris'), 'species').predict(sf.datasets.load('iris'))"
PREDICT = """
import contextlib
from suffice.cli import app
with contextlib.suppress(SystemExit):
    app(['predict', {model!r}, 'iris', '--out', {out!r}])
"""
OF_TREES = ("suffice.solve.trees", "suffice.estimators.trees.tree_base")
OF_LOGISTIC = ("suffice.solve.logistic", "suffice.estimators.linear.logistic_regression")
OF_OTHERS = ("suffice.evaluation", "suffice.plot", "suffice.report.describe", "matplotlib")


EACH = """
import json, os, sys
import suffice as sf
print(json.dumps(sorted(sys.modules)), flush=True)
def in_a_child(code):
    if os.fork() == 0:
        exec(code)
        print(json.dumps(sorted(sys.modules)), flush=True)
        os._exit(0)
    os.wait()
in_a_child("sf.NaiveBayes().fit([[1.0], [2.0], [8.0], [9.0]], ['a', 'a', 'b', 'b']).predict_proba([[1.5]])")
import pyarrow, sklearn.base, sklearn.datasets
for code in sys.argv[1:]:
    in_a_child(code)
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What a process has imported after some work.

    All fork from one process, which has imported the package and what it stands on, so that this is imported once.
    """
    folder = tmp_path_factory.mktemp("lean")
    sf.NaiveBayes().fit(sf.datasets.load("iris"), "species").save(folder / "model.json")
    work = {model: LEARN.format(model=model) for model in ("NaiveBayes", "LDA", "LogisticRegression", "cart")}
    work["predict"] = PREDICT.format(model=str(folder / "model.json"), out=str(folder / "predictions.csv"))
    ran = subprocess.run([sys.executable, "-c", EACH, *work.values()], capture_output=True, text=True, check=True)
    assert len((folder / "predictions.csv").read_text().splitlines()) == 151
    found = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("[")]
    return dict(zip(("nothing", "an array", *work), found, strict=True))


def of(modules: list[str], packages: tuple[str, ...]) -> list[str]:
    return [name for name in modules if name.startswith(packages)]


def test_importing_the_package_imports_no_kernel_and_no_numpy(imported):
    assert of(imported["nothing"], ("numpy", "sklearn", "suffice.kernels", "suffice.estimators.")) == []


def test_an_array_needs_nothing_of_data_frames_and_files_nor_what_scikit_learn_only_names(imported):
    assert "sklearn.base" in imported["an array"]
    assert of(imported["an array"], ("pandas", "pyarrow", "duckdb", "scipy.stats")) == []


@pytest.mark.parametrize("model", ["NaiveBayes", "LDA"])
def test_a_closed_form_model_needs_neither_trees_nor_climbs(imported, model):
    found = imported[model]
    assert of(found, (*OF_TREES, *OF_LOGISTIC, *OF_OTHERS)) == []
    assert of(found, (f"suffice.kernels.{'levels' if model == 'NaiveBayes' else 'density_sums'}",)) != []


def test_a_climb_needs_no_trees_no_other_model_and_nothing_that_was_not_asked_for(imported):
    found = imported["LogisticRegression"]
    assert of(found, (*OF_TREES, *OF_OTHERS)) == []
    assert of(found, ("suffice.models.gaussian", "suffice.models.naive_bayes", "suffice.models.likelihoods")) == []
    assert of(found, ("suffice.explain.linear", "suffice.report.summary", "suffice.persist")) == []


def test_a_tree_needs_no_climb(imported):
    assert of(imported["cart"], (*OF_LOGISTIC, *OF_OTHERS)) == []


def test_predict_imports_what_the_saved_model_needs(imported):
    assert of(imported["predict"], (*OF_TREES, *OF_LOGISTIC, *OF_OTHERS)) == []
