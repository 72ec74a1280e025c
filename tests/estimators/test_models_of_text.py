"""Text in naive Bayes and logistic regression: beside scikit-learn, updated, forgotten, saved, mixed with columns."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csr_array, csr_matrix
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

import suffice as sf
from suffice.errors import ForgetError, MergeError, SettingError, TableError

WORDS = [f"w{i:02d}" for i in range(60)]


def messages(rows: int = 300, seed: int = 0) -> pd.DataFrame:
    """Messages of words that classes use differently, beside a number and levels; some of it is missing."""
    random = np.random.default_rng(seed)
    y = random.choice(["ham", "offer", "spam"], rows, p=[0.5, 0.2, 0.3])
    rates = {label: random.dirichlet(np.full(len(WORDS), 0.3)) for label in ("ham", "offer", "spam")}
    texts = [" ".join(random.choice(WORDS, random.integers(5, 25), p=rates[label])) for label in y]
    table = pd.DataFrame({"text": texts, "length": random.normal(size=rows) + (y == "spam"), "y": y})
    table["from"] = np.where(random.random(rows) < 0.3 + 0.4 * (y == "ham"), "friend", "stranger")
    table.loc[::17, "text"] = None
    table.loc[::13, "length"] = np.nan
    return table


TABLE = messages()
KINDS = ("words", "multinomial", "bernoulli")


def with_text(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["text"].notna()]


# Beside scikit-learn --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", [0.1, 1.0])
@pytest.mark.parametrize("limit", [None, 40])
def test_naive_bayes_is_scikit_learns(alpha: float, limit: int | None) -> None:
    table = with_text(TABLE)
    for kind, binary, theirs in (
        ("multinomial", False, MultinomialNB(alpha=alpha)),
        ("bernoulli", True, BernoulliNB(alpha=alpha)),
        ("words", True, MultinomialNB(alpha=alpha)),
    ):
        X = CountVectorizer(max_features=limit, binary=binary).fit_transform(table["text"])
        mine = sf.NaiveBayes(likelihoods={"text": kind}, vocabulary=limit, word_smoothing=alpha)
        expected = theirs.fit(X, table["y"]).predict_proba(X)
        assert mine.fit(table[["text", "y"]], "y").predict_proba(table) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("make", [csr_matrix, csr_array, coo_array])
def test_a_vectorisers_output_is_a_table(kind: str, make: Any) -> None:
    table = with_text(TABLE)
    X = make(CountVectorizer(binary=kind != "multinomial").fit_transform(table["text"]))
    theirs = BernoulliNB(alpha=0.1) if kind == "bernoulli" else MultinomialNB(alpha=0.1)
    model = sf.NaiveBayes(likelihoods=kind).fit(X, table["y"])
    assert model.predict_proba(X) == pytest.approx(theirs.fit(X, table["y"]).predict_proba(X), abs=1e-9)
    assert model.n_features_in_ == X.shape[1]
    assert np.array_equal(model.predict(X.toarray()), model.predict(X)), "dense rows are read alike"


@pytest.mark.parametrize("vectoriser", [CountVectorizer(binary=True), TfidfVectorizer()])
@pytest.mark.parametrize("classes", [("ham", "spam"), ("ham", "offer", "spam")])
def test_logistic_regression_is_scikit_learns(vectoriser: Any, classes: tuple[str, ...]) -> None:
    table = with_text(TABLE)
    table = table[table["y"].isin(classes)]
    X = vectoriser.fit_transform(table["text"])
    theirs = LogisticRegression(max_iter=10_000, tol=1e-10).fit(X, table["y"])
    mine = sf.LogisticRegression(tol=1e-10).fit(X, table["y"])
    assert mine.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-6)
    if isinstance(vectoriser, TfidfVectorizer):
        return
    read = sf.LogisticRegression(tol=1e-10).fit(table[["text", "y"]], "y")
    assert read.predict_proba(table) == pytest.approx(theirs.predict_proba(X), abs=1e-6)


def test_text_and_columns_climb_like_one_matrix() -> None:
    """A table of words, numbers and levels, against the same terms written out for scikit-learn."""
    table = with_text(TABLE).dropna()
    numbers = (table["length"] - table["length"].mean()) / table["length"].std(ddof=0)
    levels = np.column_stack([table["from"] == level for level in ("friend", "stranger")])
    words = CountVectorizer(binary=True).fit_transform(table["text"]).toarray()
    X = np.column_stack([numbers, levels, words])
    theirs = LogisticRegression(max_iter=10_000, tol=1e-10).fit(X, table["y"])
    mine = sf.LogisticRegression(tol=1e-10).fit(table, "y")
    assert mine.predict_proba(table) == pytest.approx(theirs.predict_proba(X), abs=1e-6)


def test_newton_and_conjugate_gradients_agree_on_few_words() -> None:
    small = sf.LogisticRegression(vocabulary=30).fit(TABLE, "y")
    assert small.summary() is not None
    other = sf.LogisticRegression(vocabulary=30, solver="conjugate_gradient", tol=1e-9).fit(TABLE, "y")
    assert small.predict_proba(TABLE) == pytest.approx(other.predict_proba(TABLE), abs=1e-5)


# More rows, fewer rows, other files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_update_merge_and_forget(kind: str) -> None:
    first, second = TABLE[:120], TABLE[120:]
    whole, part = (sf.NaiveBayes({"text": kind}).fit(table, "y") for table in (TABLE, first))
    expected, before = whole.predict_proba(TABLE), part.predict_proba(TABLE)
    updated = copy.copy(part).update(second, "y")
    assert updated.predict_proba(TABLE) == pytest.approx(expected, abs=1e-12)
    merged = part.merge(sf.NaiveBayes({"text": kind}).fit(second, "y"))
    assert merged.predict_proba(TABLE) == pytest.approx(expected, abs=1e-12)
    assert whole.forget(second, "y").predict_proba(TABLE) == pytest.approx(before, abs=1e-9)


def test_what_was_never_there_cannot_be_forgotten() -> None:
    model = sf.NaiveBayes().fit(TABLE, "y")
    before = model.predict_proba(TABLE)
    with pytest.raises(ForgetError, match="never in the model"):
        model.forget(TABLE[:1].assign(text="words that nobody ever wrote"), "y")
    assert np.array_equal(model.predict_proba(TABLE), before)


def test_models_that_count_differently_do_not_merge() -> None:
    other = sf.NaiveBayes({"text": "multinomial"}).fit(TABLE, "y")
    with pytest.raises(MergeError, match="every occurrence"):
        sf.NaiveBayes({"text": "words"}).fit(TABLE, "y").merge(other)


@pytest.mark.parametrize("kind", KINDS)
def test_cross_validation_in_one_pass_is_fitting_without_each_fold(kind: str) -> None:
    result = sf.cross_validate(sf.NaiveBayes({"text": kind}), TABLE, "y", folds=4)
    for fold in range(4):
        own = result.fold == fold
        model = sf.NaiveBayes({"text": kind}).fit(TABLE[~own], "y")
        assert result.posterior[own] == pytest.approx(model.predict_proba(TABLE[own]), abs=1e-9)


@pytest.mark.parametrize(
    "make", [*(lambda kind=kind: sf.NaiveBayes({"text": kind}) for kind in KINDS), sf.LogisticRegression]
)
def test_files_hold_all_of_it(make: Any, tmp_path: Path) -> None:
    model = make().fit(TABLE, "y")
    model.save(tmp_path / "model.json")
    loaded = sf.load(tmp_path / "model.json")
    assert np.array_equal(loaded.predict_proba(TABLE), model.predict_proba(TABLE))
    assert loaded.describe() == model.describe()
    if isinstance(model, sf.NaiveBayes):
        again = loaded.update(TABLE[:50], "y").predict_proba(TABLE)
        assert np.array_equal(again, model.update(TABLE[:50], "y").predict_proba(TABLE))


def test_weights_are_repetitions() -> None:
    times = np.arange(len(TABLE)) % 3
    repeated = TABLE.loc[np.repeat(TABLE.index, times)]
    for estimator in (sf.NaiveBayes, sf.LogisticRegression):
        weighed = estimator().fit(TABLE[times > 0], "y", sample_weight=times[times > 0].astype(float))
        assert weighed.predict_proba(TABLE) == pytest.approx(
            estimator().fit(repeated, "y").predict_proba(TABLE), abs=1e-6
        )


# Reading --------------------------------------------------------------------------------------------------------------


def test_descriptions_and_derivations_name_the_words() -> None:
    table = pd.DataFrame(
        {
            "text": ["win a free prize now please", "free prize win win call us now", "are you home for dinner today",
                     "see you at home after dinner then"] * 5,
            "y": ["spam", "spam", "ham", "ham"] * 5,
        }
    )  # fmt: skip
    model = sf.NaiveBayes(text=["text"]).fit(table, "y")
    described = model.describe()
    assert "1 text column" in described
    assert described.index("dinner") < described.index("prize"), "the words of each class in turn"
    explained = str(model.explain("a prize for you"))
    assert "prize" in explained
    assert "prediction:" in explained
    linear = sf.LogisticRegression(text=["text"]).fit(table, "y")
    assert linear.explain("free prize").prediction == "spam"
    assert [part.value for part in linear.explain("free prize").contributions[1:]] == ["free", "prize"]


def test_explanations_add_up() -> None:
    rows = 12
    for estimator in (sf.NaiveBayes(), sf.LogisticRegression(), sf.LogisticRegression(vocabulary=30)):
        model = estimator.fit(TABLE, "y")
        expected = model.predict_proba(TABLE[:rows])
        for position in range(rows):
            found = model.explain(TABLE[position : position + 1].drop(columns="y")).posterior
            assert found == pytest.approx(expected[position], abs=1e-9)


def test_messages_in_a_row_are_a_table() -> None:
    table = with_text(TABLE)
    texts, y = table["text"], table["y"]
    expected = sf.NaiveBayes().fit(table[["text"]], y).predict_proba(table[["text"]])
    for given in (list(texts), tuple(texts), texts, texts.to_numpy(dtype=object), texts.to_numpy(dtype=str)):
        model = sf.NaiveBayes().fit(given, y)
        assert np.array_equal(model.predict_proba(given), expected)
        assert model.schema_.names == ("text",)
    few = sf.NaiveBayes().fit(["win", "home", "win", "win now"], ["spam", "ham", "spam", "spam"])
    assert few.explain("win it").prediction == "spam", "a row of texts is text, however short they are"


# Odd and wrong --------------------------------------------------------------------------------------------------------


def test_odd_messages_are_answered() -> None:
    model = sf.NaiveBayes().fit(TABLE, "y")
    odd = ["", " ", "?!", "words never heard", "Здравствуйте", "مرحبا", "你好世界", "\x1b[31m red", "w01 " * 50_000]
    table = pd.DataFrame({"text": odd, "length": 0.0, "from": "friend"})
    assert np.isfinite(model.predict_proba(table)).all()
    assert np.isfinite(sf.LogisticRegression().fit(TABLE, "y").predict_proba(table)).all()
    assert "\x1b" not in str(model.explain(table[-2:-1]))


def test_wrong_settings_are_named() -> None:
    with pytest.raises(SettingError, match="vocabulary must be a whole number"):
        sf.NaiveBayes(vocabulary=0).fit(TABLE, "y")
    with pytest.raises(SettingError, match="vocabulary must be a whole number"):
        sf.LogisticRegression(vocabulary="all").fit(TABLE, "y")
    with pytest.raises(SettingError, match="word_smoothing must be a number of at least 0"):
        sf.NaiveBayes(word_smoothing=-1).fit(TABLE, "y")
    with pytest.raises(SettingError, match="holds text, so it cannot be gaussian; it can be words"):
        sf.NaiveBayes({"text": "gaussian"}).fit(TABLE, "y")
    with pytest.raises(SettingError, match=r"scipy\.sparse\.csr_array"):
        sf.NaiveBayes("multinomial").fit(np.eye(4), [0, 1, 0, 1])
    with pytest.raises(SettingError, match="firth"):
        sf.LogisticRegression(l2="firth").fit(TABLE[TABLE["y"] != "ham"], "y")


def test_a_matrix_must_hold_numbers_that_can_be_counted() -> None:
    y = [0, 1, 0]
    with pytest.raises(TableError, match="negative number"):
        sf.NaiveBayes().fit(csr_array([[1.0, -1.0], [0.0, 2.0], [1.0, 0.0]]), y)
    with pytest.raises(ValueError, match="NaN"):
        sf.NaiveBayes().fit(csr_array([[1.0, np.nan], [0.0, 2.0], [1.0, 0.0]]), y)
    model = sf.NaiveBayes().fit(csr_array(np.eye(3)), y)
    with pytest.raises(ValueError, match="3 features"):
        model.predict(csr_array(np.eye(4)))
    with pytest.raises(TypeError, match="dense"):
        sf.LDA().fit(csr_array(np.eye(3)), y)
    fitted = sf.LogisticRegression().fit(csr_array([[1.0, -1.0], [0.0, 2.0], [1.0, 0.5]]), y)
    assert fitted.predict(csr_array([[1.0, -1.0]])).tolist() == [0]


def test_no_word_at_all_says_nothing() -> None:
    table = pd.DataFrame({"text": ["?", "!", "…", "-"], "n": [1.0, 2.0, 3.0, 4.0]})
    model = sf.NaiveBayes(text=["text"]).fit(table, [0, 0, 1, 1])
    assert model.predict(table).tolist() == [0, 0, 1, 1]
    assert "without evidence (no variation, or all missing): text" in model.describe()
    assert sf.LogisticRegression(text=["text"]).fit(table, [0, 0, 1, 1]).predict(table).tolist() == [0, 0, 1, 1]
    assert model.sample(3, random_state=0)["text"].isna().all()


def test_compare_names_who_reads_text() -> None:
    table = with_text(TABLE)[["text", "y"]]
    board = sf.compare(table, "y", folds=3)
    assert {row.model for row in board.rows} == {"naive_bayes", "logistic", "majority"}
    assert board.skipped["lda"] == "'text' holds text"
    assert "lda, qda, joint_bayes, perceptron, id3, c45, cart did not take part: 'text' holds text" in str(board)
    mixed = sf.compare(TABLE, "y", folds=3)
    assert {row.model for row in mixed.rows} > {"naive_bayes", "logistic", "lda", "c45"}
    assert "'text' holds text, which only naive Bayes and logistic regression read" in str(mixed)
