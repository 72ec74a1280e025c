"""What models measure of the same rows, they measure in one pass, and it changes nothing but the time."""

import numpy as np
import pyarrow as pa
import pytest

import suffice as sf
from suffice.estimators import contract
from suffice.evaluation.cross_validation.shared_pass import SharedPass
from suffice.sources.table import Table
from suffice.sources.training import training_table

TOGETHER = ("naive_bayes", "lda", "qda")


def a_table(levels=3, has_text=False):
    random = np.random.default_rng(0)
    rows = 400
    kind = random.integers(0, 2, rows)
    columns = {f"x{j}": random.normal(size=rows) + kind * (j == 0) for j in range(4)}
    columns["spread"] = np.where(random.random(rows) < 0.1, np.nan, random.exponential(size=rows))
    columns["level"] = [f"l{code}" for code in random.integers(0, levels, rows)]
    if has_text:
        words = np.array(["good", "bad", "late", "broken", "fine", "again", "never", "soon", "box", "letter"])
        columns["said"] = [" ".join(random.choice(words, 9)) for _ in range(rows)]
    return pa.table({**columns, "y": np.where(kind, "yes", "no")})


@pytest.fixture
def measured(monkeypatch):
    """Every measuring pass over a table."""
    passes = []
    measure = Table.measure
    monkeypatch.setattr(Table, "measure", lambda self, what: passes.append(what) or measure(self, what))
    return passes


def test_naive_bayes_lda_and_qda_measure_all_folds_in_one_pass(measured):
    sf.compare(a_table(), "y", models=list(TOGETHER), skip="majority", folds=3)
    assert len(measured) == 1


def test_with_many_levels_one_more_pass_counts_which_are_frequent(measured):
    sf.compare(a_table(levels=50), "y", models=list(TOGETHER), skip="majority", folds=3)
    assert len(measured) == 2


def test_models_that_read_texts_share_the_pass_with_those_that_do_not(measured):
    found = sf.compare(a_table(has_text=True), "y", models=list(TOGETHER), skip="majority", folds=3)
    assert len(measured) == 1
    assert found.fitted["naive_bayes"].schema_.text
    assert not found.fitted["lda"].schema_.text


def test_on_a_test_table_they_share_it_too(measured):
    table = a_table()
    sf.compare(table[:300], "y", models=list(TOGETHER), skip="majority", test=table[300:])
    assert len(measured) == 1


@pytest.mark.parametrize("has_text", [False, True])
@pytest.mark.parametrize("levels", [3, 50])
def test_what_is_measured_together_is_bit_for_bit_what_each_measures_alone(monkeypatch, levels, has_text):
    table = a_table(levels, has_text)
    together = sf.compare(table, "y", models=list(TOGETHER), folds=3)
    monkeypatch.setattr(SharedPass, "wait_for", lambda *_: ())
    alone = sf.compare(table, "y", models=list(TOGETHER), folds=3)
    for name in TOGETHER:
        assert np.array_equal(together.results[name].posterior, alone.results[name].posterior)
        assert np.array_equal(together.fitted[name].predict_proba(table), alone.fitted[name].predict_proba(table))


def test_a_table_without_text_is_read_once_for_models_that_read_text_and_those_that_do_not(monkeypatch):
    found = []
    surveyed = training_table.surveyed
    monkeypatch.setattr(training_table, "surveyed", lambda *given: found.append(given) or surveyed(*given))
    sf.compare(a_table(), "y", models=["lda", "naive_bayes"], folds=3)
    assert len(found) == 1


def test_a_model_for_which_nobody_waits_measures_alone():
    table = a_table()
    model = sf.NaiveBayes().fit(table, "y")
    opened = contract.training_table(model, table, "y")
    assert SharedPass().measured(model, opened).parts.keys() == model.statistic_.parts.keys()
