"""What every generative model shares: the posterior, log-likelihoods, and no answer for infinite numbers."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.special import logsumexp

import suffice as sf
from suffice.errors import TableError
from suffice.models.posterior import log_softmax
from suffice.schema import Batch, Nominal, Numeric, Schema

PRIORS = np.array([0.2, 0.3, 0.5])


def quietly(log_joint, priors=PRIORS):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return log_softmax(np.asarray(log_joint, dtype=np.float64), priors)[0]


def test_the_posterior_is_the_joint_divided_by_its_sum():
    joint = np.random.default_rng(0).normal(size=(50, 3)) * 30
    np.testing.assert_allclose(quietly(joint), joint - logsumexp(joint, axis=1, keepdims=True), atol=1e-12)


@pytest.mark.parametrize("shift", [0.0, -1e5, 1e5, -1e300])
def test_rows_sum_to_one_however_small_the_joint(shift):
    joint = np.array([[1.0, 2.0, 3.0], [0.0, -800.0, -np.inf]]) + shift
    np.testing.assert_allclose(np.exp(quietly(joint)).sum(axis=1), 1.0)


def test_a_class_that_is_impossible_gets_nothing():
    np.testing.assert_allclose(np.exp(quietly([[-np.inf, np.log(0.1), np.log(0.3)]])), [[0, 0.25, 0.75]])


@pytest.mark.parametrize("bad", [-np.inf, np.inf, np.nan])
def test_an_impossible_row_gets_the_priors_and_the_others_are_untouched(bad):
    found = np.exp(quietly([[bad] * 3, [0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(found, [PRIORS, [1 / 3] * 3])


def test_an_impossible_row_gets_a_prior_of_zero_too():
    np.testing.assert_allclose(np.exp(quietly([[-np.inf] * 3], np.array([0.0, 0.4, 0.6]))), [[0, 0.4, 0.6]])


def test_no_rows_give_no_posterior():
    assert quietly(np.empty((0, 3))).shape == (0, 3)


def table(rows=60):
    random = np.random.default_rng(1)
    y = np.array(["a", "b"])[np.arange(rows) % 2]
    return pd.DataFrame({"first": random.normal(size=rows), "second": random.normal(size=rows) + (y == "b"), "y": y})


MODELS = [sf.NaiveBayes(), sf.NaiveBayes(likelihoods="kde"), sf.LDA(), sf.QDA(), sf.GaussianDiscriminant("diagonal")]


@pytest.mark.parametrize("model", MODELS, ids=repr)
@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("other", [0.0, np.nan])
def test_an_infinite_number_is_an_error_that_names_column_and_row(model, value, other):
    model.fit(table(), "y")
    rows = pd.DataFrame({"first": [0.0, other], "second": [1.0, value]})
    for predict in (model.predict, model.predict_proba, model.predict_log_proba):
        with pytest.raises(
            TableError, match=r"Column 'second' contains infinity \(inf\), first in row 2 \(the first is 1\)"
        ):
            predict(rows)


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_an_infinite_number_is_an_error_for_the_joint_table_too(value):
    model = sf.JointBayes().fit(table(), "y")
    with pytest.raises(
        TableError, match=r"Column 'second' contains infinity \(inf\), first in row 2 \(the first is 1\)"
    ):
        model.predict(pd.DataFrame({"first": [0.0, 0.0], "second": [1.0, value]}))


@pytest.mark.parametrize("model", [sf.LDA(), sf.QDA()], ids=repr)
def test_explaining_an_infinite_number_is_an_error_that_names_the_column(model):
    with pytest.raises(TableError, match="Column 'second'"):
        model.fit(table(), "y").explain({"first": 0.0, "second": np.inf})


@pytest.mark.parametrize("model", MODELS, ids=repr)
def test_a_row_too_far_from_everything_gets_the_priors(model):
    model.fit(table(), "y")
    found = model.predict_proba(pd.DataFrame({"first": [1e200], "second": [0.0]}))
    np.testing.assert_allclose(found, [[0.5, 0.5]])


def test_log_likelihoods_are_weighted_sums_over_the_rows_own_classes():
    model = sf.NaiveBayes().fit(table(), "y").model_
    schema = Schema((Numeric("first"), Numeric("second")), Nominal("y", ("a", "b")))
    x = table().iloc[:5, :2].to_numpy()
    classes, weights = np.array([0, 1, 1, 0, 1], dtype=np.int32), np.array([1.0, 2.0, 0.0, 0.5, 3.0])
    batch = Batch(schema, x, np.empty((0, 5), dtype=np.int32), classes, weights)
    joint, posterior = model.log_joint(batch), model.log_posterior(batch)
    assert model.log_likelihood(batch) == pytest.approx(sum(weights[i] * joint[i, classes[i]] for i in range(5)))
    own = sum(weights[i] * posterior[i, classes[i]] for i in range(5))
    assert model.conditional_log_likelihood(batch) == pytest.approx(own)
