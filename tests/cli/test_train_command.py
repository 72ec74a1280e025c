from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import Run

import suffice as sf


def test_the_model_is_the_library_s(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    result = run("train", "play_tennis", "--model", "naive_bayes", "--set", "smoothing=0", "--out", out)
    expected = sf.NaiveBayes(smoothing=0).fit(sf.datasets.load("play_tennis"), "PlayTennis")
    assert result.exit_code == 0, result.output
    assert "NaiveBayes: PlayTennis (2 classes) from 4 columns, 21 parameters" in result.stdout
    assert sf.load(out).describe() == expected.describe()


def test_settings_are_numbers_truths_and_words(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    priors = {"setosa": 0.25, "versicolor": 0.25, "virginica": 0.5}
    settings = ("unbiased=true", "shrinkage=0.25", f"priors={json.dumps(priors)}")
    options = [part for setting in settings for part in ("--set", setting)]
    result = run("train", "iris", "--model", "lda", "--out", out, *options)
    assert result.exit_code == 0, result.output
    model = sf.load(out)
    assert model.unbiased is True
    assert model.shrinkage == 0.25
    assert model.priors_.tolist() == [0.25, 0.25, 0.5]
    assert run("train", "iris", "--model", "naive_bayes", "--out", out, "--set", "likelihoods=kde").exit_code == 0
    assert sf.load(out).likelihoods == "kde"


def test_json_says_what_was_trained(run: Run, people: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    options = ("--weight", "weight", "--missing", "?", "--json")
    result = run("train", people, "-t", "survived", "-m", "lda", "-o", out, *options)
    document = json.loads(result.stdout)
    assert document["columns"] == ["sex", "age"]
    assert document["saved"] == str(out)
    assert document["parameters"] == sf.load(out).parameter_count
    assert "note: Column 'name' is left out" in result.stderr


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("smooting=0", "Did you mean 'smoothing'?"),
        ("smoothing=much", "smoothing must be a number"),
        ("shared_variance=perhaps", "must be true or false"),
        ("keep=name", "use --keep"),
        ("smoothing", "--set takes NAME=VALUE"),
        ("priors={", "is no JSON"),
    ],
)
def test_a_wrong_setting_is_explained(run: Run, tmp_path: Path, setting: str, message: str) -> None:
    out = tmp_path / "model.json"
    result = run("train", "iris", "--model", "naive_bayes", "--out", out, "--set", setting)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert not out.exists()


def test_a_setting_given_twice_is_refused(run: Run, tmp_path: Path) -> None:
    twice = ("--set", "smoothing=0", "--set", "smoothing=1")
    result = run("train", "iris", "-m", "naive_bayes", "-o", tmp_path / "m.json", *twice)
    assert result.exit_code == 2
    assert "twice" in result.stderr


@pytest.mark.parametrize("name", ["id3", "c45", "cart"])
def test_trees_are_trained_by_their_names_with_settings(run: Run, tmp_path: Path, name: str) -> None:
    out = tmp_path / "tree.json"
    result = run("train", "iris", "-m", name, "-o", out, "--set", "max_depth=2", "--set", "min_leaf=3")
    assert result.exit_code == 0, result.output
    expected = getattr(sf, name)(max_depth=2, min_leaf=3).fit(sf.datasets.load("iris"), "species")
    assert sf.load(out).describe() == expected.describe()
    assert "DecisionTreeClassifier: species (3 classes) from 4 columns" in result.stdout


def test_a_target_with_fractions_makes_a_regression_tree(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "tree.json"
    result = run("train", "iris", "-t", "petal_width", "-m", "cart", "-o", out, "--set", "max_depth=2")
    assert "DecisionTreeRegressor: petal_width (a number) from 4 columns, 5 parameters" in result.stdout
    expected = sf.cart(criterion="variance", max_depth=2).fit(sf.datasets.load("iris"), "petal_width")
    assert sf.load(out).describe() == expected.describe()


@pytest.mark.parametrize("options", [("--task", "regression"), ("--set", "criterion=standard_deviation")])
def test_the_task_or_the_criterion_makes_few_whole_numbers_a_quantity(
    run: Run, tmp_path: Path, options: tuple[str, ...]
) -> None:
    out = tmp_path / "tree.json"
    document = json.loads(run("train", "hours_played", "-m", "id3", "-o", out, *options, "--json").stdout)
    assert (document["task"], document["classes"]) == ("regression", [])
    assert isinstance(sf.load(out), sf.DecisionTreeRegressor)
    run("train", "hours_played", "-m", "id3", "-o", out)
    assert isinstance(sf.load(out), sf.DecisionTreeClassifier)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("-t", "petal_width", "-m", "c45"), "c45 predicts classes, and the target is taken as a quantity"),
        (("-t", "petal_width", "-m", "c45", "--task", "classification"), "cut it into intervals"),
        (("-m", "cart", "--set", "criterion=variance"), "'setosa', which is no number"),
        (("-m", "cart", "--set", "criterion=entropy"), "criterion has no 'entropy'; here it is 'information_gain'"),
        (("-m", "cart", "--set", "depth=3"), "Did you mean 'max_depth'?"),
        (("-m", "cart", "--set", "max_depth=deep"), "max_depth must be a whole number of at least 0, or None, not"),
    ],
)
def test_what_a_tree_cannot_do_is_explained(run: Run, tmp_path: Path, command: tuple[str, ...], message: str) -> None:
    result = run("train", "iris", *command, "-o", tmp_path / "m.json")
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
