"""Model files: what is written is what is read, damage is noticed, and nothing in a file is ever run."""

from __future__ import annotations

import io
import json
import os
import pickle
import shutil
import stat
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from people import people
from sklearn.base import clone

import suffice as sf
from suffice import persist
from suffice.errors import ModelFileError
from suffice.persist import container

MODELS = [
    sf.NaiveBayes(),
    sf.NaiveBayes(smoothing=0),
    sf.NaiveBayes(smoothing=2.5, smoothing_prior="marginal"),
    sf.NaiveBayes(shared_variance=True),
    sf.NaiveBayes(likelihoods="kde"),
    sf.NaiveBayes(likelihoods={"length": "kde", "visits": "poisson", "member": "bernoulli"}),
    sf.NaiveBayes(priors="uniform"),
    sf.NaiveBayes(priors=np.array([0.2, 0.3, 0.5])),
    sf.NaiveBayes(nominal=["visits"], missing_values=["?", -1], keep=("town",)),
    sf.JointBayes(),
    sf.JointBayes(smoothing=1.5, bins=3),
    sf.GaussianDiscriminant("shared", unbiased=True),
    sf.GaussianDiscriminant("per_class"),
    sf.GaussianDiscriminant("diagonal", shrinkage=0.25),
    sf.LDA(),
    sf.LDA(shrinkage="ledoit_wolf"),
    sf.LDA(shrinkage="oas", priors=[0.2, 0.3, 0.5]),
    sf.QDA(),
    sf.QDA(shrinkage="ledoit_wolf"),
]


def wide(columns: int = 260) -> tuple[np.ndarray, np.ndarray]:
    """So many columns that the covariance is a large array."""
    random = np.random.default_rng(1)
    return random.normal(size=(60, columns)), np.arange(60) % 2


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("models")
    yield path
    shutil.rmtree(path)


@pytest.fixture(scope="module")
def as_json(folder: Path) -> bytes:
    sf.NaiveBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis").save(folder / "small.json")
    return (folder / "small.json").read_bytes()


@pytest.fixture(scope="module")
def as_zip(folder: Path) -> bytes:
    sf.LDA(shrinkage=0.5).fit(*wide()).save(folder / "large.model")
    return (folder / "large.model").read_bytes()


@pytest.fixture(scope="module")
def small_zip(folder: Path) -> bytes:
    """A zip of a small model, soon read: what a byte may do to a file does not depend on its size."""
    with small_arrays_beside():
        sf.LDA(shrinkage=0.5).fit(*wide(6)).save(folder / "small.model")
    return (folder / "small.model").read_bytes()


def small_arrays_beside() -> AbstractContextManager[Any]:
    """Meanwhile arrays of few numbers are saved beside the JSON too."""
    return patch.object(persist, "Writer", partial(persist.Writer, most_numbers=20))


def load_bytes(folder: Path, data: bytes) -> Any:
    path = folder / "candidate"
    path.write_bytes(data)
    return sf.load(path)


def signed(document: dict[str, Any]) -> bytes:
    """A document with the checksum it should have: what a forger would write."""
    document = {key: part for key, part in document.items() if key != "checksum"}
    document["checksum"] = persist.checksum(document, {})
    return json.dumps(document).encode()


# Round trips -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=MODELS, ids=repr)
def saved(request: pytest.FixtureRequest, folder: Path) -> tuple[Any, Any]:
    """A model, and the same loaded from its file."""
    model = clone(request.param).fit(people(90), "class")
    model.save(folder / "model")
    return model, sf.load(folder / "model")


