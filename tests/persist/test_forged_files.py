"""Forged files with the right checksum: what is loaded is a sound model, or a ModelFileError says why not."""

from __future__ import annotations

import contextlib
import copy
import json
import random
import warnings
from collections.abc import Callable, Iterator
from functools import cache, reduce
from operator import getitem
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice import persist
from suffice.errors import ModelFileError, SufficeError
from suffice.persist.known import KNOWN

ROWS = 40
MUTATIONS = 30  # of each kind of model, in each run of the tests


def people() -> pd.DataFrame:
    drawn = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "length": drawn.normal(size=ROWS),
            "visits": drawn.poisson(2.0, ROWS),
            "town": drawn.choice(["Köln", "Łódź", "東京"], ROWS),
            "member": drawn.random(ROWS) < 0.4,
            "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(drawn.integers(0, 900, ROWS), "D"),
            "class": drawn.choice(["x", "y", "z"], ROWS),
        }
    )
    table["note"] = [" ".join(drawn.choice(["good", "bad", "late", "paid", "новый"], 6)) for _ in range(ROWS)]
    table.loc[::7, "length"] = np.nan
    table.loc[::11, "town"] = None
    return table


TABLE = people()
QUANTITIES = TABLE.assign(**{"class": np.random.default_rng(1).normal(size=ROWS)})
EXPLAINED = [TABLE.drop(columns="class").iloc[row].to_dict() for row in (0, 3, 11)]
MODELS: dict[str, Callable[[], Any]] = {
    "naive Bayes": sf.NaiveBayes,
    "naive Bayes, shared": lambda: sf.NaiveBayes(shared_variance=True, smoothing_prior="marginal"),
    "naive Bayes, other likelihoods": lambda: sf.NaiveBayes(likelihoods={"length": "kde", "visits": "poisson"}),
    "naive Bayes, words there or not": lambda: sf.NaiveBayes(likelihoods={"note": "bernoulli"}),
    "naive Bayes, words counted": lambda: sf.NaiveBayes(likelihoods={"note": "multinomial"}, vocabulary=4),
    "joint Bayes": lambda: sf.JointBayes(smoothing=1.0, bins=3),
    "LDA": sf.LDA,
    "LDA, Ledoit-Wolf": lambda: sf.LDA(shrinkage="ledoit_wolf"),
    "QDA": sf.QDA,
    "diagonal": lambda: sf.GaussianDiscriminant("diagonal", priors="uniform"),
    "logistic": sf.LogisticRegression,
    "perceptron": lambda: sf.Perceptron(max_epochs=3),
    "C4.5": lambda: sf.c45(prune=None),
    "CART": lambda: sf.cart(prune=None),
    "CART of numbers": lambda: sf.cart(criterion="variance", prune=None, max_depth=4),
}
every_kind = pytest.mark.parametrize("kind", MODELS)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def fitted() -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tables = {kind: QUANTITIES if kind == "CART of numbers" else TABLE for kind in MODELS}
        return {kind: make().fit(tables[kind], "class") for kind, make in MODELS.items()}


