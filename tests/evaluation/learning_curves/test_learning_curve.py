from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import suffice as sf
from suffice.errors import SettingError
from suffice.evaluation import MODELS, REGRESSION_MODELS
from suffice.evaluation.judging import metrics
from suffice.evaluation.learning_curves.learning_curve import _evenly_mixed
from suffice.evaluation.learning_curves.learning_curve_result import LearningCurve

mpl.use("Agg")

IRIS, TENNIS = sf.datasets.load("iris"), sf.datasets.load("play_tennis")


@pytest.mark.parametrize(
    "estimator", [sf.NaiveBayes(), sf.LDA(), sf.QDA(), sf.LogisticRegression(), sf.cart()], ids=repr
)
def test_every_point_is_a_fit_on_the_first_rows_of_the_repeat(estimator: sf.LDA) -> None:
    """Statistics that are merged from size to size give the models of fits on all rows so far."""
    curve = sf.learning_curve(estimator, IRIS, "species", sizes=[30, 60, 90], repeats=2, random_state=5)
    codes = np.unique(IRIS["species"].to_pylist(), return_inverse=True)[1]
    for repeat in range(2):
        order = _evenly_mixed(codes, np.random.default_rng([5, repeat]))
        held_out = IRIS.take(order[105:])
        for place, size in enumerate((30, 60, 90)):
            model = estimator.fit(IRIS.take(order[:size]), "species")
            truth = codes[order[105:]].astype(np.int32)
            expected = metrics.accuracy(model.predict_proba(held_out), truth, np.ones(45))
            assert curve.scores[0, place, repeat] == pytest.approx(expected, abs=1e-12)


@pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")
def test_every_model_takes_part_from_a_few_rows_on() -> None:
    curve = sf.learning_curve([*MODELS], IRIS, "species", sizes=[6, 40], repeats=2)
    assert curve.models == tuple(MODELS)
    assert np.isfinite(curve.scores).all()
    nominal = [name for name in MODELS if name not in ("nb_kde", "naive_bayes_kde")]
    small = sf.learning_curve(nominal, TENNIS, "PlayTennis", sizes=[2, 8], repeats=2)
    assert np.isfinite(small.scores).all()


def test_numbers_have_learning_curves_too() -> None:
    curve = sf.learning_curve([*REGRESSION_MODELS], IRIS, "petal_width", sizes=[0.2, 1.0], repeats=3)
    assert curve.metric == "rmse"
    assert (curve.of("cart") < curve.of("mean")).all()
    assert "RMSE on 45 held-out rows" in str(curve)


def test_more_rows_make_a_better_model_and_the_result_depends_on_the_seed_only() -> None:
    curve = sf.learning_curve(sf.LDA(), IRIS, "species", metric="log_loss", repeats=5)
    assert curve.sizes[0] == 10
    assert curve.sizes[-1] == 105
    assert curve.mean[0, -1] < curve.mean[0, 0]
    again = sf.learning_curve(sf.LDA(), IRIS, "species", metric="log_loss", repeats=5)
    np.testing.assert_array_equal(curve.scores, again.scores)
    other = sf.learning_curve(sf.LDA(), IRIS, "species", metric="log_loss", repeats=5, random_state=1)
    assert (curve.scores != other.scores).any()


def test_every_beginning_of_the_order_has_its_share_of_every_class() -> None:
    groups = np.repeat([0, 1, 2], [70, 25, 5])
    order = _evenly_mixed(groups, np.random.default_rng(0))
    assert sorted(order) == list(range(100))
    assert set(groups[order][:3]) == {0, 1, 2}
    for size in (20, 40, 80):
        np.testing.assert_allclose(np.bincount(groups[order][:size]) / size, [0.7, 0.25, 0.05], atol=0.1)