def test_a_loaded_model_predicts_the_same_bits(saved: tuple[Any, Any]) -> None:
    table, (model, loaded) = people(90), saved
    assert type(loaded) is type(model)
    np.testing.assert_array_equal(loaded.predict_log_joint(table), model.predict_log_joint(table))
    np.testing.assert_array_equal(loaded.predict_proba(table), model.predict_proba(table))
    assert loaded.predict(table).tolist() == model.predict(table).tolist()
    assert loaded.describe() == model.describe()
    assert str(loaded.explain(table.iloc[3].to_dict())) == str(model.explain(table.iloc[3].to_dict()))
    pd.testing.assert_frame_equal(loaded.sample(20, random_state=0), model.sample(20, random_state=0))
    assert loaded.schema_ == model.schema_


def test_a_loaded_model_has_its_settings(saved: tuple[Any, Any]) -> None:
    model, loaded = saved
    assert repr(loaded) == repr(model)
    for name, value in model.get_params().items():
        assert type(loaded.get_params()[name]) is type(value)
    assert loaded.n_features_in_ == model.n_features_in_
    assert loaded.feature_names_in_.tolist() == model.feature_names_in_.tolist()


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_loaded_model_goes_on_learning_as_the_first_would(model: Any, tmp_path: Path) -> None:
    table = people(90)
    first, second = table[:60], table[60:]
    model.fit(first, "class").save(tmp_path / "model")
    loaded, other = sf.load(tmp_path / "model"), sf.load(tmp_path / "model")
    changes: list[Callable[[Any], Any]] = [
        lambda changed: changed.update(second, "class"),
        lambda changed: changed.forget(second[:15], "class"),
        lambda changed: changed.merge(other),
    ]
    for change in changes:
        mine, theirs = change(loaded), change(model)
        np.testing.assert_array_equal(mine.predict_log_joint(first), theirs.predict_log_joint(first))


def test_saving_what_was_loaded_gives_the_same_file(as_json: bytes, as_zip: bytes, folder: Path) -> None:
    for data in (as_json, as_zip):
        load_bytes(folder, data).save(folder / "again")
        assert (folder / "again").read_bytes() == data


@pytest.mark.parametrize(
    "labels",
    [["no", "yes"], [0, 1], [False, True], [-3, 2**60], ["1", "2"], [" ", "ü\n\"'"], ["a", "\ud800"]],
    ids=ascii,
)
@pytest.mark.parametrize("model", [sf.NaiveBayes(), sf.JointBayes(), sf.LDA()], ids=repr)
def test_the_type_of_the_labels_survives(labels: list[Any], model: Any, tmp_path: Path) -> None:
    x = np.random.default_rng(2).normal(size=(40, 2))
    y = np.array([labels[row % 2] for row in range(40)], dtype=object)
    model.fit(x, y).save(tmp_path / "model")
    loaded = sf.load(tmp_path / "model")
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.classes_.tolist() == sorted(labels)
    assert {type(label) for label in loaded.predict(x).tolist()} == {type(labels[0])}


