"""What estimators cost in a cross-validation, one beside the other."""

import numpy as np
import pytest

import suffice as sf
from suffice.estimators import contract
from suffice.evaluation.cross_validation.contestant_of import own_model


def effort(estimator, rows, columns):
    x = np.random.default_rng(0).normal(size=(rows, columns))
    table = contract.training_table(estimator, x, np.arange(rows) % 2)
    return own_model(estimator).effort(table, 10)


def test_a_pass_over_many_rows_costs_one():
    assert effort(sf.NaiveBayes(), 20, 3) == 1.0
    assert effort(sf.LDA(), 4_000, 3) == pytest.approx(1.0, abs=0.01)
    assert effort(sf.cart(), 4_000, 3) == 15.0


def test_matrices_larger_than_the_table_cost_more():
    assert effort(sf.LDA(), 50, 500) == pytest.approx(1 + 2 * 500 / 50)
    assert effort(sf.c45(), 50, 500) == 5.0
