"""Real tables as they are: every model learns from the path and the target's name alone.

The tables are not part of the project; without them (../shared/data) these tests are skipped.
"""

from __future__ import annotations

import contextlib
import gzip
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.metrics import roc_auc_score

import suffice as sf
from suffice.errors import SufficeWarning

DATA = Path(__file__).parents[3] / "shared" / "data"
SOME_ROWS = 2_000


@dataclass(frozen=True)
class Raw:
    """A file, its target, and the columns that are left out as identifiers."""

    file: str
    target: str
    left_out: tuple[str, ...] = ()
    is_large: bool = False
    lines: int | None = None  # that are read, where there are very many


TABLES = [
    Raw("titanic3.csv", "survived", ("name",)),
    Raw("heart-cleveland.csv", "disease"),
    Raw("sick.csv", "Class"),
    Raw("penguins.csv", "species"),
    Raw("mushroom.csv", "class"),
    Raw("vote.csv", "Class"),
    Raw("labor.csv", "class"),
    Raw("adult.csv.gz", "income", is_large=True),
    Raw("census-income-kdd.csv.gz", "income", is_large=True, lines=10_000),
]
MODELS = [sf.NaiveBayes(), sf.NaiveBayes(likelihoods="kde"), sf.JointBayes(), sf.LDA(), sf.QDA()]

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"the real tables are not there ({DATA})")
TREES = [sf.id3(), sf.c45(), sf.cart()]
every_table = pytest.mark.parametrize("raw", TABLES, ids=lambda raw: raw.file)
every_model = pytest.mark.parametrize("model", MODELS, ids=repr)
every_tree = pytest.mark.parametrize("tree", TREES, ids=["id3", "c45", "cart"])


@cache
def some_rows(raw: Raw) -> pa.Table:
    """The table, or its first rows, as an Arrow table with the types of many more."""
    relation = duckdb.read_csv(
        str(DATA / raw.file),
        header=True,
        na_values=[""],
        sample_size=10_000,
        auto_type_candidates=["BIGINT", "DOUBLE", "DATE", "TIMESTAMP", "VARCHAR"],
    )
    return (relation.limit(SOME_ROWS) if raw.is_large else relation).to_arrow_table()


@pytest.fixture(scope="module")
def path_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Raw], Path]:
    """The file of a table, or one of its first lines."""
    folder = tmp_path_factory.mktemp("tables")

    def path(raw: Raw) -> Path:
        if raw.lines is None:
            return DATA / raw.file
        begun = folder / raw.file
        if not begun.exists():
            with gzip.open(DATA / raw.file) as whole, gzip.open(begun, "wb", compresslevel=1) as part:
                part.writelines(islice(whole, raw.lines))
        return begun

    return path


def fit(model: Any, raw: Raw, path: Path) -> Any:
    """Fit on the path; the warning about identifiers is due where there are any, and nowhere else.

    Only the first model reads the file; the others would read it in the same way.
    """
    expected = pytest.warns(SufficeWarning, match="is left out") if raw.left_out else contextlib.nullcontext()
    with expected:
        return clone(model).fit(some_rows(raw) if raw.is_large and model is not MODELS[0] else path, raw.target)


@every_table
@every_model
def test_a_raw_table_is_learned_read_saved_and_drawn_from(
    raw: Raw, model: Any, path_of: Callable[[Raw], Path], tmp_path: Path
) -> None:
    rows = some_rows(raw)
    fitted = fit(model, raw, path_of(raw))
    assert fitted.target_name_ == raw.target
    assert tuple(column.name for column in fitted.schema_.left_out) == raw.left_out

    posterior = fitted.predict_proba(rows)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, atol=1e-12)
    assert (posterior >= 0).all()
    classes = rows[raw.target].to_pylist()
    auc = roc_auc_score(classes, posterior if len(fitted.classes_) > 2 else posterior[:, 1], multi_class="ovr")
    assert auc > 0.75
    if model is MODELS[0] and raw.file.endswith(".csv"):
        np.testing.assert_allclose(fitted.predict_proba(DATA / raw.file)[: len(rows)], posterior, atol=1e-12)

    fitted.save(tmp_path / "model")
    loaded = sf.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(rows), posterior)

    explanation = loaded.explain(rows.slice(7, 1))
    np.testing.assert_allclose(explanation.posterior, posterior[7], rtol=0, atol=1e-12)
    assert raw.target in loaded.describe()
    assert set(loaded.sample(50, random_state=0)[raw.target].to_pylist()) <= set(classes)