@pytest.mark.parametrize("levels", [["u", "v"], [3, 5], [False, True], [0.5, 1.5]], ids=str)
def test_the_type_of_the_levels_survives(levels: list[Any], tmp_path: Path) -> None:
    table = pd.DataFrame({"a": pd.Series([levels[row // 2 % 2] for row in range(40)], dtype=object), "y": [0, 1] * 20})
    model = sf.NaiveBayes(nominal=["a"]).fit(table, "y")
    model.save(tmp_path / "model")
    loaded = sf.load(tmp_path / "model")
    assert loaded.schema_.nominal[0].levels == tuple(levels)
    assert list(map(type, loaded.schema_.nominal[0].levels)) == list(map(type, model.schema_.nominal[0].levels))
    np.testing.assert_array_equal(loaded.predict_proba(table), model.predict_proba(table))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(st.text(min_size=1), min_size=2, max_size=4, unique=True))
def test_any_name_and_any_level_survives(names: list[str], tmp_path: Path) -> None:
    column, *levels = names
    x = np.array([[levels[row % len(levels)]] for row in range(12)], dtype=object)
    frame = pd.DataFrame(x, columns=[column], dtype=object)
    model = sf.NaiveBayes().fit(frame, [0, 1, 1] * 4)
    model.save(tmp_path / "model")
    loaded = sf.load(tmp_path / "model")
    assert loaded.schema_ == model.schema_
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frame))


def test_numbers_that_are_not_finite_survive(tmp_path: Path) -> None:
    table = people(90).assign(nothing=np.nan)
    model = sf.NaiveBayes().fit(table, "class")
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(sf.load(tmp_path / "model").predict_proba(table), model.predict_proba(table))


# The file ----------------------------------------------------------------------------------------------------------


def test_a_small_model_is_a_readable_json_file(as_json: bytes) -> None:
    document = json.loads(as_json)
    assert document["format"] == "suffice model"
    assert document["version"] == 4
    assert document["kind"] == "NaiveBayes"
    text = as_json.decode()
    assert '"levels": ["Overcast", "Rain", "Sunny"]' in text
    assert "[0.0, 4.0]" in text  # Overcast: 0 of 5, 4 of 9
    assert max(map(len, text.splitlines())) < 200


def test_text_in_any_script_stays_readable(tmp_path: Path) -> None:
    sf.NaiveBayes().fit(people(90), "class").save(tmp_path / "model")
    assert '["Köln", "Łódź", "東京"]' in (tmp_path / "model").read_text(encoding="utf-8")


def test_large_arrays_stand_beside_the_json_in_a_zip(as_zip: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(as_zip)) as archive:
        names = archive.namelist()
        document = json.loads(archive.read("model.json"))
        arrays = [np.load(io.BytesIO(archive.read(name)), allow_pickle=False) for name in names[1:]]
    assert names[0] == "model.json"
    assert all(name.startswith("arrays/") and name.endswith(".npy") for name in names[1:])
    assert arrays
    assert all(array.size > persist.LARGE_ARRAY for array in arrays)
    assert document["kind"] == "LDA"


def test_a_model_with_large_arrays_predicts_the_same_bits(as_zip: bytes, folder: Path) -> None:
    x, y = wide()
    model = sf.LDA(shrinkage=0.5).fit(x, y)
    np.testing.assert_array_equal(load_bytes(folder, as_zip).predict_proba(x), model.predict_proba(x))


def test_saving_replaces_the_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    model = sf.NaiveBayes().fit(people(90), "class")
    for _ in range(2):
        model.save(tmp_path / "model.json")
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_a_model_file_goes_by_its_path(tmp_path: Path) -> None:
    model = sf.NaiveBayes().fit(people(90), "class")
    model.save(os.fsencode(tmp_path / "model.json"))
    assert sf.load(os.fsencode(tmp_path / "model.json")).describe() == model.describe()
    for path in (None, 3, io.BytesIO()):
        for work in (model.save, sf.load):
            with pytest.raises(ModelFileError, match=f"A model file goes by its path, and a {type(path).__name__} is"):
                work(path)  # type: ignore[arg-type]


def test_a_save_that_fails_leaves_the_old_file_whole(tmp_path: Path) -> None:
    model = sf.NaiveBayes().fit(people(90), "class")
    model.save(tmp_path / "model.json")
    before = (tmp_path / "model.json").read_bytes()
    model.smoothing = {"a", "set"}
    with pytest.raises(ModelFileError, match="cannot hold a set"):
        model.save(tmp_path / "model.json")
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]
    assert (tmp_path / "model.json").read_bytes() == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_a_saved_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("x")
    sf.NaiveBayes().fit(people(90), "class").save(tmp_path / "model")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("model", "other")]
    assert modes[0] == modes[1]


