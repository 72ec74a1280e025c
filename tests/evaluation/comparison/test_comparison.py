import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import suffice as sf
from suffice.errors import ConvergenceWarning, SettingError, TableError
from suffice.solve import expectation_maximisation
from suffice.statistics.moments.full_moments import MeasureFullMoments

SLOWEST = ["logistic", "naive_bayes_kde"]  # where others will do


def test_every_suitable_model_takes_part_and_the_best_comes_first():
    result = sf.compare(sf.datasets.load("iris"), "species")
    assert result.rows[0].model == "lda"
    accuracies = [row.accuracy for row in result.rows]
    assert accuracies == sorted(accuracies, reverse=True)
    assert isinstance(result.best, sf.LDA)
    assert result.best.score(sf.datasets.load("iris"), "species") == pytest.approx(0.98)


def test_the_best_model_equals_a_fit_on_all_rows():
    iris = sf.datasets.load("iris")
    best = sf.compare(iris, "species", models=["qda"], folds=3).best
    np.testing.assert_allclose(best.predict_proba(iris), sf.QDA().fit(iris, "species").predict_proba(iris), atol=1e-12)


def test_a_row_of_the_leaderboard_agrees_with_cross_validate():
    iris = sf.datasets.load("iris")
    row = sf.compare(iris, "species", models="naive_bayes", folds=3).rows[0]
    alone = sf.cross_validate(sf.NaiveBayes(), iris, "species", folds=3)
    assert row.accuracy == pytest.approx(alone.mean("accuracy"))
    assert row.log_loss_error == pytest.approx(alone.standard_error("log_loss"))
    assert row.parameters == 26


def test_lda_and_qda_share_the_moments_of_all_folds(monkeypatch):
    rows: list[int] = []
    measured = MeasureFullMoments.of
    monkeypatch.setattr(MeasureFullMoments, "of", lambda self, batch: rows.append(batch.rows) or measured(self, batch))
    wine = sf.datasets.load("wine")
    result = sf.compare(wine, "cultivar", models=["naive_bayes", "lda", "qda"], folds=4)
    assert sum(rows) == len(wine)
    for row, model in ((row, sf.LDA() if row.model == "lda" else sf.QDA()) for row in result.rows):
        if row.model in ("lda", "qda"):
            alone = sf.cross_validate(model, wine, "cultivar", folds=4)
            assert row.log_loss == pytest.approx(alone.mean("log_loss"), rel=1e-12)
            np.testing.assert_array_equal(
                result.fitted[row.model].predict(wine), model.fit(wine, "cultivar").predict(wine)
            )


def test_the_joint_table_is_left_out_where_it_would_only_remember_rows():
    result = sf.compare(sf.datasets.load("wine"), "cultivar", folds=2, skip=SLOWEST)
    assert "joint_bayes" in result.skipped
    assert "one row only" in result.skipped["joint_bayes"]
    assert "did not take part" in str(result)


def test_a_model_that_is_asked_for_by_name_takes_part_all_the_same():
    result = sf.compare(sf.datasets.load("wine"), "cultivar", models=["joint_bayes"])
    assert [row.model for row in result.rows] == ["majority", "joint_bayes"]


@pytest.mark.parametrize("rank_by", ["accuracy", "log_loss", "auc"])
def test_the_ranking_follows_the_chosen_metric(rank_by):
    result = sf.compare(sf.datasets.load("iris"), "species", rank_by=rank_by, folds=3, skip=SLOWEST)
    values = [getattr(row, rank_by) for row in result.rows]
    assert len(values) > 6
    assert values == sorted(values, reverse=rank_by != "log_loss")


def test_estimators_of_ones_own_can_be_compared():
    result = sf.compare(
        sf.datasets.load("iris"),
        "species",
        models={"plain": sf.NaiveBayes(), "shared": sf.NaiveBayes(shared_variance=True)},
        folds=3,
    )
    assert {row.model for row in result.rows} == {"plain", "shared", "majority"}


def test_the_table_is_of_the_kind_that_was_given():
    arrow = sf.datasets.load("iris")
    assert isinstance(sf.compare(arrow, "species", models=["lda"], folds=3).table, pa.Table)
    assert isinstance(sf.compare(arrow.to_pandas(), "species", models=["lda"], folds=3).table, pd.DataFrame)


