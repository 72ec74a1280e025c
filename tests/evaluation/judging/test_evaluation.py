from __future__ import annotations

import json
import warnings

import matplotlib as mpl
import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from sklearn import metrics

import suffice as sf
from suffice.cli.json_document import plain
from suffice.errors import SettingError, SufficeWarning, TableError
from suffice.evaluation import Evaluation
from suffice.evaluation.judging.judged import JudgedRows
from suffice.evaluation.judging.shown.evaluation_text import MOST_CLASSES

mpl.use("Agg")

IRIS, TUMOURS = sf.datasets.load("iris"), sf.datasets.load("breast_cancer")


@pytest.fixture(scope="module")
def tumours() -> Evaluation:
    return sf.evaluate(sf.LDA().fit(TUMOURS[::2], "diagnosis"), TUMOURS[1::2], "diagnosis")


@pytest.fixture(scope="module")
def iris() -> Evaluation:
    model = sf.NaiveBayes().fit(IRIS[::2], "species")
    return sf.evaluate(model, IRIS[1::2], "species", sample_weight=np.tile([1.0, 2.0, 3.0], 25))


def test_of_two_classes_every_metric_is_that_of_scikit_learn(tumours: Evaluation) -> None:
    truth, score = tumours.truth, tumours.scores[:, 1]
    assert tumours.value("accuracy") == pytest.approx(metrics.accuracy_score(truth, tumours.predicted))
    assert tumours.value("log_loss") == pytest.approx(metrics.log_loss(truth, tumours.scores))
    assert tumours.value("brier") == pytest.approx(metrics.brier_score_loss(truth, score))
    assert tumours.value("auc") == pytest.approx(metrics.roc_auc_score(truth, score))
    assert tumours.value("average_precision") == pytest.approx(metrics.average_precision_score(truth, score))


def test_of_three_weighted_classes_every_metric_is_that_of_scikit_learn(iris: Evaluation) -> None:
    truth, scores, weights = iris.truth, iris.scores, iris.weights
    assert iris.value("log_loss") == pytest.approx(metrics.log_loss(truth, scores, sample_weight=weights))
    assert iris.value("brier") == pytest.approx(metrics.brier_score_loss(truth, scores, sample_weight=weights))
    area = metrics.roc_auc_score(truth, scores, multi_class="ovr", average="macro", sample_weight=weights)
    assert iris.value("auc") == pytest.approx(area)
    one_hot = np.eye(3)[truth]
    precision = metrics.average_precision_score(one_hot, scores, average="macro", sample_weight=weights)
    assert iris.value("average_precision") == pytest.approx(precision)
    report = metrics.classification_report(truth, iris.predicted, sample_weight=weights, output_dict=True)
    for k, scores_of_class in enumerate(iris.by_class.values()):
        for ours, theirs in (("precision", "precision"), ("recall", "recall"), ("f1", "f1-score")):
            assert scores_of_class[ours].value == pytest.approx(report[str(k)][theirs])


def test_it_agrees_with_the_models_own_predictions(iris: Evaluation) -> None:
    model = sf.NaiveBayes().fit(IRIS[::2], "species")
    np.testing.assert_array_equal(iris.scores, model.predict_proba(IRIS[1::2]))
    np.testing.assert_array_equal(np.array(iris.classes)[iris.predicted], model.predict(IRIS[1::2]))


def test_every_overall_number_lies_in_its_interval(tumours: Evaluation, iris: Evaluation) -> None:
    for result in (tumours, iris):
        for estimate in (*result.overall.values(), *(e for own in result.by_class.values() for e in own.values())):
            assert estimate.low <= estimate.value <= estimate.high
            assert estimate.low < estimate.high


def test_a_file_in_many_pieces_gives_the_same_as_the_table_in_memory(tmp_path) -> None:
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 80_000)
    table = pa.table({"x": random.normal(size=80_000).round(3) + y, "kind": random.choice(["a", "b"], 80_000), "y": y})
    pa.csv.write_csv(table, tmp_path / "rows.csv")
    model = sf.NaiveBayes().fit(table[:1000], "y")
    from_file, in_memory = sf.evaluate(model, tmp_path / "rows.csv", "y"), sf.evaluate(model, table, "y")
    np.testing.assert_array_equal(from_file.scores, in_memory.scores)
    assert from_file.to_dict() == in_memory.to_dict()