# Damage ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a suffice model file"),
        (b"a,b\n1,2\n", "not a suffice model file"),
        (b"\x80\x04\x95", "not a suffice model file"),
        (b"[1, 2]", "not a suffice model file"),
        (b'{"a": 1}', "not a suffice model file"),
        (b"PK\x03\x04 and no more", "not a suffice model file, or is damaged"),
        (b"[" * 100_000, "not a suffice model file, or is damaged"),
        (b"1" * 10_000, "not a suffice model file"),
    ],
    ids=["empty", "csv", "pickle", "list", "other JSON", "no zip", "deep", "long number"],
)
def test_a_foreign_file_is_refused(data: bytes, message: str, folder: Path) -> None:
    with pytest.raises(ModelFileError, match=message):
        load_bytes(folder, data)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"nothing\.json cannot be opened: No such file or directory"):
        sf.load(tmp_path / "nothing.json")
    with pytest.raises(ModelFileError, match="cannot be opened"):
        sf.load(tmp_path)
    for use in (sf.load, sf.NaiveBayes().fit([[1.0], [2.0]], [0, 1]).save):
        with pytest.raises(ModelFileError, match="it has a NUL in it"):
            use(f"{tmp_path}/a\0b.json")


def test_a_foreign_zip_is_refused(folder: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    with pytest.raises(ModelFileError, match=r"member 'word/document\.xml'"):
        load_bytes(folder, stream.getvalue())


def test_a_newer_version_asks_for_an_upgrade(as_json: bytes, folder: Path) -> None:
    document = json.loads(as_json) | {"version": 5, "suffice": "9.0"}
    with pytest.raises(ModelFileError, match=r"written by a newer suffice \(9\.0, file version 5\).*Upgrade suffice"):
        load_bytes(folder, json.dumps(document).encode())


def test_an_unknown_kind_is_named(as_json: bytes, folder: Path) -> None:
    with pytest.raises(ModelFileError, match="holds a 'Oracle', which this version of suffice does not know"):
        load_bytes(folder, signed(json.loads(as_json) | {"kind": "Oracle"}))


def test_a_change_by_hand_is_noticed(as_json: bytes, folder: Path) -> None:
    assert as_json.count(b"[0.0, 4.0]") > 0
    with pytest.raises(ModelFileError, match="checksum"):
        load_bytes(folder, as_json.replace(b"[0.0, 4.0]", b"[1.0, 4.0]", 1))


def test_other_spaces_and_another_order_are_no_damage(as_json: bytes, folder: Path) -> None:
    document = json.loads(as_json)
    turned = dict(reversed(document.items()))
    assert load_bytes(folder, json.dumps(turned, indent=4).encode()).classes_.tolist() == ["No", "Yes"]


def test_a_truncated_file_is_refused_wherever_it_was_cut(as_json: bytes, as_zip: bytes, folder: Path) -> None:
    for data in (as_json.rstrip(), as_zip):
        for end in np.linspace(0, len(data) - 1, 40).astype(int):
            with pytest.raises(ModelFileError):
                load_bytes(folder, data[:end])


def test_missing_and_foreign_arrays_are_refused(small_zip: bytes, folder: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(small_zip)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    without = dict(list(members.items())[:-1])
    for changed in (without, members | {"arrays/99.npy": b"x"}, members | {"model.json": b"{}"}):
        with pytest.raises(ModelFileError):
            load_bytes(folder, zipped(changed))


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


# Nothing is run ----------------------------------------------------------------------------------------------------


class Trap:
    """Creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return (open, (self.path, "w"))


def with_array(as_zip: bytes, data: bytes | None = None) -> bytes:
    """A model file of an early version, which did not announce its arrays, with one of them replaced."""
    with zipfile.ZipFile(io.BytesIO(as_zip)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members.pop("model.json"))
    del document["checksum"]
    for name in members:
        part = announced_array(document, name)
        del part["array"], part["shape"]
    members["arrays/0.npy"] = members["arrays/0.npy"] if data is None else data
    document["checksum"] = persist.checksum(document, members)
    return zipped({"model.json": json.dumps(document).encode(), **members})


def test_a_file_that_does_not_announce_its_arrays_is_read(as_zip: bytes, folder: Path) -> None:
    x, _ = wide()
    expected = load_bytes(folder, as_zip).predict_proba(x)
    np.testing.assert_array_equal(load_bytes(folder, with_array(as_zip)).predict_proba(x), expected)


def test_a_pickle_in_the_zip_is_refused_and_not_run(small_zip: bytes, folder: Path, tmp_path: Path) -> None:
    trap = Trap(tmp_path / "sprung")
    array = np.empty(1, dtype=object)
    array[0] = trap
    objects = io.BytesIO()
    np.save(objects, array, allow_pickle=True)
    for data in (pickle.dumps(trap), objects.getvalue()):
        with pytest.raises(ModelFileError):
            load_bytes(folder, with_array(small_zip, data))
    with zipfile.ZipFile(io.BytesIO(small_zip)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for name in ("model.pkl", "arrays/trap.pkl"):
        with pytest.raises(ModelFileError):
            load_bytes(folder, zipped(members | {name: pickle.dumps(trap)}))
    with pytest.raises(ModelFileError):
        load_bytes(folder, pickle.dumps(trap))
    assert not (tmp_path / "sprung").exists()


def test_arrays_of_another_kind_are_refused(small_zip: bytes, folder: Path) -> None:
    for array in (np.array(["x"]), np.array([1j]), np.zeros(3, dtype=[("a", int)]), np.float16([1.0])):
        stream = io.BytesIO()
        np.save(stream, array)
        with pytest.raises(ModelFileError, match="cannot be understood"):
            load_bytes(folder, with_array(small_zip, stream.getvalue()))
    archive = io.BytesIO()
    np.savez(archive, a=np.zeros(3))
    huge = b"\x93NUMPY\x01\x00" + (118).to_bytes(2, "little")
    huge += str({"descr": "<f8", "fortran_order": False, "shape": (10**15,)}).ljust(117).encode() + b"\n"
    for data in (b"", archive.getvalue(), huge):
        with pytest.raises(ModelFileError):
            load_bytes(folder, with_array(small_zip, data))


@pytest.mark.parametrize("name", ["Path", "Popen", "os.system", "eval", "__import__", "Trap", ""])
def test_only_known_types_are_made(as_json: bytes, folder: Path, name: str) -> None:
    document = json.loads(as_json)
    document["model"]["type"] = name
    with pytest.raises(ModelFileError, match="cannot be understood"):
        load_bytes(folder, signed(document))


@pytest.mark.parametrize(
    "change",
    [
        {"model": None},
        {"model": {"shared": 0}},
        {"kind": ["LDA"]},
        {"kind": "LDA"},
        {"settings": None},
        {"statistic": 1},
    ],
    ids=str,
)
def test_a_forged_file_is_refused(as_json: bytes, folder: Path, change: dict[str, Any]) -> None:
    with pytest.raises(ModelFileError, match="cannot be understood"):
        load_bytes(folder, signed(json.loads(as_json) | change))


# Traps -----------------------------------------------------------------------------------------------------------


def bomb(as_zip: bytes, change: Callable[[dict[str, Any], dict[str, bytes]], None]) -> bytes:
    """A model file that was changed by a forger, with the right checksum and all members compressed."""
    with zipfile.ZipFile(io.BytesIO(as_zip)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    document = json.loads(members.pop("model.json"))
    del document["checksum"]
    change(document, members)
    document["checksum"] = persist.checksum(document, members)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, data in {"model.json": json.dumps(document).encode(), **members}.items():
            archive.writestr(name, data)
    return stream.getvalue()


def announced_array(document: dict[str, Any], name: str) -> dict[str, Any]:
    for place in _places(document):
        inner = document
        for step in place:
            inner = inner[step]
        if isinstance(inner, dict) and inner.get("member") == name:
            return inner
    raise LookupError(name)


def zeros(shape: tuple[int, ...]) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.zeros(shape))
    return stream.getvalue()


def peak_of_loading(folder: Path, data: bytes, message: str = ".") -> int:
    """How much memory Python's own objects and NumPy's arrays took at most while a file was refused."""
    (folder / "bomb").write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError, match=message):
            sf.load(folder / "bomb")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_an_array_longer_than_announced_is_not_unpacked(as_zip: bytes, folder: Path) -> None:
    def change(document: dict[str, Any], members: dict[str, bytes]) -> None:
        members["arrays/0.npy"] = zeros((500_000,))

    data = bomb(as_zip, change)
    assert len(data) < 3_000_000
    assert peak_of_loading(folder, data) < 1_000_000


def test_an_array_that_no_one_announced_is_not_unpacked(as_zip: bytes, folder: Path) -> None:
    def change(document: dict[str, Any], members: dict[str, bytes]) -> None:
        members["arrays/77.npy"] = zeros((500_000,))

    assert peak_of_loading(folder, bomb(as_zip, change)) < 1_000_000


def test_a_zip_that_unpacks_to_far_more_than_its_size_is_refused(small_zip: bytes, folder: Path) -> None:
    def change(document: dict[str, Any], members: dict[str, bytes]) -> None:
        members["arrays/0.npy"] = zeros((200_000,))
        announced_array(document, "arrays/0.npy")["shape"] = [200_000]

    data = bomb(small_zip, change)
    assert len(data) * 100 < 1_600_000
    assert container.ROOM < 272_000_000
    with patch.object(container, "ROOM", 1 << 20):  # or the trap itself would have to be so large
        assert peak_of_loading(folder, data, "far more than a model of its size") < 1_000_000


def test_a_document_that_unpacks_to_far_more_than_its_size_is_refused(small_zip: bytes, folder: Path) -> None:
    def change(document: dict[str, Any], members: dict[str, bytes]) -> None:
        document["padding"] = " " * 1_600_000

    data = bomb(small_zip, change)
    assert len(data) * 20 < 1_600_000
    assert container.DOCUMENT_ROOM < 34_000_000
    with patch.object(container, "DOCUMENT_ROOM", 1 << 20):
        assert peak_of_loading(folder, data, "model.json would unpack to far more") < 1_000_000


def test_an_array_used_twice_or_named_twice_is_refused(small_zip: bytes, folder: Path) -> None:
    def twice(document: dict[str, Any], members: dict[str, bytes]) -> None:
        document["again"] = [announced_array(document, "arrays/0.npy")] * 1000

    with pytest.raises(ModelFileError, match="announces"):
        load_bytes(folder, bomb(small_zip, twice))
    with zipfile.ZipFile(io.BytesIO(small_zip)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w") as archive:
        warnings.simplefilter("ignore")
        for name, data in [*members, members[1]]:
            archive.writestr(name, data)
    with pytest.raises(ModelFileError, match="twice"):
        load_bytes(folder, stream.getvalue())


def test_a_model_that_shrinks_very_much_can_be_read_back(folder: Path) -> None:
    """It is written without compression, so that it does not look like a trap."""
    document, arrays = b"{}", {"arrays/0.npy": zeros((1_000_000,))}
    with patch.object(container, "ROOM", 1 << 20):
        archive = container._archive({"model.json": document, **arrays})
    assert len(archive) > 8_000_000
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert {entry.compress_type for entry in opened.infolist()} == {zipfile.ZIP_STORED}


# Fuzz --------------------------------------------------------------------------------------------------------------

ATOMS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
ANYTHING = st.recursive(ATOMS, lambda part: st.lists(part, max_size=3) | st.dictionaries(st.text(), part, max_size=3))
PLACE = st.integers(0, 65_535)  # in a file, which is shorter
fuzzed = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def loads_or_refuses(folder: Path, data: bytes) -> bool:
    """Whether the file could be loaded; any error but ModelFileError comes through."""
    try:
        load_bytes(folder, data)
    except ModelFileError:
        return False
    return True


@fuzzed
@given(data=st.binary(max_size=400))
def test_random_bytes_are_refused(data: bytes, folder: Path) -> None:
    for start in (b"", b"PK\x03\x04", b'{"format": "suffice model", "version": 1, '):
        assert not loads_or_refuses(folder, start + data)


@fuzzed
@given(where=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7), form=st.sampled_from(["json", "zip"]))
def test_a_flipped_bit_is_noticed_or_harmless(
    where: float, bit: int, form: str, as_json: bytes, small_zip: bytes, folder: Path
) -> None:
    whole = as_json if form == "json" else small_zip
    data = bytearray(whole)
    data[int(where * len(data))] ^= 1 << bit
    if loads_or_refuses(folder, bytes(data)):  # a space of the JSON, or a date of the zip
        with small_arrays_beside() if form == "zip" else nullcontext():
            sf.load(folder / "candidate").save(folder / "again")
        assert (folder / "again").read_bytes() == whole


@fuzzed
@given(
    changes=st.lists(st.tuples(PLACE, st.integers(0, 200), st.binary(max_size=20)), min_size=1, max_size=3),
    end=st.none() | PLACE,
    form=st.sampled_from(["json", "zip"]),
)
def test_mutations_and_truncations_raise_nothing_else(
    changes: list[tuple[int, int, bytes]],
    end: int | None,
    form: str,
    as_json: bytes,
    small_zip: bytes,
    folder: Path,
) -> None:
    data = as_json if form == "json" else small_zip
    for place, length, new in changes:
        start = place % (len(data) + 1)
        data = data[:start] + new + data[start + length :]
    loads_or_refuses(folder, data if end is None else data[: end % (len(data) + 1)])


@fuzzed
@given(changes=st.lists(st.tuples(PLACE, st.integers(0, 255)), min_size=1, max_size=4))
def test_mutations_of_the_central_directory_raise_nothing_else(
    changes: list[tuple[int, int]], small_zip: bytes, folder: Path
) -> None:
    """The last bytes of a zip say where everything is, how large, and how it is compressed."""
    tail = len(small_zip) - small_zip.rindex(b"PK\x01\x02") + 60
    data = bytearray(small_zip)
    for place, byte in changes:
        data[-1 - place % tail] = byte
    loads_or_refuses(folder, bytes(data))


@fuzzed
@given(changes=st.data())
def test_a_forged_document_raises_nothing_else(
    changes: st.DataObject, as_json: bytes, places: st.SearchStrategy[tuple[Any, ...]], folder: Path
) -> None:
    """Any part replaced by something else, under the right checksum."""
    document, place = json.loads(as_json), changes.draw(places)
    inner = document
    for step in place[:-1]:
        inner = inner[step]
    if changes.draw(st.booleans()):
        inner[place[-1]] = changes.draw(ANYTHING)
    else:
        del inner[place[-1]]
    loads_or_refuses(folder, signed(document))


@pytest.fixture(scope="module")
def places(as_json: bytes) -> st.SearchStrategy[tuple[Any, ...]]:
    """The parts of a document that a forger may change."""
    fixed = ("format", "version", "checksum")
    return st.sampled_from([place for place in _places(json.loads(as_json)) if place[0] not in fixed])


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every part of a document."""
    if path:
        yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in entries:
        yield from _places(part, (*path, key))


def test_only_members_that_shrink_are_compressed() -> None:
    """Measured digits hardly shrink, and to try takes longer than all the rest."""
    digits, counts = np.random.default_rng(0).normal(size=20_000).tobytes(), zeros((20_000,))
    archive = container._archive({"model.json": b"{}", "arrays/0.npy": digits, "arrays/1.npy": counts})
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        types = [entry.compress_type for entry in opened.infolist()]
    assert types == [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]
