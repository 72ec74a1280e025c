"""Files of linear models: they come back whole, and a forged one cannot lead the kernels astray."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from people import people
from sklearn.base import clone

import suffice as sf
from suffice import persist
from suffice.errors import ConvergenceWarning, ModelFileError, SeparationWarning

MODELS = [
    sf.LogisticRegression(),
    sf.LogisticRegression(l2=0),
    sf.LogisticRegression(degree=2, l2=3.0),
    sf.LogisticRegression(standardize=False, reference="y", class_weight="balanced"),
    sf.LogisticRegression(l2={"length": 2.0}, class_weight={"x": 2.0}, solver="conjugate_gradient", tol=1e-5),
    sf.Perceptron(max_epochs=20),
]
pytestmark = pytest.mark.filterwarnings("ignore::suffice.errors.ConvergenceWarning")  # of the perceptron


# Round trips ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=MODELS, ids=repr)
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """A model of three classes, and its file."""
    model, path = clone(request.param).fit(people(), "class"), tmp_path_factory.mktemp("models") / "model"
    model.save(path)
    return model, path


def test_a_loaded_model_answers_the_same_bits(file: tuple[Any, Path]) -> None:
    require_same_answers(file[0], sf.load(file[1]), people())


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_loaded_model_of_two_classes_answers_the_same_bits(model: Any, tmp_path: Path) -> None:
    table = people(classes=2)
    model.fit(table, "class").save(tmp_path / "model")
    require_same_answers(model, sf.load(tmp_path / "model"), table)


def require_same_answers(model: Any, loaded: Any, table: pd.DataFrame) -> None:
    assert type(loaded) is type(model)
    np.testing.assert_array_equal(loaded.decision_function(table), model.decision_function(table))
    assert loaded.predict(table).tolist() == model.predict(table).tolist()
    assert loaded.describe() == model.describe()
    assert str(loaded.explain(table.iloc[3].to_dict())) == str(model.explain(table.iloc[3].to_dict()))
    assert loaded.schema_ == model.schema_
    np.testing.assert_array_equal(loaded.coef_, model.coef_)
    if isinstance(model, sf.LogisticRegression):
        np.testing.assert_array_equal(loaded.predict_proba(table), model.predict_proba(table))
        assert str(loaded.summary()) == str(model.summary())
        assert str(loaded.summary("x")) == str(model.summary("x"))
    else:
        assert loaded.n_iter_ == model.n_iter_
        assert loaded.is_separating_ == model.is_separating_


def test_a_loaded_model_has_its_settings(file: tuple[Any, Path]) -> None:
    model, loaded = file[0], sf.load(file[1])
    assert repr(loaded) == repr(model)
    assert loaded.n_features_in_ == model.n_features_in_
    assert loaded.feature_names_in_.tolist() == model.feature_names_in_.tolist()
    assert loaded.target_name_ == "class"


def test_a_separable_model_comes_back_with_its_hyperplane(tmp_path: Path) -> None:
    table = people().assign(**{"class": lambda t: np.where(t["visits"] > 2, "x", "y")})
    with pytest.warns(SeparationWarning):
        model = sf.LogisticRegression(l2=0).fit(table, "class")
    model.save(tmp_path / "model")
    loaded = sf.load(tmp_path / "model")
    assert loaded.model_.separation == "complete"
    np.testing.assert_array_equal(loaded.model_.separating, model.model_.separating)
    assert str(loaded.summary()) == str(model.summary())


def test_a_large_model_is_a_zip_and_comes_back(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(60, 260)), np.arange(60) % 2
    model = sf.LogisticRegression().fit(x, y)
    model.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes().startswith(b"PK")
    np.testing.assert_array_equal(sf.load(tmp_path / "model").predict_proba(x), model.predict_proba(x))


def test_a_damaged_file_is_refused(file: tuple[Any, Path], tmp_path: Path) -> None:
    model, path = file[0], tmp_path / "model"
    data, number = file[1].read_bytes(), str(model.model_.weights[0, 0]).encode()
    for place in range(0, len(data) - 2, len(data) // 23):  # the last byte is the end of a line
        path.write_bytes(data[:place])
        with pytest.raises(ModelFileError):
            sf.load(path)
    for old, new in ((number, b"1" + number.lstrip(b"-")), (b"true", b"fals"), (b"weights", b"weight")):
        assert old in data
        path.write_bytes(data.replace(old, new, 1))
        with pytest.raises(ModelFileError):
            sf.load(path)


# Forgeries -----------------------------------------------------------------------------------------------------------

Change = Callable[[dict[str, Any]], None]
DESIGN = ["centre", "scale", "has_missing", "is_used"]
LOGISTIC = ["weights", "level_shares", "covariance", "is_known", "class_weight"]
PERCEPTRON = ["weights", "level_shares"]


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder, table, found = tmp_path_factory.mktemp("linear"), people(), {}
    with pytest.warns(ConvergenceWarning):
        sf.Perceptron(max_epochs=3).fit(table, "class").save(folder / "perceptron")
    sf.LogisticRegression().fit(table, "class").save(folder / "logistic")
    few = table[["length", "town", "grade", "class"]]  # every kind of product, and soon read
    sf.LogisticRegression(degree=2).fit(few, "class").save(folder / "degree two")
    for path in folder.iterdir():
        forged(path.read_text(encoding="utf-8"), path, with_short_covariance)
        sf.load(path)
        found[path.name] = path.read_text(encoding="utf-8")
    return found


def with_short_covariance(model: dict[str, Any]) -> None:
    """As sound as the true one, whose digits are nearly all of a file that is written and read hundreds of times."""
    if "covariance" in model:
        model["covariance"]["values"] = np.eye(len(model["covariance"]["values"])).tolist()


def forged(text: str, path: Path, change: Change) -> Path:
    """Change a saved model and make the checksum fit again."""
    document = json.loads(text)
    document.pop("checksum")
    change(document["model"])
    document["checksum"] = persist.checksum(document, {})
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def array_of(model: dict[str, Any], name: str) -> dict[str, Any]:
    return model["design"][name] if name in DESIGN else model[name]


def replaced(name: str, change: Callable[[np.ndarray], Any]) -> Change:
    """Put another array in the place of one."""

    def put(model: dict[str, Any]) -> None:
        old = array_of(model, name)
        new = np.asarray(change(np.array(old["values"], dtype=old["array"]).reshape(old["shape"])))
        encoded = persist.Writer().encode(new)
        old.clear()
        old.update(encoded)

    return put


def first_changed(value: Any) -> Callable[[np.ndarray], np.ndarray]:
    def change(array: np.ndarray) -> np.ndarray:
        array = array.astype(float)
        array.flat[0] = value
        return array

    return change


SHAPES: dict[str, Callable[[np.ndarray], Any]] = {
    "one less": lambda array: array[..., :-1],
    "one more": lambda array: np.concatenate([array, array[..., :1]], axis=-1),
    "one dimension more": lambda array: array[None],
    "flat": lambda array: np.concatenate([array.ravel(), array.ravel()]),
    "nothing": lambda array: array.ravel()[:0],
    "a number": lambda array: array.ravel()[0],
}
every_array = pytest.mark.parametrize(
    ("kind", "name"),
    [
        *[(kind, name) for kind in ("logistic", "degree two") for name in (*DESIGN, *LOGISTIC)],
        *[("perceptron", name) for name in (*DESIGN, *PERCEPTRON)],
    ],
)


def is_refused(path: Path) -> bool:
    try:
        sf.load(path)
    except ModelFileError:
        return True
    return False


@every_array
def test_an_array_of_another_shape_is_refused(kind: str, name: str, documents: dict[str, str], tmp_path: Path) -> None:
    for shape, change in SHAPES.items():
        if name != "covariance" or shape != "nothing":  # a model of very many weights has none
            assert is_refused(forged(documents[kind], tmp_path / "forged", replaced(name, change))), shape


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[(name, value) for name in ("centre", "scale", "weights", "covariance") for value in (np.nan, np.inf)],
        ("scale", -1.0),
        *[(name, value) for name in ("level_shares", "class_weight") for value in (np.nan, -1.0, np.inf)],
        ("level_shares", 7.0),
    ],
)
def test_a_number_that_cannot_be_is_refused(name: str, value: float, documents: dict[str, str], tmp_path: Path) -> None:
    path = forged(documents["logistic"], tmp_path / "forged", replaced(name, first_changed(value)))
    with pytest.raises(ModelFileError):
        sf.load(path)


@every_array
def test_something_else_in_the_place_of_an_array_is_refused(
    kind: str, name: str, documents: dict[str, str], tmp_path: Path
) -> None:
    for value in (None, 3, "text", [1.0], {"list": ["a", "b"]}):

        def change(model: dict[str, Any], value: Any = value) -> None:
            (model["design"] if name in DESIGN else model)[name] = value

        assert is_refused(forged(documents[kind], tmp_path / "forged", change)), value


@every_array
def test_an_array_of_another_type_is_refused(kind: str, name: str, documents: dict[str, str], tmp_path: Path) -> None:
    """The kernels are compiled for one type."""
    own = "bool" if name in ("has_missing", "is_used", "is_known") else "float64"
    for dtype in {"int64", "int32", "float64", "bool"} - {own}:
        change = replaced(name, lambda array, to=dtype: array.astype(to))
        assert is_refused(forged(documents[kind], tmp_path / "forged", change)), dtype


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("reference", -1),
        ("reference", 3),
        ("reference", 10**9),
        ("reference", "x"),
        ("reference", 1.5),
        ("reference", None),
        ("degree", 0),
        ("degree", 2),
        ("degree", 10**9),
        ("degree", "1"),
        ("separation", "perhaps"),
        ("separation", 7),
        ("log_likelihood", "high"),
        ("log_likelihood", None),
        ("prior", "perhaps"),
    ],
)
def test_a_forged_setting_is_refused(name: str, value: Any, documents: dict[str, str], tmp_path: Path) -> None:
    def change(model: dict[str, Any]) -> None:
        (model["design"] if name == "degree" else model)[name] = value

    with pytest.raises(ModelFileError):
        sf.load(forged(documents["logistic"], tmp_path / "forged", change))


@pytest.mark.parametrize("name", ["mistakes", "rows", "epochs"])
def test_a_forged_count_is_refused(name: str, documents: dict[str, str], tmp_path: Path) -> None:
    for value in (-1, "many", None, 1.5):

        def change(model: dict[str, Any], value: Any = value) -> None:
            model[name] = value

        assert is_refused(forged(documents["perceptron"], tmp_path / "forged", change)), value


@pytest.mark.parametrize("shape", [(1, 3), (2, 2), (2, 99), (7,)])
def test_a_hyperplane_that_does_not_fit_is_refused(
    shape: tuple[int, ...], documents: dict[str, str], tmp_path: Path
) -> None:
    def change(model: dict[str, Any]) -> None:
        model["separation"] = "complete"
        model["separating"] = persist.Writer().encode(np.ones(shape))

    with pytest.raises(ModelFileError):
        sf.load(forged(documents["logistic"], tmp_path / "forged", change))


def test_products_without_their_parts_are_refused(documents: dict[str, str], tmp_path: Path) -> None:
    """As many cells are used as there are weights, but the coefficient of a product has nowhere to go."""

    def change(array: np.ndarray) -> np.ndarray:
        array[[1, int(np.flatnonzero(~array)[0])]] = [False, True]
        return array

    assert is_refused(forged(documents["degree two"], tmp_path / "forged", replaced("is_used", change)))


def test_a_model_of_another_kind_is_refused(documents: dict[str, str], tmp_path: Path) -> None:
    document = json.loads(documents["perceptron"])
    document.pop("checksum")
    document["kind"] = "LogisticRegression"
    document["settings"] = json.loads(documents["logistic"])["settings"]
    document["checksum"] = persist.checksum(document, {})
    (tmp_path / "forged").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ModelFileError):
        sf.load(tmp_path / "forged")


def test_a_design_of_another_table_is_refused(documents: dict[str, str], tmp_path: Path) -> None:
    other = sf.LogisticRegression().fit(people().drop(columns="length"), "class")
    other.save(tmp_path / "other")
    stranger = json.loads((tmp_path / "other").read_text(encoding="utf-8"))
    document = json.loads(documents["logistic"])
    document.pop("checksum")
    document["shared"].append(stranger["shared"][0])
    document["model"]["design"] = {**stranger["model"]["design"], "schema": {"shared": len(document["shared"]) - 1}}
    document["checksum"] = persist.checksum(document, {})
    (tmp_path / "forged").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ModelFileError):
        sf.load(tmp_path / "forged")


def test_the_path_of_the_climb_comes_back(tmp_path: Path) -> None:
    model = sf.LogisticRegression(solver="gradient_ascent", max_iter=50).fit(people(), "class")
    model.save(tmp_path / "model")
    loaded = sf.load(tmp_path / "model")
    assert str(loaded.path_) == str(model.path_)
    assert (loaded.path_.names, loaded.path_.classes) == (model.path_.names, model.path_.classes)
    np.testing.assert_array_equal(loaded.path_.weights, model.path_.weights)


def test_a_file_of_an_early_version_without_a_path_is_read(documents: dict[str, str], tmp_path: Path) -> None:
    document = json.loads(documents["logistic"])
    del document["checksum"], document["path"]
    document["checksum"] = persist.checksum(document, {})
    (tmp_path / "model").write_text(json.dumps(document), encoding="utf-8")
    loaded = sf.load(tmp_path / "model")
    assert loaded.predict(people()).shape == (200,)
    loaded.save(tmp_path / "again")
    assert repr(sf.load(tmp_path / "again")) == repr(loaded)
