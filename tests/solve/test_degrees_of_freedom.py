import json
from dataclasses import replace

import numpy as np
import pytest

import suffice as sf
from suffice.persist import checksum
from suffice.schema import Batch
from suffice.solve.degrees_of_freedom import class_freedom_lost, shared_freedom_lost, widening


def gaussian_rows(rows, columns, seed):
    random = np.random.default_rng(seed)
    y = np.arange(rows) % 2
    return random.normal(size=(rows, columns)) + 0.4 * y[:, None], y


def test_a_covariance_that_is_not_shrunk_loses_a_row_for_every_class_and_dimension():
    assert shared_freedom_lost(np.array([0.5, 1.0, 1.5]), 0.0, 20.0, 2) == pytest.approx(5.0)
    assert widening(5.0, 20.0) == pytest.approx(20 / 15)


def test_what_the_prior_decides_is_not_lost():
    half = shared_freedom_lost(np.ones(4), 0.5, 20.0, 2)
    assert half == pytest.approx(2 + 4 * 0.5)
    assert shared_freedom_lost(np.ones(4), 1.0, 20.0, 2) == pytest.approx(2.0)


def test_classes_lose_what_they_decide_themselves_and_share_the_rest():
    weights = np.array([10.0, 30.0])
    assert class_freedom_lost(np.zeros(2), weights, 20, 7.0) == pytest.approx(9.0 + 20.0)  # of ten rows nine are free
    assert class_freedom_lost(np.ones(2), weights, 20, 7.0) == pytest.approx(7.0)


def test_no_more_than_all_rows_are_lost():
    assert widening(60.0, 50.0) == 50.0


@pytest.mark.parametrize("kind", [sf.LDA, sf.QDA])
def test_new_rows_are_given_better_probabilities(kind):
    new_x, new_y = gaussian_rows(4_000, 20, 99)
    losses = []
    for seed in range(5):
        model = kind().fit(*gaussian_rows(80, 20, seed)).model_
        plain = replace(model, covariance=model.covariance / model.widening, widening=1.0)
        batch = Batch(model.schema, new_x, np.empty((0, len(new_y)), dtype=np.int32), new_y.astype(np.int32))
        losses.append([-np.log(m.posterior(batch)[np.arange(len(new_y)), new_y]).mean() for m in (model, plain)])
    wide, narrow = np.array(losses).T
    assert (wide < narrow).all()


@pytest.mark.parametrize("kind", [sf.LDA, sf.QDA])
@pytest.mark.parametrize("shrinkage", [0, "as_needed", "oas"])
def test_no_other_rule_makes_covariances_wider(kind, shrinkage):
    assert kind(shrinkage=shrinkage).fit(*gaussian_rows(80, 20, 0)).model_.widening == 1.0


def test_a_description_says_how_much_wider_covariances_are():
    model = sf.LDA().fit(*gaussian_rows(80, 20, 0))
    assert f"covariances were multiplied by {model.model_.widening:.3g}" in model.describe()
    assert "multiplied" not in sf.LDA().fit(*gaussian_rows(400, 20, 0)).describe()


def test_a_file_from_before_there_was_a_widening_is_read(tmp_path):
    x, y = gaussian_rows(400, 3, 0)
    path = tmp_path / "model.json"
    model = sf.LDA().fit(x, y)
    model.save(path)
    document = json.loads(path.read_text())
    assert document["model"].pop("widening") == 1.0
    document.pop("checksum")
    document["checksum"] = checksum(document, {})
    path.write_text(json.dumps(document))
    again = sf.load(path)
    np.testing.assert_array_equal(again.predict_proba(x), model.predict_proba(x))