def test_arrays_are_judged_as_scikit_learn_hands_them_over() -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(60, 2)), np.tile(["no", "yes"], 30)
    result = sf.evaluate(sf.LDA().fit(x, y), x, y)
    assert result.value("accuracy") == pytest.approx(sf.LDA().fit(x, y).score(x, y))
    with pytest.raises(SettingError, match="Give the target"):
        sf.evaluate(sf.LDA().fit(x, y), x)


def test_a_perceptron_has_curves_but_no_log_loss_and_no_calibration() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = sf.Perceptron(max_epochs=30).fit(TUMOURS[::2], "diagnosis")
    with pytest.raises(SettingError, match="A threshold is one of probabilities"):
        sf.evaluate(model, TUMOURS[1::2], "diagnosis", threshold=0.5)
    result = sf.evaluate(model, TUMOURS[1::2], "diagnosis", costs={"false negative": 2})
    assert set(result.overall).isdisjoint({"log_loss", "brier"})
    assert 0.8 < result.roc().area <= 1.0
    with pytest.raises(SettingError, match="no probabilities"):
        result.calibration()
    assert "where the score of malignant is at least" in str(result).replace("\n", " ")
    assert len(result.plot()) == 4


def test_a_class_without_rows_is_said_to_be_absent_and_left_out_of_means() -> None:
    model = sf.LDA().fit(IRIS, "species")
    result = sf.evaluate(model, IRIS[:100], "species")
    absent = result.by_class["virginica"]
    assert np.isnan(absent["recall"].value)
    assert np.isnan(absent["auc"].value)
    recalls = [result.by_class[label]["recall"].value for label in ("setosa", "versicolor")]
    assert result.value("balanced_accuracy") == pytest.approx(np.mean(recalls))
    assert "No row is of class virginica" in str(result)
    assert "–" in str(result)


def test_rows_of_one_class_only_have_an_accuracy_and_no_area() -> None:
    result = sf.evaluate(sf.LDA().fit(TUMOURS, "diagnosis"), TUMOURS.slice(0, 10), "diagnosis")
    assert set(result.truth.tolist()) == {1}
    assert 0 <= result.value("accuracy") <= 1
    assert np.isnan(result.value("auc"))
    assert len(str(result).splitlines()) > 20
    assert len(result.plot()) == 4
    json.dumps(plain(result.to_dict()), allow_nan=False)


def test_one_row_is_enough() -> None:
    result = sf.evaluate(sf.LDA().fit(IRIS, "species"), IRIS[:1], "species")
    assert result.value("accuracy") == 1.0
    assert np.isnan(result.overall["log_loss"].low)
    assert "on 1 row\n" in str(result)


def test_a_class_the_model_does_not_know_is_an_error_that_names_it() -> None:
    model = sf.LDA().fit(IRIS[:100], "species")
    with pytest.raises(TableError, match="'virginica', which the model does not know"):
        sf.evaluate(model, IRIS, "species")


def test_rows_without_a_class_are_left_out_and_counted() -> None:
    species = IRIS["species"].to_pylist()
    species[3] = species[80] = None
    table = IRIS.set_column(IRIS.column_names.index("species"), "species", pa.array(species))
    model = sf.LDA().fit(IRIS, "species")
    with pytest.warns(SufficeWarning, match="2 of 150 rows have no class"):
        assert sf.evaluate(model, table, "species").rows == 148
    none = IRIS.set_column(IRIS.column_names.index("species"), "species", pa.array([None] * 150, pa.string()))
    with pytest.raises(TableError, match="None of the 150 rows has a class"):
        sf.evaluate(model, none, "species")


def test_an_empty_table_an_unknown_target_and_what_is_no_model_are_clear_errors() -> None:
    model = sf.LDA().fit(IRIS, "species")
    with pytest.raises(TableError, match="no rows"):
        sf.evaluate(model, IRIS[:0], "species")
    with pytest.raises(TableError, match="Did you mean 'species'"):
        sf.evaluate(model, IRIS, "spezies")
    with pytest.raises(SettingError, match="no model of suffice"):
        sf.evaluate("lda", IRIS, "species")
    with pytest.raises(SettingError, match="is a class"):
        sf.evaluate(sf.LDA, IRIS, "species")
    with pytest.raises(Exception, match="not fitted"):
        sf.evaluate(sf.LDA(), IRIS, "species")


