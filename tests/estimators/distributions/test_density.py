"""Gaussian and kernel densities of tables: the same numbers as scipy's, the laws of densities, and what is refused."""

from __future__ import annotations

import copy
import json
import random as plain_random
import xml.etree.ElementTree as ElementTree
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from scipy.stats import gaussian_kde, multivariate_normal
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import suffice as sf
from numbers_of import numbers_of
from sklearn_checks import require_checks_hold
from suffice import persist
from suffice.errors import (
    ForgetError,
    MergeError,
    ModelFileError,
    SettingError,
    SufficeError,
    SufficeWarning,
    TableError,
)
from suffice.report import density_picture
from suffice.report.svg import text_width

DENSITIES = [
    sf.GaussianDensity(),
    sf.GaussianDensity(unbiased=True),
    sf.KernelDensity(),
    sf.KernelDensity("silverman"),
    sf.KernelDensity("likelihood"),
    sf.KernelDensity(0.3),
]
every_density = pytest.mark.parametrize("density", DENSITIES, ids=repr)


def mixture(rows: int, dimensions: int, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    first = random.normal(size=(rows, dimensions)) @ random.normal(size=(dimensions, dimensions))
    return np.where(random.random(rows)[:, None] < 0.3, first + 4.0, first)


@pytest.mark.parametrize(
    "estimator", [sf.GaussianDensity(), sf.KernelDensity(), sf.KernelDensity("likelihood")], ids=repr
)
def test_scikit_learns_own_checks_hold(estimator: Any) -> None:
    require_checks_hold(estimator)


# The same as scipy's --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bandwidth", ["scott", "silverman", 0.25])
@pytest.mark.parametrize("dimensions", [1, 2, 3, 6])
def test_kernel_densities_are_scipys(bandwidth: Any, dimensions: int) -> None:
    points, queries = mixture(300, dimensions), mixture(200, dimensions, seed=1) * 1.5
    expected = gaussian_kde(points.T, bandwidth)
    found = sf.KernelDensity(bandwidth).fit(points)
    np.testing.assert_allclose(found.density(queries), expected(queries.T), rtol=1e-8)
    np.testing.assert_allclose(found.kernel_covariance_, expected.covariance, rtol=1e-10)
    assert found.factor_ == pytest.approx(expected.factor)


@pytest.mark.parametrize(("dimensions", "rows"), [(1, 20_000), (2, 20_000), (3, 6_000)])
def test_kernel_densities_of_many_rows_are_scipys_to_a_part_in_a_thousand_of_the_peak(
    dimensions: int, rows: int
) -> None:
    points, queries = mixture(rows, dimensions), mixture(300, dimensions, seed=2)
    expected = gaussian_kde(points.T)(queries.T)
    found = sf.KernelDensity().fit(points).density(queries)
    np.testing.assert_allclose(found, expected, atol=expected.max() / 1_000)


def test_weights_are_repetitions() -> None:
    points, times = mixture(40, 2), np.random.default_rng(3).integers(0, 4, 40)
    for make in (sf.KernelDensity, sf.GaussianDensity):
        weighted = make().fit(points, sample_weight=times).log_density(points)
        repeated = make().fit(np.repeat(points, times, axis=0))
        np.testing.assert_allclose(weighted, repeated.log_density(points), rtol=1e-9)
    named = pd.DataFrame(points, columns=["a", "b"]).assign(n=times)
    found = sf.KernelDensity().fit(named, sample_weight="n")
    assert found.schema_.names == ("a", "b")
    expected = gaussian_kde(np.repeat(points, times, axis=0).T)(points.T)
    np.testing.assert_allclose(found.density(named), expected, rtol=1e-8)


@pytest.mark.parametrize("dimensions", [1, 3])
def test_the_gaussian_is_the_textbooks(dimensions: int) -> None:
    points = mixture(500, dimensions)
    for unbiased in (False, True):
        found = sf.GaussianDensity(unbiased).fit(points)
        covariance = np.cov(points.T, bias=not unbiased).reshape(dimensions, dimensions)
        np.testing.assert_allclose(found.covariance_, covariance, rtol=1e-9)
        np.testing.assert_allclose(found.mean_, points.mean(axis=0), rtol=1e-9)
        expected = multivariate_normal(points.mean(axis=0), covariance).logpdf(points)
        np.testing.assert_allclose(found.log_density(points), expected, rtol=1e-9)


def test_naive_bayes_uses_the_same_kernel_density() -> None:
    values = mixture(3_000, 1)
    kde = sf.NaiveBayes(likelihoods="kde").fit(np.concatenate([values, values + 100]), np.repeat([0, 1], 3_000))
    width = float(kde.model_.likelihoods[0].bandwidth[0, 0])
    found = sf.KernelDensity(width / values.std(ddof=1)).fit(values)
    log_joint = kde.predict_log_joint(values)[:, 0] - np.log(0.5)
    np.testing.assert_allclose(found.log_density(values), log_joint, rtol=1e-9)


# Laws -----------------------------------------------------------------------------------------------------------------


@every_density
def test_densities_integrate_to_one(density: Any) -> None:
    line = np.linspace(-60, 60, 6_001)
    one = clone(density).fit(mixture(150, 1))
    assert trapezoid(one.density(line[:, None]), line) == pytest.approx(1.0, abs=1e-6)
    side = np.linspace(-14, 14, 141)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    two = clone(density).fit(mixture(150, 2))
    over_one = trapezoid(two.density(grid).reshape(141, 141), side)
    assert trapezoid(over_one, side) == pytest.approx(1.0, abs=0.01)
    np.testing.assert_allclose(over_one, two.density(np.column_stack([np.full(141, np.nan), side])), atol=2e-3)


@every_density
def test_a_sample_gives_the_density_back(density: Any) -> None:
    points = mixture(400, 2)
    first = clone(density).fit(points)
    drawn = first.sample(20_000, random_state=0)
    assert drawn.column_names == ["x0", "x1"]
    table = np.column_stack([column.to_numpy() for column in drawn.columns])
    again = sf.KernelDensity(0.12).fit(table)
    peak = first.density(points).max()
    assert np.abs(again.density(points) - first.density(points)).mean() < 0.12 * peak
    np.testing.assert_allclose(table.mean(axis=0), points.mean(axis=0), atol=0.1)
    assert first.sample(3, random_state=5).equals(first.sample(3, random_state=5))


@every_density
@settings(max_examples=8, deadline=None)
@given(st.integers(3, 60), st.integers(1, 3), st.integers(0, 1_000))
def test_merged_updated_and_forgotten_as_if_learned_at_once(density: Any, cut: int, dimensions: int, seed: int) -> None:
    points = mixture(64, dimensions, seed)
    whole = clone(density).fit(points)
    expected = whole.log_density(points)
    first, second = clone(density).fit(points[:cut]), clone(density).fit(points[-(64 - cut) :])
    before = first.log_density(points[:cut])
    for joined in (copy.copy(first).update(points[cut:]), first.merge(second)):
        np.testing.assert_allclose(joined.log_density(points), expected, rtol=1e-6, atol=1e-6)
    if cut > 8:
        left = whole.forget(points[cut:])
        np.testing.assert_allclose(left.log_density(points[:cut]), before, rtol=1e-5, atol=1e-5)


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """One table, first as a frame of pandas."""
    folder = tmp_path_factory.mktemp("forms")
    frame = pd.DataFrame(mixture(80, 2), columns=["a", "b"])
    frame.to_csv(folder / "t.csv", index=False)
    frame.to_parquet(folder / "t.parquet")
    return [frame, pl.from_pandas(frame), pa.Table.from_pandas(frame), str(folder / "t.parquet"), folder / "t.csv"]


@every_density
def test_the_same_table_in_any_form_is_the_same_density(density: Any, forms: list[Any]) -> None:
    array = forms[0].to_numpy()
    expected = clone(density).fit(array).log_density(array)
    for form in forms:
        np.testing.assert_allclose(clone(density).fit(form).log_density(form), expected, rtol=1e-9)


def test_units_and_places_do_not_matter() -> None:
    points = mixture(100, 2)
    for make in (sf.KernelDensity, sf.GaussianDensity):
        expected = make().fit(points).log_density(points)
        moved = points * [1e-80, 1e60] + [0.0, 1e62]
        found = make().fit(moved).log_density(moved) + np.log(1e-80) + np.log(1e60)
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


def test_a_grid_search_finds_a_bandwidth_by_score() -> None:
    points = mixture(120, 1)
    search = GridSearchCV(sf.KernelDensity(), {"bandwidth": [0.01, 0.2, 5.0]}).fit(points)
    assert search.best_params_ == {"bandwidth": 0.2}
    best = search.best_estimator_
    assert best.score(points) == pytest.approx(best.score_samples(points).sum())


# Columns and missing values -------------------------------------------------------------------------------------------


def test_columns_are_chosen_by_name_and_others_ignored() -> None:
    iris = sf.datasets.load("iris")
    found = sf.KernelDensity(columns=["petal_width", "petal_length"]).fit(iris)
    assert found.schema_.names == ("petal_width", "petal_length")
    small = iris.select(["petal_length", "petal_width"])
    np.testing.assert_array_equal(found.density(small), found.density(iris))
    array = np.column_stack([small["petal_width"], small["petal_length"]])
    np.testing.assert_array_equal(found.density(array), found.density(iris))
    with pytest.raises(TableError, match="The array has 3 columns, the density 2: 'petal_width', 'petal_length'"):
        found.density(np.ones((4, 3)))
    wide = mixture(40, 4)
    chosen = sf.KernelDensity(columns=[3, 1]).fit(wide)
    np.testing.assert_array_equal(chosen.density(wide), chosen.density(wide[:, [3, 1]]))
    numeric = sf.GaussianDensity().fit(iris)
    assert "species" not in numeric.schema_.names
    np.testing.assert_array_equal(numeric.density(iris.drop(["species"])), numeric.density(iris))


def test_nothing_is_said_of_columns_that_hold_no_numbers() -> None:
    table = pd.DataFrame({"id": [f"r{k}" for k in range(40)], "x": mixture(40, 1)[:, 0]})
    assert sf.KernelDensity().fit(table).schema_.names == ("x",)  # a warning would be an error here
    with pytest.raises(TableError, match="No column of the table holds numbers"):
        sf.KernelDensity().fit(table[["id"]])


def test_a_series_is_a_table_of_one_column() -> None:
    values = mixture(50, 1)[:, 0]
    expected = sf.KernelDensity().fit(values[:, None]).density(values[:, None])
    for series in (pd.Series(values, name="v"), pl.Series("v", values)):
        np.testing.assert_allclose(sf.KernelDensity().fit(series).density(series), expected)


def test_rows_with_gaps_are_left_out_of_kernels_and_completed_for_the_gaussian() -> None:
    points = mixture(200, 2)
    points[::10, 0] = np.nan
    kernel = sf.KernelDensity().fit(points)
    complete = points[~np.isnan(points).any(axis=1)]
    np.testing.assert_allclose(kernel.density(complete), gaussian_kde(complete.T)(complete.T), rtol=1e-8)
    assert "20 with missing values left out" in kernel.describe()
    gaussian = sf.GaussianDensity().fit(points)
    assert gaussian.mean_[1] == pytest.approx(points[:, 1].mean(), rel=1e-6)
    assert "expectation–maximisation" in gaussian.describe()


@every_density
def test_a_row_with_gaps_has_the_density_of_what_it_has(density: Any) -> None:
    found = clone(density).fit(mixture(100, 3))
    rows = np.array([[1.0, np.nan, 2.0], [np.nan, np.nan, 0.5], [np.nan, np.nan, np.nan]])
    log = found.log_density(rows)
    assert log[2] == 0.0
    line = np.linspace(-80, 80, 8_001)
    over = np.column_stack([np.full(8_001, 1.0), line, np.full(8_001, 2.0)])
    assert trapezoid(found.density(over), line) == pytest.approx(np.exp(log[0]), rel=1e-3)


def test_dates_have_densities_too() -> None:
    days = pd.date_range("2020-01-01", periods=60, freq="3D")
    found = sf.KernelDensity().fit(pd.DataFrame({"day": days}))
    assert "2020-03" in found.describe()
    assert found.sample(3, random_state=0)["day"].dt.year.isin([2019, 2020]).all()
    assert "2020" in found.plot().svg


# What is refused ------------------------------------------------------------------------------------------------------


@every_density
@pytest.mark.parametrize(
    ("table", "words"),
    [
        (pd.DataFrame({"a": ["x", "y", "x"] * 10}), "No column of the table holds numbers"),
        (pd.DataFrame({"a": [1.0, 1.0, 1.0], "b": [1.0, 2.0, 3.0]}), r"'a' has the same value.*columns=\['b'\]"),
        (pd.DataFrame({"a": [2.0, 2.0]}), "Give a column whose values differ"),
        (pd.DataFrame({"a": [3.5]}), "no density of one sample"),
        (pd.DataFrame({"a": [1.0, float("inf"), 2.0]}), "'a' contains infinity"),
        (pd.DataFrame({"a": []}), "no rows"),
    ],
)
def test_tables_without_a_density(density: Any, table: pd.DataFrame, words: str) -> None:
    with pytest.raises(TableError, match=words):
        clone(density).fit(table)


def test_nothing_known() -> None:
    empty = np.full((5, 2), np.nan)
    for make in (sf.KernelDensity, sf.GaussianDensity):
        with pytest.raises(TableError):
            make().fit(empty)
    alternating = np.array([[1.0, np.nan], [np.nan, 2.0], [3.0, np.nan], [np.nan, 4.0]])
    with pytest.raises(TableError, match="No row has a value in every column"):
        sf.KernelDensity().fit(alternating)


@pytest.mark.parametrize("make", [sf.KernelDensity, sf.GaussianDensity])
def test_settings_and_questions_that_cannot_be(make: Any) -> None:
    iris = sf.datasets.load("iris")
    with pytest.raises(TableError, match="Did you mean 'petal_length'"):
        make(columns=["petal_lenght"]).fit(iris)
    with pytest.raises(TableError, match="'species' does not hold numbers"):
        make(columns=["species"]).fit(iris)
    with pytest.raises(SettingError, match=r"columns=\['petal_length'\]"):
        make().fit(iris, "petal_length")
    found = make().fit(iris)
    with pytest.raises(TableError, match="lacks the column 'sepal_width'"):
        found.density(iris.drop(["sepal_width"]))
    with pytest.raises(ValueError, match="2 features"):
        make().fit(mixture(30, 3)).density(mixture(5, 2))
    with pytest.raises(TableError, match="infinity"):
        make().fit(mixture(30, 1)).density([[np.inf]])
    with pytest.raises(SettingError, match="rows to draw"):
        found.sample(-1)
    with pytest.raises(TableError, match="weigh 1 in all"):
        make().fit(mixture(10, 1), sample_weight=np.full(10, 0.1))


def test_what_does_not_merge_and_cannot_be_forgotten() -> None:
    points = mixture(50, 2)
    kernel, gaussian = sf.KernelDensity().fit(points), sf.GaussianDensity().fit(points)
    with pytest.raises(MergeError, match="cannot take in"):
        kernel.merge(gaussian)
    with pytest.raises(MergeError, match="same columns"):
        kernel.merge(sf.KernelDensity().fit(mixture(50, 3)))
    before = kernel.density(points)
    for density in (kernel, gaussian):
        with pytest.raises(ForgetError):
            density.forget(points + 500.0)
    with pytest.raises(ForgetError, match="What is left has no density"):
        kernel.forget(points[:-1])
    np.testing.assert_array_equal(kernel.density(points), before)


def test_collinear_columns_have_a_density_all_the_same() -> None:
    line = mixture(60, 1)
    doubled = np.column_stack([line, 2.0 * line])
    for make in (sf.KernelDensity, sf.GaussianDensity):
        assert np.isfinite(make().fit(doubled).log_density(doubled)).all()
    assert "shrunk" in sf.GaussianDensity().fit(doubled).describe()


# Pictures -------------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def coarse_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Curves and maps of few points, where it only matters that they are drawn."""
    monkeypatch.setattr(density_picture, "CURVE_POINTS", 48)
    monkeypatch.setattr(density_picture, "MAP_CELLS", 12)


def drawn(picture: Any, kind: str) -> int:
    root = ElementTree.fromstring(picture.svg)
    return sum(1 for part in root.iter() if part.get("class") == kind)


@pytest.mark.usefixtures("coarse_pictures")
@pytest.mark.parametrize("density", [sf.GaussianDensity(), sf.KernelDensity()], ids=repr)
def test_a_curve_for_every_column_and_a_map_for_every_pair(density: Any) -> None:
    for dimensions, curves, maps in ((1, 1, 0), (2, 2, 1), (3, 3, 3), (7, 5, 10)):
        picture = clone(density).fit(mixture(60, dimensions)).plot()
        assert (drawn(picture, "curve"), drawn(picture, "map")) == (curves, maps)
    assert "the first 5 of 7 columns" in picture.svg


def test_columns_of_a_picture_are_chosen(tmp_path: Path) -> None:
    found = sf.KernelDensity().fit(mixture(60, 7))
    picture = found.plot(["x6", "x2"])
    assert (drawn(picture, "curve"), drawn(picture, "map")) == (2, 1)
    picture.save(tmp_path / "d.svg")
    assert repr(picture) == "DensityPicture: a notebook shows it, save('density.svg') writes it."
    with pytest.raises(TableError, match="no column of the density 'x9'"):
        found.plot("x9")


@pytest.mark.usefixtures("coarse_pictures")
def test_no_label_below_a_picture_runs_into_the_next() -> None:
    x, random = np.linspace(0.0, 1.0, 60), np.random.default_rng(0)
    columns = {"a": 172 + 60 * x, "when": pd.date_range("2020-01-01", periods=60, freq="77h"), "b": 1e12 + 6e12 * x**2}
    table = pd.DataFrame({**columns, "c": random.normal(size=60)})
    root = ElementTree.fromstring(sf.GaussianDensity().fit(table).plot().svg)
    panels = [[part for part in panel.iter(f"{SVG}text") if part.get("y") == "165"] for panel in root.iter(f"{SVG}g")]
    for labels in filter(None, panels):
        ends = [
            (float(part.get("x", 0)) - width / 2, float(part.get("x", 0)) + width / 2)
            for part in labels
            for width in [text_width(part.text or "", 10.0)]
        ]
        assert all(before[1] < after[0] for before, after in pairwise(ends))
        assert all(begin > -9 and end < 159 for begin, end in ends)


@pytest.mark.usefixtures("coarse_pictures")
def test_large_numbers_and_dates_beside_a_picture_are_written_whole() -> None:
    x = np.linspace(0.0, 1.0, 60)
    table = pd.DataFrame({"a": x**2, "big": 1e12 + 6e12 * x, "when": pd.date_range("2020-01-01", periods=60)})
    picture = sf.GaussianDensity().fit(table).plot().svg
    assert "…" not in picture
    assert ">5e+12<" in picture
    assert ">2020-02-08<" in picture


# Files ----------------------------------------------------------------------------------------------------------------


@every_density
def test_what_is_saved_is_what_is_loaded(density: Any, tmp_path: Path) -> None:
    points = pd.DataFrame(mixture(80, 2), columns=["a", "b"])
    first = clone(density).fit(points[:60])
    first.save(tmp_path / "d.json")
    again = sf.load(tmp_path / "d.json")
    assert set(vars(again)) == set(vars(first))
    assert repr(again) == repr(first)
    assert again.describe() == first.describe()
    np.testing.assert_array_equal(again.log_density(points), first.log_density(points))
    np.testing.assert_array_equal(
        again.update(points[60:]).log_density(points), first.update(points[60:]).log_density(points)
    )
    pd.testing.assert_frame_equal(again.sample(4, random_state=1), first.sample(4, random_state=1))


@pytest.mark.usefixtures("coarse_pictures")
@pytest.mark.parametrize("density", [sf.GaussianDensity(), sf.KernelDensity("likelihood")], ids=repr)
def test_a_forged_file_gives_a_sound_density_or_is_refused(density: Any, tmp_path: Path) -> None:
    points = mixture(30, 2)
    points[0, 0] = np.nan
    clone(density).fit(points).save(tmp_path / "d.json")
    document = json.loads((tmp_path / "d.json").read_bytes())
    choose, refused = plain_random.Random(3), 0
    for _ in range(60):
        changed = copy.deepcopy(document)
        parts = {name: changed[name] for name in ("model", "statistic", "state") if name in changed}
        inner, key = choose.choice(numbers_of(parts))
        inner[key] = choose.choice([inner[key] + 1, -inner[key], inner[key] * 1e6, 1e300, -1e300, 0, 0.0, "x", None])
        changed.pop("checksum")
        changed["checksum"] = persist.checksum(changed, {})
        (tmp_path / "forged.json").write_text(json.dumps(changed), encoding="utf-8")
        try:
            found = sf.load(tmp_path / "forged.json")
        except ModelFileError:
            refused += 1
            continue
        try:
            log = found.log_density(points)
            assert not np.isnan(log).any()
            found.describe(), found.plot(), found.sample(5, random_state=0)
            found.update(points)
        except SufficeError:
            continue
    assert refused > 10


@pytest.mark.parametrize("density", [sf.GaussianDensity(), sf.KernelDensity()], ids=repr)
def test_a_word_among_numbers_is_read_as_missing_as_other_models_read_it(density: Any, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["a,b", *(f"{x},{x * x}" for x in range(20)), "oops,4", ""]))
    density = clone(density).fit(pd.DataFrame({"a": np.arange(20.0), "b": np.arange(20.0) ** 2}))
    with pytest.warns(SufficeWarning, match=r"Values that are no numbers were read as missing: 'a' \('oops'\)"):
        found = density.log_density(path)
    np.testing.assert_allclose(found[-1:], density.log_density(pd.DataFrame({"a": [np.nan], "b": [4.0]})))


@pytest.mark.parametrize("columns", [None, ["x1", "x0"]])
def test_a_few_rows_have_the_densities_that_they_have_among_many(columns: Any) -> None:
    points = np.random.default_rng(2).normal(size=(200, 2)) * [1, 5]
    density = sf.GaussianDensity(columns=columns).fit(points)
    np.testing.assert_allclose(density.log_density(points[3:5]), density.log_density(points)[3:5])
    frame = pd.DataFrame(points, columns=["x0", "x1"])
    density.fit(frame)
    np.testing.assert_allclose(density.density(frame[3:5]), density.density(frame)[3:5])