def test_an_array_and_its_labels_can_be_compared():
    iris = sf.datasets.load("iris").to_pandas()
    X, y = iris.iloc[:, :4].to_numpy(), iris["species"].to_numpy()
    result = sf.compare(X, y, models=["lda"], folds=3)
    np.testing.assert_array_equal(result.best.predict(X), sf.LDA().fit(X, y).predict(X))


def test_an_unknown_model_is_named_with_the_nearest_one():
    with pytest.raises(SettingError, match="Did you mean 'naive_bayes'"):
        sf.compare(sf.datasets.load("iris"), "species", models=["naive_bay"])


def test_a_target_with_many_whole_numbers_is_a_quantity_unless_the_task_says_otherwise():
    frame = pd.DataFrame({"x": np.arange(60.0), "y": np.arange(60) % 30})
    assert sf.compare(frame, "y", models="mean", folds=3).task == "regression"
    result = sf.compare(frame, "y", models="naive_bayes", task="classification", folds=3)
    assert result.task == "classification"
    assert len(result.best.classes_) == 30


def test_few_whole_numbers_are_classes_unless_the_task_says_otherwise():
    hours = sf.datasets.load("hours_played")
    assert sf.compare(hours, "Hours Played", models="naive_bayes", folds=3).task == "classification"
    result = sf.compare(hours, "Hours Played", task="regression", folds=7)
    assert {row.model for row in result.rows} == {"mean", "least_squares", "cart", "id3"}
    assert isinstance(result.best, sf.DecisionTreeRegressor)


def test_an_unknown_ranking_is_refused():
    with pytest.raises(SettingError, match="rank_by"):
        sf.compare(sf.datasets.load("iris"), "species", rank_by="f1")


def test_the_leaderboard_shows_as_html_in_a_notebook():
    html = sf.compare(sf.datasets.load("iris"), "species", models=["lda"], folds=3)._repr_html_()
    assert html.startswith("<table>")
    assert "lda" in html


def test_a_list_of_estimators_is_compared_under_their_own_names():
    result = sf.compare(sf.datasets.load("iris"), "species", models=[sf.LDA(), sf.QDA()], folds=3)
    assert {row.model for row in result.rows} == {"LDA()", "QDA()", "majority"}


def test_what_is_no_model_of_suffice_is_refused():
    with pytest.raises(SettingError, match="no model of suffice, nor one of scikit-learn"):
        sf.compare(sf.datasets.load("iris"), "species", models={"three": 3})


def test_trees_take_part_in_the_comparison_of_classifiers():
    result = sf.compare(sf.datasets.load("mpg"), "mpg", folds=3)
    assert {"id3", "c45", "cart"} <= {row.model for row in result.rows}
    assert all(row.parameters == result.fitted[row.model].parameter_count for row in result.rows)
    tree = result.fitted["c45"]
    assert tree.describe() == sf.c45().fit(sf.datasets.load("mpg"), "mpg").describe()
    assert tree.feature_importances_.sum() == pytest.approx(1.0)


def test_a_tree_s_row_of_the_leaderboard_agrees_with_cross_validate():
    iris = sf.datasets.load("iris")
    row = sf.compare(iris, "species", models="c45", folds=4, random_state=2).rows[0]
    alone = sf.cross_validate(sf.c45(), iris, "species", folds=4, random_state=2)
    assert (row.accuracy, row.auc_error) == (alone.mean("accuracy"), alone.standard_error("auc"))


def test_a_quantity_is_predicted_by_regression_trees_ranked_by_their_error():
    iris = sf.datasets.load("iris")
    result = sf.compare(iris, "petal_width", folds=5)
    assert [row.model for row in result.rows] == ["least_squares", "cart", "id3", "mean"]
    cart = result.rows[1]
    alone = sf.cross_validate(sf.cart(criterion="variance"), iris, "petal_width", folds=5)
    assert cart.rmse == alone.mean("rmse")
    assert cart.r2_error == alone.standard_error("r2")
    np.testing.assert_array_equal(
        result.best.predict(iris), sf.cart(criterion="variance").fit(iris, "petal_width").predict(iris)
    )
    assert result.rows[-1].parameters == 1
    assert result.table.column_names[1:3] == ["rmse", "rmse_error"]
    assert "best RMSE first" in str(result)
    assert "<th>R²</th>" in result._repr_html_()