def test_threshold_and_false_negatives_of_many_classes_need_a_name() -> None:
    model = sf.LDA().fit(IRIS, "species")
    with pytest.raises(SettingError, match=r"here are 3\. Name the class: threshold=\{'virginica': 0\.5\}"):
        sf.evaluate(model, IRIS, "species", threshold=0.5)
    with pytest.raises(SettingError, match=r"3 classes, so .false negative. is not clear.*: costs=\{"):
        sf.evaluate(model, IRIS, "species", costs={"false negative": 2})
    tree = sf.cart(criterion="variance").fit(IRIS, "petal_width")
    with pytest.raises(SettingError, match="predicts numbers"):
        sf.evaluate(tree, IRIS, "petal_width", threshold=0.5)


@pytest.mark.parametrize("threshold", [-0.1, 1.5, float("nan"), "0.5", True])
def test_a_threshold_that_no_probability_can_be_is_an_error(threshold: object) -> None:
    model = sf.LDA().fit(TUMOURS, "diagnosis")
    with pytest.raises(SettingError, match="must be a probability from 0 to 1"):
        sf.evaluate(model, TUMOURS, "diagnosis", threshold=threshold)


def test_a_lower_threshold_finds_more_of_the_positive_class() -> None:
    model = sf.LDA().fit(TUMOURS[::2], "diagnosis")
    results = [sf.evaluate(model, TUMOURS[1::2], "diagnosis", threshold=t, positive="benign") for t in (0.1, 0.5, 0.9)]
    found = [result.by_class["benign"]["recall"].value for result in results]
    assert found == sorted(found, reverse=True)
    result = results[0]
    taken = model.predict_proba(TUMOURS[1::2])[:, 0] >= 0.1
    np.testing.assert_array_equal(result.predicted, np.where(taken, 0, 1))


def test_the_best_threshold_by_cost_costs_least_when_it_is_used() -> None:
    model = sf.LDA().fit(TUMOURS[::2], "diagnosis")
    costs = {"false negative": 5}
    result = sf.evaluate(model, TUMOURS[1::2], "diagnosis", costs=costs)
    best = result.best_threshold
    assert best is not None
    used = sf.evaluate(model, TUMOURS[1::2], "diagnosis", costs=costs, threshold=best.threshold)
    assert used.best_threshold is not None
    assert used.best_threshold.cost_as_decided == best.cost
    (_, wrong), (missed, _) = used.confusion
    assert best.cost.value == pytest.approx((wrong + 5 * missed) / used.rows)
    assert best.cost.value < best.cost_as_decided.value
    assert "cost least on these rows" in str(result)


def test_the_positive_class_can_be_chosen_and_text_may_stand_for_a_number() -> None:
    x, y = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
    model = sf.LDA().fit(x, y)
    assert sf.evaluate(model, x, y).positive == 1
    result = sf.evaluate(model, x, y, positive="0")
    assert result.positive == 0
    np.testing.assert_allclose(result.roc().area, 1.0)
    with pytest.raises(SettingError, match="There is no class 'two'"):
        sf.evaluate(model, x, y, positive="two")


def test_curves_of_three_classes_need_a_class(iris: Evaluation) -> None:
    with pytest.raises(SettingError, match="Which class"):
        iris.roc()
    assert iris.roc("setosa").area == 1.0
    assert iris.calibration("virginica", bins=4).weight.sum() == iris.weights.sum()


def test_the_table_has_every_metric_and_is_of_the_kind_that_was_given(iris: Evaluation) -> None:
    assert iris.table.num_rows == 8 + 3 * 6
    pandas = pytest.importorskip("pandas")
    frame = IRIS.to_pandas()
    assert isinstance(sf.evaluate(sf.LDA().fit(frame, "species"), frame).table, pandas.DataFrame)


def test_the_document_is_json(tumours: Evaluation, iris: Evaluation) -> None:
    for result in (tumours, iris):
        document = json.loads(json.dumps(plain(result.to_dict()), allow_nan=False))
        assert document["overall"]["accuracy"]["value"] == result.value("accuracy")
        assert len(document["curves"]) == (1 if len(result.classes) == 2 else 3)
        assert len(document["curves"][0]["roc"]["thresholds"]) <= 101


def test_many_classes_show_their_most_frequent_errors_and_not_a_wide_matrix() -> None:
    random = np.random.default_rng(0)
    y = np.repeat(np.arange(30), 20)
    x = y[:, None] + random.normal(size=(600, 1))
    result = sf.evaluate(sf.LDA().fit(x, y), x, y)
    assert len(result.classes) > MOST_CLASSES
    assert "The most frequent errors" in str(result)
    assert max(map(len, str(result).splitlines())) <= 100
    assert len(result.plot()) == 4


