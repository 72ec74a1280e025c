"""A slip in a column of numbers must not cost the answers for all other rows; a wrong column must be said."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SufficeWarning, TableError

ROWS = 40


def people() -> pd.DataFrame:
    chance = np.random.default_rng(0)
    size = chance.normal(170, 9, ROWS).round(1)
    return pd.DataFrame({"size": size, "sex": ["f", "m"] * (ROWS // 2), "tall": np.where(size > 170, "yes", "no")})


@pytest.fixture
def slip() -> pd.DataFrame:
    """The table with one word among its numbers."""
    return people().astype({"size": object}).set_axis(range(ROWS)).pipe(_with_word, 7, "tiny")


def _with_word(table: pd.DataFrame, row: int, word: str) -> pd.DataFrame:
    table.loc[row, "size"] = word
    return table


MODELS = [sf.NaiveBayes(), sf.LDA(), sf.LogisticRegression(), sf.cart(), sf.JointBayes(), sf.Perceptron()]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_one_word_among_numbers_reads_as_missing_and_is_named(model, slip):
    model.fit(people(), "tall")
    missing = people().pipe(_with_word, 7, np.nan)
    with pytest.warns(SufficeWarning, match=r"no numbers were read as missing: 'size' \('tiny'\)"):
        found = model.predict(slip)
    np.testing.assert_array_equal(found, model.predict(missing))


def test_a_file_is_read_so_too(tmp_path: Path, slip: pd.DataFrame) -> None:
    model = sf.NaiveBayes().fit(people(), "tall")
    file = tmp_path / "new.csv"
    _with_word(slip, 9, "huge").to_csv(file, index=False)
    with pytest.warns(SufficeWarning, match=r"'size' \(2 rows, 'tiny' first\)"):
        assert len(model.predict(str(file))) == ROWS
    with pytest.warns(SufficeWarning, match=r"'size' \(2 rows"):
        assert model.score(str(file), "tall") > 0.8
    with pytest.warns(SufficeWarning, match=r"'size' \(2 rows"):
        assert sf.evaluate(model, str(file)).rows == ROWS


def test_a_slip_elsewhere_in_the_table_does_not_matter_to_a_row(slip: pd.DataFrame) -> None:
    model = sf.NaiveBayes().fit(people(), "tall")
    assert model.explain(model.row(slip, 3)).prediction == model.predict(people())[3]


@pytest.mark.parametrize("words", [ROWS, ROWS // 2])
def test_a_column_that_mostly_holds_words_is_an_error(words: int) -> None:
    model = sf.NaiveBayes().fit(people(), "tall")
    table = people().astype({"size": object})
    table.loc[: words - 1, "size"] = "tiny"
    with pytest.raises(TableError, match="Column 'size' holds numbers, but here it has the value 'tiny'"):
        model.predict(table)


@pytest.mark.parametrize("number", ["1,5", "45%", "$3"])
def test_another_unit_or_decimal_mark_is_no_slip(number: str) -> None:
    model = sf.NaiveBayes().fit(people(), "tall")
    with pytest.raises(TableError, match="Write its numbers as in training, with a decimal point and no unit"):
        model.predict(people().astype({"size": object}).pipe(_with_word, 7, number))


def test_the_setting_that_an_error_of_words_names_makes_them_missing() -> None:
    table = people().astype({"size": object}).assign(size="tiny")
    with pytest.raises(TableError, match=r"trained with missing_values=\['tiny'\] reads it as missing"):
        sf.NaiveBayes().fit(people(), "tall").predict(table)
    sf.NaiveBayes(missing_values=["tiny"]).fit(people(), "tall").predict(table)


def test_rows_to_learn_from_are_read_strictly(slip: pd.DataFrame) -> None:
    model = sf.NaiveBayes().fit(people(), "tall")
    with pytest.raises(TableError, match="'tiny'"):
        model.update(slip, "tall")


def test_a_word_in_a_row_without_a_class_does_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "with_total.csv"
    file.write_text(people().to_csv(index=False) + "Total,,\n")
    with pytest.warns(SufficeWarning, match="1 of 41 rows has no class"):
        model = sf.NaiveBayes().fit(str(file), "tall")
    np.testing.assert_array_equal(
        model.predict_proba(people()), sf.NaiveBayes().fit(people(), "tall").predict_proba(people())
    )