@every_table
@every_tree
def test_a_raw_table_is_learned_read_and_saved_by_a_tree(raw: Raw, tree: Any, tmp_path: Path) -> None:
    """Of the large tables the first rows are enough."""
    rows = some_rows(raw)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SufficeWarning)
        fitted = clone(tree).fit(rows if raw.is_large else DATA / raw.file, raw.target)
    left_out = tuple(column.name for column in fitted.schema_.left_out)
    assert left_out[: len(raw.left_out)] == raw.left_out
    assert len(left_out) == len(raw.left_out) or tree.splits == "binary"  # near-identifiers
    named = [name for each in caught for name in re.findall("'([^']+)'", str(each.message).split("keep=")[0])]
    assert named == list(left_out)

    posterior = fitted.predict_proba(rows)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, atol=1e-9)
    classes = np.array(rows[raw.target].to_pylist())
    predicted = fitted.predict(rows)
    most_frequent = max(np.mean(classes == label) for label in fitted.classes_)
    assert np.mean(predicted == classes) > most_frequent or fitted.leaf_count == 1
    assert fitted.score(rows, raw.target) == pytest.approx(np.mean(predicted == classes), rel=1e-12)

    fitted.save(tmp_path / "tree")
    loaded = sf.load(tmp_path / "tree")
    np.testing.assert_array_equal(loaded.predict_proba(rows), posterior)
    text = loaded.describe()
    assert text == fitted.describe()
    assert raw.target in text

    for row in (0, 7, 99):
        explanation = loaded.explain(rows.slice(row % len(rows), 1))
        np.testing.assert_allclose(explanation.posterior, posterior[row % len(rows)], rtol=0, atol=1e-9)
    assert loaded.plot().svg.startswith("<svg")


@every_table
def test_a_raw_table_is_learned_read_and_saved_by_logistic_regression(raw: Raw, tmp_path: Path) -> None:
    """Of the large tables the first rows are enough."""
    rows = some_rows(raw)
    expected = pytest.warns(SufficeWarning, match="is left out") if raw.left_out else contextlib.nullcontext()
    with expected:
        fitted = sf.LogisticRegression().fit(rows if raw.is_large else DATA / raw.file, raw.target)
    assert tuple(column.name for column in fitted.schema_.left_out) == raw.left_out

    posterior = fitted.predict_proba(rows)
    np.testing.assert_allclose(posterior.sum(axis=1), 1.0, atol=1e-12)
    classes = rows[raw.target].to_pylist()
    auc = roc_auc_score(classes, posterior if len(fitted.classes_) > 2 else posterior[:, 1], multi_class="ovr")
    assert auc > 0.8
    shares = [classes.count(label) for label in fitted.classes_.tolist()]
    np.testing.assert_allclose(posterior.sum(axis=0), shares, rtol=1e-4)  # the intercepts are not penalised

    fitted.save(tmp_path / "model")
    loaded = sf.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_proba(rows), posterior)
    assert loaded.describe() == fitted.describe()
    assert str(loaded.summary()) == str(fitted.summary())
    for row in (0, 7, 50):
        explanation = loaded.explain(rows.slice(row, 1))
        np.testing.assert_allclose(explanation.posterior, posterior[row], rtol=0, atol=1e-12)
