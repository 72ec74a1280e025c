from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from running import Run

import suffice as sf


def test_a_model_is_written_as_the_json_that_the_library_gives(run: Run, iris_lda: Path, tmp_path: Path) -> None:
    text = run("export", iris_lda).stdout
    assert text == sf.load(iris_lda).to_json() + "\n"
    assert run("export", iris_lda, "--format", "json", "-o", tmp_path / "e.json").exit_code == 0
    assert (tmp_path / "e.json").read_text() == text


def test_large_arrays_are_within_the_document_which_loads_again(run: Run, tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal(size=(300, 260))
    model = sf.GaussianDiscriminant().fit(x, (x[:, 0] > 0).astype(int))
    model.save(tmp_path / "large.json")
    assert (tmp_path / "large.json").read_bytes().startswith(b"PK")
    assert run("export", tmp_path / "large.json", "-o", tmp_path / "whole.json").exit_code == 0
    assert json.loads((tmp_path / "whole.json").read_text())["kind"] == "GaussianDiscriminant"
    np.testing.assert_array_equal(sf.load(tmp_path / "whole.json").predict_proba(x), model.predict_proba(x))


def test_a_distribution_is_written_too(run: Run, tmp_path: Path) -> None:
    sf.JointDistribution.from_table({"heads": 0.5, "tails": 0.5}, ["coin"]).save(tmp_path / "coin.json")
    assert json.loads(run("export", tmp_path / "coin.json").stdout)["kind"] == "JointDistribution"


def test_an_unknown_format_is_refused(run: Run, iris_lda: Path) -> None:
    result = run("export", iris_lda, "--format", "pmml")
    assert result.exit_code == 2
    assert "'pmml' is not" in result.stderr
