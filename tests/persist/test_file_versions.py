"""Files of earlier versions still load and answer as they did; files of today are what the JSON Schema says."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import ModelFileError
from suffice.persist import checksum
from suffice.persist.json_schema import json_schema
from suffice.statistics.binary_digits import rounded_down

VERSIONS = sorted(Path(__file__).parent.glob("version_*"))
OLD = VERSIONS[0]
ANSWERS = {
    (folder.name, name): expected
    for folder in VERSIONS
    for name, expected in json.loads((folder / "answers.json").read_text()).items()
}
PUBLISHED = Path(__file__).parents[2] / "docs" / "model_file.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(json_schema())
KINDS = sorted((path.parent.name, path.stem) for folder in VERSIONS for path in folder.glob("*.json"))
KINDS = [(folder, name) for folder, name in KINDS if name != "answers"]


def answers(model, table):
    rows = (
        sf.datasets.load(table) if isinstance(table, str) else pd.DataFrame(table) if isinstance(table, dict) else table
    )
    names = ("predict_proba", "decision_function", "predict")
    ask = next(getattr(model, name) for name in names if hasattr(model, name))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(ask(rows))[:5]


@pytest.mark.parametrize(("version", "name"), sorted(ANSWERS))
def test_a_file_of_an_earlier_version_answers_as_it_did(version, name):
    expected = ANSWERS[version, name]
    model = sf.load(OLD.parent / version / f"{name}.json")
    # matrices are multiplied by BLAS, whose last digit depends on the processor
    np.testing.assert_allclose(answers(model, expected["table"]), expected["answers"], rtol=1e-12, atol=0)


@pytest.mark.parametrize(("version", "name"), KINDS)
def test_a_file_is_written_anew_in_the_version_of_today(version, name, tmp_path):
    path = tmp_path / "model.json"
    sf.load(OLD.parent / version / f"{name}.json").save(path)
    document = json.loads(path.read_text())
    assert document["version"] == 4
    VALIDATOR.validate(document)
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
        VALIDATOR.validate(document)


def test_the_published_schema_is_that_of_the_types():
    """`python -m suffice.persist.json_schema > docs/model_file.schema.json` brings it up to date."""
    assert json.loads(PUBLISHED.read_text()) == json_schema()


def binned_model():
    return sf.load(OLD.parent / "version_3" / "naive_bayes.json")


def test_histograms_of_an_earlier_version_have_seven_digits_and_merge_to_such():
    early = binned_model()
    shapes = early.statistic_.parts["shapes"]
    np.testing.assert_array_equal(shapes.histograms.digits, 7)
    assert shapes.histograms.weight.sum() == 3 * 150 - 9
    rows = pd.DataFrame({"size": [1.25, -3.5], "year": [2003, 2016], "income": [0.0, 1003.0], "class": ["far", "near"]})
    early.update(rows, "class")
    found = early.statistic_.parts["shapes"].histograms
    np.testing.assert_array_equal(found.digits, 7)
    np.testing.assert_array_equal(found.values, rounded_down(found.values, 7))
    assert found.weight.sum() == 3 * 152 - 9
    early.forget(rows, "class")
    np.testing.assert_array_equal(early.statistic_.parts["shapes"].histograms.values, shapes.histograms.values)


@pytest.mark.parametrize(
    "forge",
    [
        lambda shapes: shapes["cells"]["values"].reverse(),
        lambda shapes: shapes["cells"]["values"].__setitem__(-1, 6 << 18),
        lambda shapes: shapes["cells"]["values"].__setitem__(0, -1),
        lambda shapes: shapes["weight"]["values"].__setitem__(0, 0.0),
        lambda shapes: shapes.update(cells=[1, 2]),
        lambda shapes: shapes.update(columns=3),
        lambda shapes: shapes.update(schema=None),
    ],
)
def test_forged_histograms_of_an_earlier_version_are_refused(forge, tmp_path):
    path = tmp_path / "model.json"
    document = json.loads((OLD.parent / "version_3" / "naive_bayes.json").read_text())
    forge(document["statistic"]["parts"]["shapes"])
    del document["checksum"]
    document["checksum"] = checksum(document, {})
    path.write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match="cannot be understood"):
        sf.load(path)


def noted_model():
    cells = ["20", "31", "n/a", "44", "52", "28", "39", "61"] * 3
    table = pd.DataFrame({"age": cells, "left": ["no", "yes"] * 12})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sf.NaiveBayes().fit(table, "left")


def test_notes_keep_the_settings_they_speak_of(tmp_path):
    model = noted_model()
    model.save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    VALIDATOR.validate(document)
    (note,) = sf.load(tmp_path / "model.json").schema_.notes
    assert note == model.schema_.notes[0]
    assert note.worded(lambda setting: f"<{setting.name} {setting.value}>").endswith(
        "<nominal ['age']> reads it as levels."
    )


def test_a_note_of_an_earlier_version_is_plain_text():
    (note,) = sf.load(OLD.parent / "version_2" / "naive_bayes.json").schema_.notes
    assert note == noted_model().schema_.notes[0]
    assert type(note) is str


@pytest.mark.parametrize(
    "parts", ["text", [1], [{"setting": 1, "value": None}], [{"setting": "keep"}], [["text"]]], ids=repr
)
def test_a_forged_note_is_refused(parts, tmp_path):
    path = tmp_path / "model.json"
    noted_model().save(path)
    document = json.loads(path.read_text())
    document["shared"][0]["notes"] = [{"message": parts}]
    del document["checksum"]
    document["checksum"] = checksum(document, {})
    path.write_text(json.dumps(document))
    with pytest.raises(ModelFileError, match="cannot be understood"):
        sf.load(path)


@pytest.mark.parametrize(("steps", "is_told"), [(199, False), (200, True)])
def test_a_file_that_does_not_say_whether_steps_were_enough_tells_by_their_number(steps, is_told, tmp_path):
    document = json.loads((OLD / "lda.json").read_text())
    document["model"]["steps"] = steps
    document["checksum"] = checksum({key: part for key, part in document.items() if key != "checksum"}, {})
    (tmp_path / "model.json").write_text(json.dumps(document))
    assert ("did not converge" in sf.load(tmp_path / "model.json").describe()) == is_told


def test_a_file_that_does_not_say_why_a_column_was_left_out_tells_by_its_words(tmp_path):
    table = sf.datasets.load("play_tennis")
    sf.NaiveBayes(drop=["Wind"]).fit(table, "PlayTennis").save(tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    assert document["shared"][0]["left_out"][0].pop("kind") == "dropped"
    del document["checksum"]
    document["checksum"] = checksum(document, {})
    (tmp_path / "model.json").write_text(json.dumps(document))
    model = sf.load(tmp_path / "model.json")
    assert model.schema_.left_out[0].kind == "dropped"
    assert len(model.predict(table.drop_columns(["Wind"]))) == 14
