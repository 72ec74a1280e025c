"""Pictures of boundaries: what is drawn where, against what can be worked out by hand."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
import pyarrow as pa
import pytest
from batches import Batches
from matplotlib import pyplot
from scipy.stats import chi2
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

import suffice as sf
from suffice import datasets
from suffice.errors import SettingError, TableError
from suffice.plot.geometry import Grid, boundary, density_levels
from suffice.sources import read_table

PETALS = ["petal_length", "petal_width"]
PENGUINS = Path(__file__).parents[3] / "shared" / "data" / "penguins.csv"


@pytest.fixture(autouse=True)
def _close_figures() -> Iterator[None]:
    yield
    pyplot.close("all")


@pytest.fixture
def iris() -> Any:
    return datasets.load("iris")


def square(mean: tuple[float, float]) -> np.ndarray[Any, Any]:
    """Four rows whose covariance is the identity around a mean."""
    return np.array(mean) + np.sqrt(2.0) * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])


def two_gaussians() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return np.concatenate([square((-1, 0)), square((2, 1))]), np.repeat(["left", "right"], 4)


def drawn(line: Any) -> np.ndarray[Any, Any]:
    points = line.get_xydata()
    return points[~np.isnan(points).any(axis=1)]


def labels(axes: Any) -> list[str]:
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_two_round_gaussians_of_equal_priors_are_parted_by_the_perpendicular_bisector() -> None:
    x, y = two_gaussians()
    axes = sf.plot_boundary(sf.LDA(), x, y, ["x0", "x1"])
    points = drawn(axes.lines[0])
    middle, direction = np.array([0.5, 0.5]), np.array([3.0, 1.0])
    np.testing.assert_allclose((points - middle) @ direction, 0.0, atol=1e-7)
    low, high = axes.get_ylim()
    assert points[:, 1].min() == pytest.approx(low)
    assert points[:, 1].max() == pytest.approx(high)


@pytest.mark.parametrize("priors", [None, {"setosa": 0.1, "versicolor": 0.3, "virginica": 0.6}])
def test_the_line_of_lda_is_that_of_its_logistic_weights(iris: Any, priors: Any) -> None:
    model = sf.LDA(priors=priors).fit(iris.select([*PETALS, "species"]), "species")
    axes = sf.plot_boundary(model, iris, "species", PETALS)
    points = drawn(axes.lines[0])
    weights = model.logistic_weights(reference="versicolor")
    log_odds = weights.intercept + points @ weights.coefficients.T
    assert weights.classes == ("setosa", "virginica")
    assert np.abs(log_odds).min(axis=1).max() < 1e-7
    assert (np.abs(log_odds) < 1e-7).any(axis=0).all()


def test_shared_variance_naive_bayes_is_drawn_as_its_logistic_weights() -> None:
    x, y = two_gaussians()
    x = x * [1.0, 3.0] + x[:, ::-1] * 0.2
    model = sf.NaiveBayes(shared_variance=True).fit(x, y)
    points = drawn(sf.plot_boundary(model, x, y, ["x0", "x1"]).lines[0])
    weights = model.logistic_weights()
    np.testing.assert_allclose(weights.intercept + points @ weights.coefficients, 0.0, atol=1e-7)


def test_a_poisson_column_has_its_logistic_line_though_its_density_is_on_whole_numbers() -> None:
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 200)
    x = np.stack([random.poisson(np.where(y == 1, 8.0, 3.0)), random.poisson(np.where(y == 1, 2.0, 6.0))], axis=1)
    model = sf.NaiveBayes(likelihoods="poisson").fit(x, y)
    points = drawn(sf.plot_boundary(sf.NaiveBayes(likelihoods="poisson"), x, y, ["x0", "x1"]).lines[0])
    weights = model.logistic_weights()
    np.testing.assert_allclose(weights.intercept + points @ weights.coefficients, 0.0, atol=1e-6)


def test_every_model_has_its_own_line_and_legend_entry(iris: Any) -> None:
    axes = sf.plot_boundary([sf.LDA(), sf.QDA(), sf.NaiveBayes()], iris, "species", PETALS)
    assert labels(axes) == ["setosa", "versicolor", "virginica", "LDA", "QDA", "NaiveBayes"]
    assert axes.get_legend().get_title().get_text() == "species"
    assert len({line.get_color() for line in axes.lines}) == 3
    assert len({str(line._dash_pattern) for line in axes.lines}) == 3


def test_points_and_contours_of_a_class_share_a_colour_and_classes_differ_in_marker(iris: Any) -> None:
    axes = sf.plot_boundary(sf.QDA(), iris, "species", PETALS)
    scatters = [part for part in axes.collections if part.get_label() in ("setosa", "versicolor", "virginica")]
    lines = [part for part in axes.collections if part.get_zorder() == 1]
    assert len(lines) == 3
    for scatter, contour in zip(scatters, lines, strict=True):
        np.testing.assert_array_equal(scatter.get_facecolor()[0, :3], contour.get_edgecolor()[0, :3])
    assert len({scatter.get_paths()[0].vertices.tobytes() for scatter in scatters}) == 3


def test_gaussian_contours_hold_the_masses_they_say(iris: Any) -> None:
    model = sf.QDA().fit(iris.select([*PETALS, "species"]), "species")
    axes = sf.plot_boundary(model, iris, "species", PETALS)
    contours = [part for part in axes.collections if part.get_zorder() == 1]
    for mean, covariance, contour in zip(model.means_, model.covariance_, contours, strict=True):
        for mass, path in zip((0.95, 0.8, 0.5), contour.get_paths(), strict=True):
            apart = path.vertices - mean
            distance = np.einsum("ij,jk,ik->i", apart, np.linalg.inv(covariance), apart)
            np.testing.assert_allclose(distance, chi2(2).ppf(mass), rtol=0.03)


def test_levels_of_a_grid_hold_the_masses_on_it() -> None:
    density = np.array([0.4, 0.3, 0.2, 0.1])
    levels = density_levels(np.log(density), (0.95, 0.6, 0.4))
    np.testing.assert_allclose(np.exp(levels), [0.1, 0.3, 0.4], rtol=1e-6)


def test_three_boundaries_meet_in_one_point_and_end_there() -> None:
    axis = np.linspace(-1, 1, 41)
    grid = Grid(axis, axis)
    directions = np.array([[0.0, 1.0], [0.9, -0.5], [-0.9, -0.5]])
    lines = boundary(grid.of(lambda points: points @ directions.T), grid)
    pieces = [piece[~np.isnan(piece).any(axis=1)] for piece in np.split(lines, np.flatnonzero(np.isnan(lines[:, 0])))]
    pieces = [piece for piece in pieces if len(piece)]
    assert len(pieces) == 3
    for piece in pieces:
        assert np.abs(piece[[0, -1]]).sum(axis=1).min() < 1e-6
    scores = np.sort(lines[~np.isnan(lines).any(axis=1)] @ directions.T, axis=1)
    np.testing.assert_allclose(scores[:, 2], scores[:, 1], atol=1e-7)


def test_where_one_class_always_wins_no_line_is_drawn() -> None:
    x, y = two_gaussians()
    axes = sf.plot_boundary(sf.LDA(priors={"left": 1.0, "right": 0.0}), x, y, ["x0", "x1"])
    assert len(drawn(axes.lines[0])) == 0
    assert "LDA" in labels(axes)


def test_a_model_of_more_columns_is_fitted_anew_and_left_as_it_was(iris: Any) -> None:
    model = sf.LDA().fit(iris, "species")
    before = model.model_
    all_columns = drawn(sf.plot_boundary(model, iris, "species", PETALS).lines[0])
    unfitted = drawn(sf.plot_boundary(sf.LDA(), iris, "species", PETALS).lines[0])
    np.testing.assert_array_equal(all_columns, unfitted)
    assert model.model_ is before


def test_a_model_of_just_these_columns_is_drawn_as_it_is_in_either_order(iris: Any) -> None:
    odd = iris.take(list(range(0, 150, 3)))
    model = sf.LDA().fit(odd.select([*PETALS, "species"]), "species")
    swapped = sf.LDA().fit(odd.select([*PETALS[::-1], "species"]), "species")
    as_it_is = drawn(sf.plot_boundary(model, iris, "species", PETALS).lines[0])
    np.testing.assert_allclose(drawn(sf.plot_boundary(swapped, iris, "species", PETALS).lines[0]), as_it_is)
    refitted = drawn(sf.plot_boundary(sf.LDA(), iris, "species", PETALS).lines[0])
    assert as_it_is.shape != refitted.shape or not np.allclose(as_it_is, refitted)


def test_settings_about_other_columns_do_not_matter(iris: Any) -> None:
    model = sf.NaiveBayes(likelihoods={"sepal_width": "categorical", "petal_width": "kde"}, nominal=["sepal_length"])
    only = sf.NaiveBayes(likelihoods={"petal_width": "kde"})
    np.testing.assert_array_equal(
        drawn(sf.plot_boundary(model, iris, "species", PETALS).lines[0]),
        drawn(sf.plot_boundary(only, iris, "species", PETALS).lines[0]),
    )


def test_settings_of_a_column_that_is_named_by_a_number_are_drawn(iris: Any) -> None:
    numbered = iris.select([*PETALS, "species"]).rename_columns(["0", "1", "species"])
    by_number, by_name = (
        drawn(sf.plot_boundary(sf.NaiveBayes(likelihoods={name: "kde"}), numbered, "species", ["0", "1"]).lines[0])
        for name in (1, "1")
    )
    np.testing.assert_array_equal(by_number, by_name)


def test_a_scikit_learn_classifier_has_a_boundary_but_no_contours() -> None:
    x, y = two_gaussians()
    model = LogisticRegression().fit(x, y)
    axes = sf.plot_boundary({"logistic regression": LogisticRegression()}, x, y, ["x0", "x1"])
    points = drawn(axes.lines[0])
    np.testing.assert_allclose(points @ model.coef_[0] + model.intercept_[0], 0.0, atol=1e-7)
    assert labels(axes) == ["left", "right", "logistic regression"]
    assert [part for part in axes.collections if part.get_zorder() == 1] == []
    assert axes.get_title(loc="left") == ""


def test_a_fitted_scikit_learn_classifier_is_drawn_as_it_is(iris: Any) -> None:
    frame = iris.select(PETALS).to_pandas()
    model = DecisionTreeClassifier(max_depth=1).fit(frame, iris["species"].to_pylist())
    points = drawn(sf.plot_boundary(model, iris, "species", PETALS).lines[0])
    axis = int(model.tree_.feature[0])
    assert np.abs(points[:, axis] - model.tree_.threshold[0]).max() < 0.05


def test_rows_with_missing_values_are_left_out_of_the_picture_and_counted() -> None:
    x, y = two_gaussians()
    x = np.concatenate([x, [[np.nan, 0.0], [np.nan, np.nan]]])
    y = np.concatenate([y, ["left", "right"]])
    axes = sf.plot_boundary([sf.LDA(), LogisticRegression()], x, y, ["x0", "x1"])
    assert sum(len(part.get_offsets()) for part in axes.collections if part.get_zorder() == 2) == 8
    title = axes.get_title(loc="left")
    assert title == "contours: LDA, 50, 80 and 95 % of each class · 2 rows with missing values left out"


def test_a_model_says_how_missing_is_spelled(tmp_path: Path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("age,weight,sick\n30,70,no\nunknown,80,yes\n41,90,yes\n25,61,no\n52,88,yes\n33,72,no\n")
    axes = sf.plot_boundary(sf.LDA(missing_values=["unknown"]), path, "sick", ["age", "weight"])
    assert axes.get_title(loc="left").endswith("1 row with missing values left out")
    with pytest.raises(TableError, match="'age' is nominal"):
        sf.plot_boundary(sf.LDA(), path, "sick", ["age", "weight"])


def test_of_many_rows_some_are_drawn_and_the_title_says_so() -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal((6000, 2))
    axes = sf.plot_boundary(sf.LDA(), x, np.repeat([0, 1], 3000), ["x0", "x1"], contours=False, resolution=20)
    assert sum(len(part.get_offsets()) for part in axes.collections) == 5000
    assert axes.get_title(loc="left") == "5,000 of 6,000 rows drawn"


def test_identifiers_elsewhere_in_the_table_raise_no_warning(iris: Any) -> None:
    table = iris.append_column("name", pa.array([f"flower {row}" for row in range(150)]))
    sf.plot_boundary(sf.LDA(), table, "species", PETALS)  # a SufficeWarning would be an error here


def test_joint_tables_and_constant_columns_can_be_drawn() -> None:
    random = np.random.default_rng(1)
    x = np.column_stack([random.standard_normal(60), np.full(60, 3.0)])
    y = np.repeat([0, 1], 30)
    models = [sf.JointBayes(), sf.LDA(), sf.QDA(), sf.NaiveBayes(), sf.NaiveBayes("kde")]
    axes = sf.plot_boundary(models, x, y, ["x0", "x1"])
    assert len(axes.lines) == 5
    assert len(set(labels(axes))) == 7


def test_two_models_of_one_class_go_by_their_settings(iris: Any) -> None:
    axes = sf.plot_boundary([sf.LDA(), sf.LDA(shrinkage=0.5)], iris, "species", PETALS, contours=False)
    assert labels(axes)[3:] == ["LDA()", "LDA(shrinkage=0.5)"]


def test_many_classes_and_models_stay_distinct() -> None:
    random = np.random.default_rng(2)
    x = random.standard_normal((120, 2)) + np.repeat([(5 * (k % 4), 5 * (k // 4)) for k in range(10)], 12, axis=0)
    axes = sf.plot_boundary([sf.LDA(), sf.QDA()], x, np.repeat(np.arange(10), 12), ["x0", "x1"], resolution=60)
    scatters = [part for part in axes.collections if part.get_zorder() == 2]
    looks = {(part.get_facecolor().tobytes(), part.get_paths()[0].vertices.tobytes()) for part in scatters}
    assert len(looks) == 10


def test_given_axes_are_drawn_on_and_returned(iris: Any) -> None:
    figure, given = pyplot.subplots(1, 2)
    assert sf.plot_boundary(sf.LDA(), iris, "species", PETALS, ax=given[1]) is given[1]
    assert len(given[0].lines) == 0
    assert figure.axes == list(given)


def test_figsize_is_that_of_the_new_figure(iris: Any) -> None:
    axes = sf.plot_boundary(sf.LDA(), iris, "species", PETALS, figsize=(4, 3))
    assert axes.figure.get_size_inches().tolist() == [4, 3]


def test_a_file_and_a_frame_give_the_same_picture(iris: Any, tmp_path: Path) -> None:
    from pyarrow import csv

    csv.write_csv(iris, tmp_path / "iris.csv")
    of_file = sf.plot_boundary(sf.QDA(), str(tmp_path / "iris.csv"), "species", PETALS)
    of_frame = sf.plot_boundary(sf.QDA(), iris.to_pandas(), "species", PETALS)
    np.testing.assert_allclose(drawn(of_file.lines[0]), drawn(of_frame.lines[0]), rtol=1e-9)


@pytest.mark.parametrize("columns", [("petal_length", "petal_width"), ("petal_width", "sepal_length")])
def test_a_source_is_drawn_as_its_table_is(iris: Any, columns: tuple[str, str]) -> None:
    models = [sf.QDA(), sf.LogisticRegression()]
    expected = sf.plot_boundary(models, iris, "species", columns)
    table = read_table(iris, "species")
    for source in (table, Batches(tuple(table.batches()))):
        axes = sf.plot_boundary(models, source, "species", columns)
        for line, other in zip(axes.lines, expected.lines, strict=True):
            np.testing.assert_allclose(drawn(line), drawn(other))


def test_the_penguins_file_says_two_rows_are_missing() -> None:
    if not PENGUINS.exists():
        pytest.skip("the shared data sets are not here")
    axes = sf.plot_boundary(sf.LDA(), PENGUINS, "species", ["bill_length_mm", "bill_depth_mm"])
    assert axes.get_title(loc="left").endswith("2 rows with missing values left out")


@pytest.mark.parametrize(
    ("columns", "error", "says"),
    [
        (["petal_length", "petal"], TableError, "no column 'petal' in the table. Did you mean 'petal_"),
        (["petal_length", "species"], TableError, "'species' is the target"),
        (
            ["petal_length", "colour"],
            TableError,
            "'colour' is nominal.*Choose two of the numeric columns 'sepal_length'",
        ),
        (["petal_length"], SettingError, "two different columns"),
        (["petal_length", "petal_length"], SettingError, "two different columns"),
        ("petal_length", SettingError, "two different columns"),
    ],
)
def test_columns_that_cannot_be_drawn_are_named(iris: Any, columns: Any, error: Any, says: str) -> None:
    table = iris.append_column("colour", pa.array(["blue", "white"] * 75))
    with pytest.raises(error, match=says):
        sf.plot_boundary(sf.LDA(), table, "species", columns)


@pytest.mark.parametrize(
    ("models", "says"),
    [
        ([], "no model to draw"),
        (sf.LDA, r"LDA is a class\. Give an estimator: sf\.LDA\(\)"),
        ("lda", "no fit and no predict_proba"),
        (KMeans(), "no predict_proba"),
        (sf.LDA(nominal=["petal_width"]), "reads column 'petal_width' as nominal"),
        (sf.NaiveBayes("categorical"), "reads column 'petal_length' as nominal"),
    ],
)
def test_models_that_cannot_be_drawn_are_named(iris: Any, models: Any, says: str) -> None:
    with pytest.raises(SettingError, match=says):
        sf.plot_boundary(models, iris, "species", PETALS)


def test_a_resolution_that_makes_no_grid_is_refused(iris: Any) -> None:
    for resolution in (1, 2.5, True, 10_000):
        with pytest.raises(SettingError, match="resolution"):
            sf.plot_boundary(sf.LDA(), iris, "species", PETALS, resolution=resolution)


def test_figsize_and_axes_together_are_refused(iris: Any) -> None:
    _, axes = pyplot.subplots()
    with pytest.raises(SettingError, match="figsize"):
        sf.plot_boundary(sf.LDA(), iris, "species", PETALS, ax=axes, figsize=(3, 3))


def test_columns_that_no_row_knows_together_are_refused() -> None:
    x = np.array([[1.0, np.nan], [np.nan, 2.0], [3.0, np.nan], [np.nan, 1.0]])
    with pytest.raises(TableError, match="No row knows both 'x0' and 'x1'"):
        sf.plot_boundary(sf.LDA(), x, [0, 1, 0, 1], ["x0", "x1"])


def test_without_matplotlib_the_error_says_what_to_install(iris: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if name.split(".")[0] == "matplotlib":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SettingError, match=r'pip install "suffice\[plot\]"'):
        sf.plot_boundary(sf.LDA(), iris, "species", PETALS)