def test_weights_count() -> None:
    weights = np.tile([1.0, 5.0], 75)
    curve = sf.learning_curve(sf.NaiveBayes(), IRIS, "species", repeats=3, sample_weight=weights)
    plain = sf.learning_curve(sf.NaiveBayes(), IRIS, "species", repeats=3)
    assert (curve.scores != plain.scores).any()


def test_it_prints_and_draws_and_gives_a_table() -> None:
    models = {"naive $Bayes$": sf.NaiveBayes(), "logistic": sf.LogisticRegression()}
    curve = sf.learning_curve(models, IRIS, "species", sizes=[10, 50, 105], repeats=4)
    assert str(curve).splitlines()[0] == "accuracy on 45 held-out rows, mean of 4 repeats"
    assert curve.table.column_names == ["model", "rows", "mean", "standard_error", "low", "high"]
    assert curve.table.num_rows == 6
    low, high = curve.band
    assert (low <= high).all()
    axes = curve.plot()
    axes.figure.canvas.draw()
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [r"naive \$Bayes\$", "logistic"]
    assert "<table>" in curve._repr_html_()


def test_where_one_model_overtakes_another() -> None:
    scores = np.array([[[0.6], [0.7], [0.7]], [[0.5], [0.72], [0.8]], [[0.9], [0.9], [0.6]]])
    curve = LearningCurve(("a", "b", "c"), np.array([10, 20, 40]), scores, "accuracy", 50)
    assert curve.overtaken_at("a", "b") == 20
    assert curve.overtaken_at("b", "a") is None
    assert curve.overtaken_at("a", "c") is None
    assert curve.overtaken_at("c", "b") == 40
    with pytest.raises(SettingError, match="There is no model 'd'"):
        curve.of("d")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sizes": [1, 50]}, "between 3 and the 105"),
        ({"sizes": [10, 200]}, "between 3 and the 105"),
        ({"sizes": [0.5, 2.0]}, "shares above 0"),
        ({"sizes": "all"}, "sizes must be numbers"),
        ({"sizes": []}, "sizes must be numbers"),
        ({"repeats": 0}, "repeats must be"),
        ({"test_share": 1.0}, "test_share must be"),
        ({"test_share": 0.001}, "leaves none to judge on"),
        ({"metric": "acuracy"}, "Did you mean 'accuracy'"),
        ({"random_state": -1}, "random_state must be"),
    ],
)
def test_settings_that_cannot_be_are_explained(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        sf.learning_curve(sf.LDA(), IRIS, "species", **settings)


def test_models_must_be_models_of_one_kind() -> None:
    with pytest.raises(SettingError, match="no model of suffice"):
        sf.learning_curve([object()], IRIS, "species")
    with pytest.raises(SettingError, match="There is no model"):
        sf.learning_curve([], IRIS, "species")
    with pytest.raises(SettingError, match=r"predicts numbers, and LDA\(\) does not"):
        sf.learning_curve([sf.LDA(), sf.cart(criterion="variance")], IRIS, "species")


def test_a_model_of_scikit_learn_learns_from_the_same_rows() -> None:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LinearRegression
    from sklearn.svm import LinearSVC

    models = {"ours": sf.LDA(shrinkage=0), "theirs": LinearDiscriminantAnalysis(), "margins": LinearSVC()}
    curve = sf.learning_curve(models, IRIS, "species", sizes=[40, 80], repeats=3)
    np.testing.assert_allclose(curve.of("ours"), curve.of("theirs"), atol=1e-12)
    losses = sf.learning_curve(models, IRIS, "species", sizes=[40], repeats=2, metric="log_loss")
    np.testing.assert_allclose(losses.of("ours"), losses.of("theirs"), rtol=0.2)
    assert np.isnan(losses.of("margins")).all()
    numbers = sf.learning_curve([LinearRegression(), "mean"], IRIS.drop_columns("species"), "petal_width", repeats=2)
    assert (numbers.scores[0, -1] < numbers.scores[1, -1]).all()
