"""The baseline stands in every leaderboard, and what is below it is marked."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import SettingError


def noise_table(rows: int = 200) -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    return {"a": random.normal(size=rows), "b": random.normal(size=rows), "y": random.random(rows) < 0.3}


def test_the_majority_is_right_as_often_as_its_class_occurs() -> None:
    iris = sf.datasets.load("iris")
    row = next(row for row in sf.compare(iris, "species", models=["lda"], folds=5).rows if row.model == "majority")
    assert row.accuracy == pytest.approx(1 / 3)
    assert row.log_loss == pytest.approx(np.log(3))
    assert row.auc == 0.5


def test_it_takes_part_where_all_there_is_is_text() -> None:
    texts = [f"win money now prize {k}" if k % 3 else f"see you at lunch tomorrow {k}" for k in range(60)]
    table = pa.table({"message": texts, "label": ["spam" if k % 3 else "ham" for k in range(60)]})
    result = sf.compare(table, "label", folds=3)
    assert result.rows[-1].model == "majority"
    assert result.rows[-1].accuracy == pytest.approx(2 / 3)


def test_models_below_the_baseline_are_marked_and_the_best_of_them_is_not_the_baseline() -> None:
    result = sf.compare(pd.DataFrame(noise_table()), "y", models=["id3"])
    assert [row.model for row in result.rows] == ["majority", "id3"]
    assert result.rows[1].below == "majority"
    assert result.leader == "id3"
    assert isinstance(result.best, sf.DecisionTreeClassifier)
    assert "id3 <" in str(result)
    assert any(note.startswith("No model is better than the baseline") for note in result.notes)


def test_models_can_be_skipped_the_baseline_too() -> None:
    iris = sf.datasets.load("iris")
    result = sf.compare(iris, "species", skip=["id3", "majority", "perceptron"], folds=3)
    assert {"id3", "majority", "perceptron"}.isdisjoint(row.model for row in result.rows)
    assert "lda" in {row.model for row in result.rows}
    with pytest.raises(SettingError, match=r"`skip` names 'idd3', which does not take part\. Did you mean 'id3'"):
        sf.compare(iris, "species", skip="idd3")
    with pytest.raises(SettingError, match="`skip` names every model"):
        sf.compare(iris, "species", models=["lda"], skip=["lda", "majority"])
    with pytest.raises(SettingError, match="`skip` names every model"):
        sf.compare(iris, "species", models=["lda", "nb"], skip=["lda", "nb"])


def test_models_to_skip_go_by_their_short_names_too() -> None:
    iris = sf.datasets.load("iris")
    for models, skip in ((["naive_bayes", "lda"], "nb"), (["nb", "lda"], "naive_bayes"), (["nb", "lda"], "nb")):
        result = sf.compare(iris, "species", models=models, skip=skip, folds=3)
        assert {row.model for row in result.rows} == {"majority", "lda"}
    with pytest.raises(SettingError, match=r"names 'qda', which does not take part\. There are majority, nb\."):
        sf.compare(iris, "species", models=["nb"], skip="qda")


def test_a_model_that_is_named_in_short_and_in_full_takes_part_once() -> None:
    result = sf.compare(sf.datasets.load("iris"), "species", models=["nb", "lda", "naive_bayes", "lda"], folds=3)
    assert list(result.results) == ["majority", "nb", "lda"]


def test_a_model_of_ones_own_cannot_take_the_name_of_a_baseline() -> None:
    with pytest.raises(SettingError, match="'majority' is the name of a baseline"):
        sf.compare(sf.datasets.load("iris"), "species", models={"majority": sf.LDA()})