@pytest.mark.parametrize("rank_by", ["rmse", "mae", "r2"])
def test_the_ranking_of_regressions_follows_the_chosen_metric(rank_by):
    result = sf.compare(sf.datasets.load("iris"), "petal_width", rank_by=rank_by, folds=3)
    values = [getattr(row, rank_by) for row in result.rows]
    assert len(values) == 4
    assert values == sorted(values, reverse=rank_by == "r2")


def test_own_trees_say_themselves_what_is_predicted():
    hours = sf.datasets.load("hours_played")
    models = {"stump": sf.DecisionTreeRegressor(max_depth=1), "deep": sf.DecisionTreeRegressor()}
    result = sf.compare(hours, "Hours Played", models=models, folds=7)
    assert result.task == "regression"
    assert {row.model for row in result.rows} == {"stump", "deep", "mean", "least_squares"}


def test_an_array_of_numbers_can_be_compared():
    iris = sf.datasets.load("iris").to_pandas()
    X, y = iris.iloc[:, :3].to_numpy(), iris["petal_width"].to_numpy()
    best = sf.compare(X, y, models=["cart"], folds=3).best
    np.testing.assert_array_equal(best.predict(X), sf.cart(criterion="variance").fit(X, y).predict(X))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"models": ["c45"]}, "c45 predicts classes, and the target is taken as a quantity.*cart, id3, mean"),
        ({"models": ["naive_bayes"]}, "task='classification' takes every number"),
        ({"models": ["carrt"]}, "Did you mean 'cart'"),
        ({"models": {}}, "Name some of cart, id3, mean"),
        ({"rank_by": "auc"}, "rank_by='auc' is of classification, and the task is regression. Rank by rmse, mae, r2"),
        ({"task": "prediction"}, "task must be one of 'classification', 'regression', not 'prediction'"),
        ({"models": {"tree": sf.c45()}, "task": "regression"}, "tree predicts classes, and the task is regression"),
        ({"models": [sf.c45(), sf.DecisionTreeRegressor()]}, "predicts numbers, and .* does not"),
    ],
)
def test_what_does_not_suit_a_quantity_is_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        sf.compare(sf.datasets.load("iris"), "petal_width", **settings)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"models": ["mean"]}, "mean predicts quantities, and the target is taken as classes"),
        ({"rank_by": "rmse"}, "rank_by='rmse' is of regression, and the task is classification"),
        ({"models": {"tree": sf.DecisionTreeRegressor()}, "task": "classification"}, "tree predicts numbers"),
    ],
)
def test_what_does_not_suit_classes_is_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        sf.compare(sf.datasets.load("iris"), "species", **settings)


def test_a_missing_target_is_asked_for():
    with pytest.raises(sf.errors.TableError, match="requires y"):
        sf.compare(sf.datasets.load("iris"), None)


def test_a_comparison_shows_as_its_leaderboard() -> None:
    comparison = sf.compare(sf.datasets.load("play_tennis"), "PlayTennis", models=["naive_bayes", "id3"], folds=3)
    assert repr(comparison) == str(comparison)
    assert repr(comparison).startswith("3-fold cross-validation, mean ± standard error, best accuracy first")
    assert "<p>3-fold cross-validation" in comparison._repr_html_()
    assert "<td>majority</td>" in comparison._repr_html_()


def told_by_words(rows: int = 200) -> pd.DataFrame:
    """Two texts, a number of few values and a class: most rows are told apart by their words only, some not at all."""
    random = np.random.default_rng(0)
    y = random.integers(0, 2, rows)
    words = np.array(["free call now win money", "lunch at home late meeting"], dtype=object)[y]
    extra = random.choice(["tomorrow", "soon", "maybe", "never"], (rows, 3))
    text = [" ".join((own, *more)) for own, more in zip(words, extra, strict=True)]
    return pd.DataFrame({"text": text, "x": random.integers(0, 3, rows) / 2, "y": np.array(["a", "b"])[y]})


