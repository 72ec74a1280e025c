import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import SettingError, TableError


def test_every_suitable_model_takes_part_and_the_best_comes_first():
    result = sf.compare(sf.datasets.load("iris"), "species")
    assert result.rows[0].model == "lda"
    accuracies = [row.accuracy for row in result.rows]
    assert accuracies == sorted(accuracies, reverse=True)
    assert isinstance(result.best, sf.LDA)
    assert result.best.score(sf.datasets.load("iris"), "species") == pytest.approx(0.98)


def test_the_best_model_equals_a_fit_on_all_rows():
    iris = sf.datasets.load("iris")
    best = sf.compare(iris, "species", models=["qda"]).best
    np.testing.assert_allclose(best.predict_proba(iris), sf.QDA().fit(iris, "species").predict_proba(iris), atol=1e-12)


def test_a_row_of_the_leaderboard_agrees_with_cross_validate():
    iris = sf.datasets.load("iris")
    (row,) = sf.compare(iris, "species", models="naive_bayes").rows
    alone = sf.cross_validate(sf.NaiveBayes(), iris, "species")
    assert row.accuracy == pytest.approx(alone.mean("accuracy"))
    assert row.log_loss_error == pytest.approx(alone.standard_error("log_loss"))
    assert row.parameters == 26


def test_the_joint_table_is_left_out_where_it_would_only_remember_rows():
    result = sf.compare(sf.datasets.load("wine"), "cultivar")
    assert "joint_bayes" in result.skipped
    assert "one row only" in result.skipped["joint_bayes"]
    assert "did not take part" in str(result)


def test_a_model_that_is_asked_for_by_name_takes_part_all_the_same():
    result = sf.compare(sf.datasets.load("wine"), "cultivar", models=["joint_bayes"])
    assert [row.model for row in result.rows] == ["joint_bayes"]


@pytest.mark.parametrize("rank_by", ["accuracy", "log_loss", "auc"])
def test_the_ranking_follows_the_chosen_metric(rank_by):
    values = [getattr(row, rank_by) for row in sf.compare(sf.datasets.load("iris"), "species", rank_by=rank_by).rows]
    assert values == sorted(values, reverse=rank_by != "log_loss")


def test_estimators_of_ones_own_can_be_compared():
    result = sf.compare(
        sf.datasets.load("iris"),
        "species",
        models={"plain": sf.NaiveBayes(), "shared": sf.NaiveBayes(shared_variance=True)},
    )
    assert {row.model for row in result.rows} == {"plain", "shared"}


def test_the_table_is_of_the_kind_that_was_given():
    arrow = sf.datasets.load("iris")
    assert isinstance(sf.compare(arrow, "species", models=["lda"]).table, pa.Table)
    assert isinstance(sf.compare(arrow.to_pandas(), "species", models=["lda"]).table, pd.DataFrame)


def test_an_array_and_its_labels_can_be_compared():
    iris = sf.datasets.load("iris").to_pandas()
    X, y = iris.iloc[:, :4].to_numpy(), iris["species"].to_numpy()
    result = sf.compare(X, y, models=["lda"])
    np.testing.assert_array_equal(result.best.predict(X), sf.LDA().fit(X, y).predict(X))


def test_an_unknown_model_is_named_with_the_nearest_one():
    with pytest.raises(SettingError, match="Did you mean 'naive_bayes'"):
        sf.compare(sf.datasets.load("iris"), "species", models=["naive_bay"])


def test_a_target_with_many_whole_numbers_looks_like_a_quantity():
    frame = pd.DataFrame({"x": np.arange(60.0), "y": np.arange(60) % 30})
    with pytest.raises(TableError, match="looks like a quantity"):
        sf.compare(frame, "y")


def test_an_unknown_ranking_is_refused():
    with pytest.raises(SettingError, match="rank_by"):
        sf.compare(sf.datasets.load("iris"), "species", rank_by="f1")


def test_the_leaderboard_shows_as_html_in_a_notebook():
    html = sf.compare(sf.datasets.load("iris"), "species", models=["lda"])._repr_html_()
    assert html.startswith("<table>")
    assert "lda" in html


def test_a_list_of_estimators_is_compared_under_their_own_names():
    result = sf.compare(sf.datasets.load("iris"), "species", models=[sf.LDA(), sf.QDA()])
    assert {row.model for row in result.rows} == {"LDA()", "QDA()"}


def test_what_is_no_model_of_suffice_is_refused():
    with pytest.raises(SettingError, match="no model of suffice"):
        sf.compare(sf.datasets.load("iris"), "species", models={"three": 3})