def test_names_are_shown_safely() -> None:
    labels = np.array(["<script>alert(1)</script>", "$x^2$\x1b[31m"])[np.tile([0, 1], 20)]
    x = np.random.default_rng(0).normal(size=(40, 1))
    result = sf.evaluate(sf.LDA().fit(x, labels), x, labels)
    assert "<script>" not in result._repr_html_()
    assert "\x1b" not in str(result)
    result.plot()[0].figure.canvas.draw()


def test_numbers_are_judged_by_rmse_mae_and_r2() -> None:
    tree = sf.cart(criterion="variance").fit(IRIS[::2], "petal_width")
    weights = np.tile([1.0, 2.0, 3.0], 25)
    result = sf.evaluate(tree, IRIS[1::2], sample_weight=weights)
    truth, predicted = IRIS[1::2]["petal_width"].to_numpy(), tree.predict(IRIS[1::2])
    expected = metrics.root_mean_squared_error(truth, predicted, sample_weight=weights)
    assert result.value("rmse") == pytest.approx(expected)
    assert result.value("mae") == pytest.approx(metrics.mean_absolute_error(truth, predicted, sample_weight=weights))
    assert result.value("r2") == pytest.approx(metrics.r2_score(truth, predicted, sample_weight=weights))
    assert all(e.low < e.value < e.high for e in result.overall.values())
    assert result.table.num_rows == 3
    assert len(result.plot()) == 2
    assert "<table>" in result._repr_html_()
    assert json.dumps(result.to_dict())
    with pytest.raises(SettingError, match="Did you mean 'rmse'"):
        result.value("rms")


def test_intervals_of_rmse_mae_and_r2_hold_the_truth_95_times_in_100() -> None:
    from suffice.evaluation import RegressionEvaluation

    random, held = np.random.default_rng(0), []
    truth = {"rmse": 1.0, "mae": np.sqrt(2 / np.pi), "r2": 0.8}
    for _ in range(600):
        predicted = random.normal(0, 2, 150)
        result = RegressionEvaluation(predicted, predicted + random.normal(size=150), np.ones(150))
        held.append([result.overall[name].low <= number <= result.overall[name].high for name, number in truth.items()])
    assert (np.mean(held, axis=0) > 0.92).all()
    assert (np.mean(held, axis=0) < 0.98).all()


def test_intervals_of_log_loss_auc_and_average_precision_hold_the_truth() -> None:
    """On probabilities that are right, whose metrics on a very large table are the truth."""

    def judged(random: np.random.Generator, rows: int) -> Evaluation:
        p = random.beta(1, 2, rows)
        truth = (random.random(rows) < p).astype(np.int32)
        scores, taken = np.stack([1 - p, p], axis=1), (p >= 0.5).astype(np.int32)
        return Evaluation(("no", "yes"), JudgedRows(scores, truth, taken, np.ones(rows)))

    random = np.random.default_rng(0)
    names = ("log_loss", "brier", "auc", "average_precision")
    large = judged(random, 200_000)
    truth = {name: large.value(name) for name in names}
    held = []
    for _ in range(300):
        overall = judged(random, 150).overall
        held.append([overall[name].low <= truth[name] <= overall[name].high for name in names])
    assert (np.mean(held, axis=0) > 0.91).all()


@pytest.mark.parametrize("estimator", [sf.LDA(), sf.LogisticRegression()], ids=repr)
def test_cross_validated_predictions_can_be_judged_together(estimator: sf.LDA) -> None:
    weights = np.tile([1.0, 3.0], 285)[: TUMOURS.num_rows]
    result = sf.cross_validate(estimator, TUMOURS, "diagnosis", folds=5, sample_weight=weights)
    evaluation = result.evaluation(costs={"false negative": 2}, target="diagnosis")
    right = result.posterior.argmax(axis=1) == result.truth
    assert evaluation.value("accuracy") == pytest.approx(np.average(right, weights=weights))
    assert evaluation.best_threshold is not None
    assert str(evaluation).startswith("5-fold cross-validation: diagnosis (2 classes, positive: malignant) on 569 rows")


def test_cross_validated_numbers_can_be_judged_together() -> None:
    result = sf.cross_validate(sf.cart(criterion="variance"), IRIS, "petal_width", folds=5)
    truth = IRIS["petal_width"].to_numpy()
    assert result.evaluation().value("r2") == pytest.approx(metrics.r2_score(truth, result.predicted))


def test_evaluate_is_a_plain_function_whatever_was_imported_first() -> None:
    import inspect

    import suffice.evaluation

    assert inspect.isfunction(sf.evaluate)
    assert sf.evaluate is suffice.evaluation.evaluate