@pytest.mark.parametrize("is_shuffled", [False, True])
def test_all_models_are_judged_on_the_same_folds_whatever_columns_they_read(is_shuffled: bool) -> None:
    frame = told_by_words()
    models = {
        "words": sf.NaiveBayes(text=["text"]),
        "numbers": sf.LDA(drop=["text"]),
        "tree": sf.c45(drop=["text"]),
        "levels": sf.NaiveBayes(nominal=["x"], text=["text"]),
        "other spelling": sf.LogisticRegression(missing_values=[0.5], text=["text"]),
    }
    frame = frame.sample(frac=1, random_state=1) if is_shuffled else frame
    result = sf.compare(frame, "y", models, folds=5)
    folds = [own.fold for own in result.results.values()]
    assert len(folds) == 6
    for fold in folds[1:]:
        np.testing.assert_array_equal(fold, folds[0])
    alone = sf.cross_validate(models["words"], frame, "y", folds=5)
    np.testing.assert_array_equal(folds[0], alone.fold)


def test_the_scores_of_a_line_are_its_attributes_also_of_a_copy() -> None:
    row = sf.compare(sf.datasets.load("iris"), "species", models=["lda"], folds=3).rows[0]
    assert row.accuracy == row.scores["accuracy"]
    assert pickle.loads(pickle.dumps(row)) == copy.deepcopy(row) == row
    assert list(row.cells())[:3] == ["model", "accuracy", "accuracy_error"]
    with pytest.raises(AttributeError, match="no 'rmse'; its scores are accuracy"):
        row.rmse  # noqa: B018


def test_more_rows_than_fit_into_memory_leave_out_models_that_learn_from_all_of_them(monkeypatch, tmp_path):
    random = np.random.default_rng(0)
    rows = 40_000
    table = pa.table({"a": random.normal(size=rows), "b": random.normal(size=rows), "y": random.integers(0, 2, rows)})
    path = tmp_path / "rows.parquet"
    pq.write_table(table, path)
    monkeypatch.setenv("SUFFICE_MEMORY", "1MB")
    result = sf.compare(path, "y", folds=3, skip=SLOWEST)
    assert {"naive_bayes", "lda", "qda"} <= set(result.fitted)
    assert {"perceptron", "id3", "c45", "cart"} <= set(result.skipped)
    assert "40,000 rows would take 1.3 MB in memory, and 1.0 MB may be taken" in result.skipped["c45"]
    assert any("suspected leaks were not looked for" in remark for remark in result.remarks)
    with pytest.raises(TableError, match="learns from all rows at once"):
        sf.compare(path, "y", models=["c45"])


def test_columns_without_any_value_are_named():
    table = pa.table({"a": [None] * 40, "b": [0.5, 1.5] * 20, "c": [None] * 40, "y": ["no", "yes"] * 20})
    assert "'a', 'c' have no value in any row and say nothing" in sf.compare(table, "y", models=["lda"], folds=3).notes
    assert (
        "'a' has no value in any row and says nothing"
        in sf.compare(table, "y", models=["lda"], drop="c", folds=3).notes
    )


@pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")
def test_what_was_learned_is_warned_of_with_the_model_s_name_and_once():
    iris = sf.datasets.load("iris")
    models = {"likely": sf.LogisticRegression(l2=0), "short": sf.LogisticRegression(l2=1, max_iter=1)}
    heard = sf.compare(iris, "species", models=models, folds=3).warnings
    assert len(heard) == 2
    assert heard[0].startswith("likely: The classes are quasi-completely separable by ")
    assert heard[1].startswith("short: The optimisation did not converge in 1 step")


def test_models_of_folds_that_nobody_keeps_are_not_warned_of(monkeypatch):
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(60, 6)), columns=list("abcdef")).mask(random.random((60, 6)) < 0.5)
    table["y"] = random.choice(["no", "yes"], 60)
    monkeypatch.setattr(expectation_maximisation, "MOST_STEPS", 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sf.cross_validate(sf.LDA(), table, "y", folds=3)
    with pytest.warns(ConvergenceWarning, match="^lda: Expectation–maximisation of the missing values did not"):
        heard = sf.compare(table, "y", models=["lda"], folds=3).warnings
    assert len(heard) == 1