@pytest.fixture(scope="module")
def documents(fitted: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the files of the models hold: text, which is parsed sooner than a document is copied."""
    path, found = tmp_path_factory.mktemp("forged") / "model", {}
    for kind, model in fitted.items():
        model.save(path)
        found[kind] = path.read_bytes()
    return found


def signed(document: dict[str, Any], path: Path) -> Path:
    """Write a document with the checksum it should have: what a forger would write."""
    document.pop("checksum", None)
    document["checksum"] = persist.checksum(document, {})
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


# Mutations -----------------------------------------------------------------------------------------------------------

OTHERS: list[Any] = [
    0,
    1,
    -1,
    2,
    7,
    0.5,
    -0.5,
    1e-300,
    1e300,
    -1e300,
    10**6,
    10**19,
    "",
    "x",
    "town",
    None,
    True,
    [],
    {},
]
OTHERS += [{"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"shared": 0}, {"tuple": []}, {"map": []}, [[1.0]]]


def mutated(document: bytes, seed: int) -> tuple[dict[str, Any], str]:
    """The document with one part changed, and what was done."""
    choose = random.Random(seed)
    changed = json.loads(document)
    inner, steps = changed, []
    while True:
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        keys = [key for key in keys if key not in ("format", "version", "suffice", "checksum")]
        if not keys:
            return changed, "nothing"
        key = choose.choice(keys)
        steps.append(key)
        part = inner[key]
        if not isinstance(part, (dict, list)) or not part or choose.random() < 0.05:
            break
        inner = part
    action = choose.choice(["other", "number", "number", "number", "delete", "twice", "swap"])
    if action == "number" and type(part) in (int, float):
        inner[key] = choose.choice([part + 1, -part, part * 1.001, part * 1e6, part * 1e-6, part + 0.25])
    elif action == "delete":
        del inner[key]
    elif action == "twice" and isinstance(inner, list):
        inner.insert(key, copy.deepcopy(part))
    elif action == "swap" and isinstance(inner, list):
        other = choose.randrange(len(inner))
        inner[key], inner[other] = inner[other], inner[key]
    else:
        inner[key] = copy.deepcopy(choose.choice(OTHERS))
    return changed, f"seed {seed}: {action} at {steps}"


def with_another_number(document: bytes, seed: int) -> tuple[dict[str, Any], str]:
    """The document with one number of the model or its statistic changed, and what was done."""
    choose = random.Random(seed)
    changed = json.loads(document)
    steps = choose.choice(places_of_numbers(document))
    inner, key = reduce(getitem, steps[:-1], changed), steps[-1]
    old = inner[key]
    inner[key] = choose.choice([old + 1, -old, old * 1.001, old * 1e6, old * 1e-6, 1e300, -1e300, 0, 0.0, 1e-300, 1.0])
    return changed, f"seed {seed}: {old} becomes {inner[key]} at {steps}"


@cache
def places_of_numbers(document: bytes) -> list[tuple[Any, ...]]:
    """The ways to the numbers of a model and its statistic."""
    whole = json.loads(document)
    return list(numbers_of({name: whole[name] for name in ("shared", "model", "statistic") if name in whole}))


def numbers_of(value: Any, steps: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every number of a document."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        if type(part) in (int, float):
            yield *steps, key
        elif isinstance(part, (dict, list)):
            yield from numbers_of(part, (*steps, key))


# What a sound model can do -------------------------------------------------------------------------------------------


def require_sane(model: Any, folder: Path) -> None:
    """Everything a model can be asked, with answers that make sense; a clear error is an answer too."""
    table = QUANTITIES if isinstance(model, sf.DecisionTreeRegressor) else TABLE
    for ask in (answers, reads, draws, learns, saves):
        with contextlib.suppress(SufficeError):
            ask(model, table, folder)


def answers(model: Any, table: pd.DataFrame, folder: Path) -> None:
    predicted = model.predict(table)
    if isinstance(model, sf.DecisionTreeRegressor):
        assert np.isfinite(predicted).all()
    else:
        assert set(predicted.tolist()) <= set(model.classes_.tolist())
    if hasattr(model, "predict_proba"):
        require_shares(model.predict_proba(table))


def require_shares(posterior: np.ndarray) -> None:
    assert np.isfinite(posterior).all()
    assert ((posterior >= 0) & (posterior <= 1)).all()
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, atol=1e-9)


def reads(model: Any, table: pd.DataFrame, folder: Path) -> None:
    assert len(model.describe()) > 40
    for row in EXPLAINED:
        explanation = model.explain(row)
        assert len(str(explanation)) > 20
        assert explanation._repr_html_()
    if hasattr(model, "summary"):
        assert str(model.summary())
        assert np.isfinite(model.coef_).all()
        assert str(getattr(model, "path_", "none"))  # files of early versions have none
    if hasattr(model, "rules"):
        assert str(model.rules())
        assert model.plot().svg
        assert np.isfinite(model.feature_importances_).all()
        assert (model.apply(table) < model.node_count).all()


def draws(model: Any, table: pd.DataFrame, folder: Path) -> None:
    if hasattr(model, "sample"):
        assert len(model.sample(20, random_state=0)) == 20


def learns(model: Any, table: pd.DataFrame, folder: Path) -> None:
    if hasattr(model, "update"):
        other = copy.copy(model)
        other.update(table[:10], "class")
        require_shares(other.predict_proba(table))


def saves(model: Any, table: pd.DataFrame, folder: Path) -> None:
    model.save(folder / "again")
    sf.load(folder / "again")


def test_every_type_a_file_may_hold_says_what_it_must_be() -> None:
    for known in KNOWN.values():
        assert callable(known.__dict__.get("require_sound") or getattr(known, "require_sound", None)), known


@every_kind
def test_a_model_that_was_not_changed_is_sound(kind: str, documents: dict[str, bytes], tmp_path: Path) -> None:
    require_sane(sf.load(signed(json.loads(documents[kind]), tmp_path / "model")), tmp_path)


@every_kind
def test_a_forged_file_gives_a_sound_model_or_is_refused(
    kind: str, documents: dict[str, bytes], tmp_path: Path
) -> None:
    for seed in range(MUTATIONS):
        document, what = (mutated if seed % 2 else with_another_number)(documents[kind], seed)
        try:
            try:
                model = sf.load(signed(document, tmp_path / "model"))
            except ModelFileError:
                continue
            require_sane(model, tmp_path)
        except Exception as error:
            raise AssertionError(f"{kind}, {what}: {error!r}") from error


def test_second_moments_whose_squares_cannot_be_kept_beside_fourth_ones_are_refused(
    documents: dict[str, bytes], tmp_path: Path
) -> None:
    document = json.loads(documents["LDA, Ledoit-Wolf"])
    scatter = document["statistic"]["parts"]["fourth"]["second"]["scatter"]["values"]
    scatter[0][2][2] = 1e300
    with pytest.raises(ModelFileError, match="second moments"):
        sf.load(signed(document, tmp_path / "model"))


@every_kind
def test_everything_a_fit_leaves_in_an_estimator_comes_back(kind: str, fitted: dict[str, Any], tmp_path: Path) -> None:
    model = fitted[kind]
    model.save(tmp_path / "model")
    loaded = sf.load(tmp_path / "model")
    assert set(vars(loaded)) == set(vars(model))
    public = [name for name in dir(model) if name.endswith("_") and not name.startswith("_")]
    for name in public:
        mine, theirs = (getattr(estimator, name, "nothing") for estimator in (model, loaded))
        assert type(mine) is type(theirs), name
        if isinstance(mine, np.ndarray):
            np.testing.assert_array_equal(mine, theirs)
