"""Files of version 1 still load and answer as they did; files of today are what the JSON Schema says."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import suffice as sf
from suffice.persist.json_schema import json_schema

OLD = Path(__file__).parent / "version_1"
ANSWERS = json.loads((OLD / "answers.json").read_text())
PUBLISHED = Path(__file__).parents[2] / "docs" / "model_file.schema.json"
KINDS = sorted(path.stem for path in OLD.glob("*.json") if path.stem != "answers")


def answers(model, table):
    rows = sf.datasets.load(table) if isinstance(table, str) else table
    names = ("predict_proba", "decision_function", "predict")
    ask = next(getattr(model, name) for name in names if hasattr(model, name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(ask(rows))[:5]


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_a_file_of_version_1_answers_as_it_did(name):
    expected = ANSWERS[name]
    assert np.array_equal(answers(sf.load(OLD / f"{name}.json"), expected["table"]), np.array(expected["answers"]))


@pytest.mark.parametrize("name", KINDS)
def test_a_file_is_written_anew_in_the_version_of_today(name, tmp_path):
    path = tmp_path / "model.json"
    sf.load(OLD / f"{name}.json").save(path)
    document = json.loads(path.read_text())
    assert document["version"] == 2
    jsonschema.Draft202012Validator(json_schema()).validate(document)
    sf.load(path).save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()


def test_maps_with_names_are_objects_and_sequences_are_lists(tmp_path):
    sf.NaiveBayes(smoothing=2.0).fit(sf.datasets.load("play_tennis"), "PlayTennis").save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    assert document["settings"]["smoothing"] == 2.0
    assert document["shared"][0]["columns"][0]["levels"] == ["Overcast", "Rain", "Sunny"]
    assert list(document["statistic"]["parts"]) == ["classes", "counts", "moments"]


@pytest.mark.parametrize(
    "weights", [{"No": 1.0, "Yes": 2.0}, {"type": 1.0, "No": 2.0, "Yes": 1.0}], ids=["names", "a name that is a tag"]
)
def test_settings_come_back_as_they_were(weights, tmp_path):
    tennis = sf.datasets.load("play_tennis")
    model = sf.NaiveBayes(
        class_weight={name: weights[name] for name in ("No", "Yes")}, nominal=("Wind",), keep=["Wind"]
    )
    model.fit(tennis, "PlayTennis")
    model.class_weight = weights
    model.save(tmp_path / "model.json")
    again = sf.load(tmp_path / "model.json")
    assert (again.class_weight, again.nominal, again.keep) == (weights, ("Wind",), ["Wind"])


@pytest.mark.parametrize(
    "damage",
    [
        lambda document: document["model"].update(priors=[0.5, 0.5]),
        lambda document: document["model"].update(unknown=1),
        lambda document: document["shared"][0].update(columns="Wind"),
        lambda document: document.update(model={"type": "Nothing"}),
        lambda document: document.pop("checksum"),
    ],
)
def test_the_schema_refuses_what_no_model_looks_like(damage, tmp_path):
    sf.NaiveBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis").save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    damage(document)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(json_schema()).validate(document)


def test_the_published_schema_is_that_of_the_types():
    """`python -m suffice.persist.json_schema > docs/model_file.schema.json` brings it up to date."""
    assert json.loads(PUBLISHED.read_text()) == json_schema()
