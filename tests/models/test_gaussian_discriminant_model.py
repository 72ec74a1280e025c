"""The Gaussian discriminant model against scipy's densities, row by row and over the known cells only."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import stats
from scipy.special import logsumexp

import suffice as sf
from suffice.errors import SettingError
from suffice.models import class_gaussians, gaussian_discriminant
from suffice.models.logistic_form import logistic_weights
from suffice.schema import Batch

KINDS = ("shared", "per_class", "diagonal")
every_kind = pytest.mark.parametrize("kind", KINDS)
TOWNS = ["Bonn", "Kiel", "Ulm"]


def people(rows=240, seed=0):
    random = np.random.default_rng(seed)
    y = random.choice(["a", "b", "c"], rows, p=[0.5, 0.3, 0.2])
    shift = pd.Series(y).map({"a": 0.0, "b": 1.0, "c": 3.0}).to_numpy()
    height = random.normal(170 + 3 * shift, 9.0)
    return pd.DataFrame(
        {
            "height": height,
            "town": np.where(random.random(rows) < 0.1 + 0.2 * shift, "Kiel", random.choice(TOWNS, rows)),
            "weight": 0.001 * (height - 100 + random.normal(shift, 5.0)),
            "flat": 4.0,
            "money": 1e6 + 1e3 * random.normal(shift, 2.0 + shift),
            "y": y,
        }
    )


def fitted(kind, **settings):
    return sf.GaussianDiscriminant(kind, **settings).fit(people(), "y").model_


def batch_of(model, rows=40, missing=0.3, seed=1):
    """Rows with gaps; the first is complete, the second knows nothing."""
    random = np.random.default_rng(seed)
    table = people(rows, seed)
    numeric = table[[column.name for column in model.schema.numeric]].to_numpy(dtype=np.float64)
    codes = np.array([[TOWNS.index(town) for town in table["town"]]], dtype=np.int32)
    gaps, gone = random.random(numeric.shape) < missing, random.random(codes.shape) < missing
    gaps[0], gone[:, 0], gaps[1], gone[:, 1] = False, False, True, True
    return Batch(model.schema, np.where(gaps, np.nan, numeric), np.where(gone, -1, codes).astype(np.int32))


def by_hand(model, batch):
    """Rows as height, weight, money, town=Kiel, town=Ulm: Bonn is the reference, the flat column says nothing."""
    assert model.names == ("height", "weight", "money", "town=Kiel", "town=Ulm")
    rows = []
    for i in range(batch.rows):
        height, weight, _, money = batch.numeric[i]
        code = batch.codes[0, i]
        towns = [np.nan, np.nan] if code < 0 else [float(TOWNS[code] == "Kiel"), float(TOWNS[code] == "Ulm")]
        rows.append([height, weight, money, *towns])
    return np.array(rows)


def slow_log_joint(model, x):
    total = np.empty((len(x), 3))
    for i, row in enumerate(x):
        known = np.flatnonzero(~np.isnan(row))
        for k in range(3):
            covariance = model.covariance[k if len(model.covariance) > 1 else 0][np.ix_(known, known)]
            scale = np.sqrt(np.diagonal(covariance))  # scipy needs comparable units
            total[i, k] = np.log(model.priors[k])
            if known.size:
                z = (row[known] - model.mean[k, known]) / scale
                density = stats.multivariate_normal(np.zeros(len(known)), covariance / np.outer(scale, scale))
                total[i, k] += density.logpdf(z) - np.log(scale).sum()
    return total


@every_kind
def test_the_log_joint_is_the_normal_density_of_the_known_cells(kind):
    model = fitted(kind)
    batch = batch_of(model)
    np.testing.assert_allclose(model.log_joint(batch), slow_log_joint(model, by_hand(model, batch)), rtol=1e-9)


@every_kind
def test_means_and_covariances_are_those_of_the_rows(kind):
    model, table = fitted(kind, shrinkage=0), people()
    x = np.column_stack([table[["height", "weight", "money"]], table["town"] == "Kiel", table["town"] == "Ulm"])
    x = x.astype(np.float64)
    own = [x[table["y"] == label] for label in "abc"]
    np.testing.assert_allclose(model.mean, [part.mean(axis=0) for part in own], rtol=1e-12)
    covariances = np.array([np.cov(part.T, bias=True) for part in own])
    pooled = np.einsum("k,kij->ij", [len(part) for part in own], covariances) / len(x)
    wanted = {"shared": pooled[None], "per_class": covariances, "diagonal": (pooled * np.eye(5))[None]}[kind]
    scale = np.sqrt(np.diagonal(pooled))
    np.testing.assert_allclose(model.covariance / np.outer(scale, scale), wanted / np.outer(scale, scale), atol=1e-9)
    assert (model.shrinkage == 0).all()


@every_kind
def test_factors_add_up_to_the_log_joint_by_the_chain_rule(kind):
    model = fitted(kind)
    batch = batch_of(model)
    total = model.log_joint(batch)
    for i in range(batch.rows):
        row = batch.take(slice(i, i + 1))
        factors = model.factors(row)
        np.testing.assert_allclose(np.sum([factor.log for factor in factors], axis=0), total[i], rtol=1e-9)
        known = [name for name in ("height", "weight", "money") if not np.isnan(by_name(row, name))]
        assert [factor.name for factor in factors] == ["prior", *known, *(["town"] if row.codes[0, 0] >= 0 else [])]


def by_name(row, name):
    return row.numeric[0, row.schema.numeric_position[name]]


def test_each_factor_is_the_density_given_the_columns_before_it():
    model = fitted("shared")
    row = batch_of(model).take(slice(1))
    x = by_hand(model, row)
    logs = [factor.log for factor in model.factors(row)]
    for known in range(1, 4):
        part = np.where(np.arange(5) < known, x, np.nan)
        np.testing.assert_allclose(np.sum(logs[: known + 1], axis=0), slow_log_joint(model, part)[0], rtol=1e-9)
    assert model.factors(row)[-1].value == TOWNS[row.codes[0, 0]]


@every_kind
def test_a_row_that_knows_nothing_gets_the_priors(kind):
    model = fitted(kind)
    row = batch_of(model).take(slice(1, 2))
    np.testing.assert_allclose(np.exp(model.log_posterior(row)[0]), model.priors)
    assert [factor.name for factor in model.factors(row)] == ["prior"]


@every_kind
def test_blocks_and_forgotten_patterns_give_the_same_as_row_by_row(kind, monkeypatch):
    model = fitted(kind)
    batch = batch_of(model, rows=700, missing=0.4)
    rows = [model.log_joint(batch.take(slice(i, i + 1))) for i in range(batch.rows)]
    monkeypatch.setattr(gaussian_discriminant, "BLOCK_CELLS", 1)  # blocks of 256 rows
    monkeypatch.setattr(class_gaussians.ClassGaussians, "most_kept", 3)
    fresh = fitted(kind)
    np.testing.assert_allclose(fresh.log_joint(batch), np.concatenate(rows), rtol=1e-11)
    assert len(fresh.gaussians._kept) == 3
    np.testing.assert_allclose(fresh.log_joint(batch), np.concatenate(rows), rtol=1e-11)


@every_kind
def test_rows_with_gaps_that_few_others_have_score_as_those_of_common_patterns_do(kind, monkeypatch):
    model = fitted(kind)
    batch = batch_of(model)
    batch.numeric[2:4, 0] = 1e200, np.inf
    scores = {}
    for most in (0, 10**9):
        monkeypatch.setattr(class_gaussians, "FEW_ALIKE", most)
        with np.errstate(invalid="ignore"):
            scores[most] = model.log_joint(batch), np.diff(model.class_scores(batch), axis=1)
    for by_pattern, one_by_one in zip(*scores.values(), strict=True):
        np.testing.assert_allclose(one_by_one, by_pattern, rtol=1e-9, atol=1e-9)


def test_rows_are_taken_one_by_one_where_no_two_lack_the_same(monkeypatch):
    model = fitted("per_class")
    batch = batch_of(model)
    monkeypatch.setattr(class_gaussians, "FEW_ALIKE", 10**9)
    monkeypatch.setattr(class_gaussians, "known_columns", lambda x: iter([]))
    assert np.isfinite(model.log_joint(batch)).all()


def test_no_rows_give_no_scores():
    model = fitted("shared")
    assert model.log_joint(batch_of(model).take(slice(0))).shape == (0, 3)


def test_levels_past_the_most_are_pooled_and_have_indicators_of_zero():
    random = np.random.default_rng(5)
    town = random.choice([f"t{k:02}" for k in range(40)], 2_000, p=np.r_[np.full(30, 0.03), np.full(10, 0.01)])
    table = pd.DataFrame({"town": town, "height": random.normal(size=2_000), "y": random.choice(["a", "b"], 2_000)})
    model = sf.LDA().fit(table, "y").model_
    pooled = model.schema.nominal[0].levels.index("t35")
    row = Batch(model.schema, np.array([[0.5]]), np.array([[pooled]], dtype=np.int32))
    x = np.concatenate([[0.5], np.zeros(len(model.names) - 1)])
    slow = [
        np.log(prior) + stats.multivariate_normal(mean, model.covariance[0]).logpdf(x)
        for prior, mean in zip(model.priors, model.mean, strict=True)
    ]
    assert len(model.names) == 31
    np.testing.assert_allclose(model.log_joint(row)[0], slow, rtol=1e-9)
    assert model.factors(row)[-1].value == "t35"


def test_transform_projects_complete_rows_from_the_centre_of_the_means():
    model = fitted("shared")
    batch = batch_of(model, missing=0.0).take(np.r_[0, 2:40])
    x, direction = by_hand(model, batch), model.projection
    found = model.transform(batch)
    np.testing.assert_allclose(found, (x - model.priors @ model.mean) @ direction.scalings, rtol=1e-9, atol=1e-9)
    within = direction.scalings.T @ model.covariance[0] @ direction.scalings
    np.testing.assert_allclose(within, np.eye(2), atol=1e-8)
    assert direction.share.sum() == pytest.approx(1.0)


def test_transform_fills_missing_values_by_their_expectation_given_the_known_ones():
    model = fitted("shared")
    batch = batch_of(model)
    x, covariance, overall = by_hand(model, batch), model.covariance[0], model.priors @ model.mean
    for row in x:
        known = np.flatnonzero(~np.isnan(row))
        gone = np.flatnonzero(np.isnan(row))
        if gone.size:
            part, scale = covariance[np.ix_(known, known)], np.sqrt(np.diagonal(covariance))[known]
            inverse = np.linalg.pinv(part / np.outer(scale, scale)) / np.outer(scale, scale)
            slope = covariance[np.ix_(gone, known)] @ inverse
            row[gone] = overall[gone] + slope @ (row[known] - overall[known])
    wanted = (x - overall) @ model.projection.scalings
    np.testing.assert_allclose(model.transform(batch), wanted, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(model.transform(batch)[1], 0.0, atol=1e-9)


def test_transform_leaves_the_rows_as_they_were():
    model = fitted("shared")
    batch = batch_of(model)
    before = batch.numeric.copy()
    model.transform(batch)
    np.testing.assert_array_equal(batch.numeric, before)


@pytest.mark.parametrize("kind", ["shared", "diagonal"])
@pytest.mark.parametrize("reference", [None, "a", "b"])
def test_logistic_weights_reproduce_the_posterior(kind, reference):
    model = fitted(kind)
    weights = logistic_weights(model, reference)
    batch = batch_of(model, missing=0.0).take(np.r_[0, 2:40])
    assert weights.names == model.names
    assert weights.reference == (reference or "c")
    scores = np.zeros((batch.rows, 3))
    for label, intercept, coefficients in zip(weights.classes, weights.intercept, weights.coefficients, strict=True):
        scores[:, "abc".index(label)] = intercept + by_hand(model, batch) @ coefficients
    posterior = scores - logsumexp(scores, axis=1, keepdims=True)
    np.testing.assert_allclose(posterior, model.log_posterior(batch), rtol=1e-7, atol=1e-7)


def test_two_classes_have_one_vector_of_logistic_weights():
    table = people()
    table["y"] = np.where(table["y"] == "a", "a", "b")
    model = sf.LDA().fit(table, "y").model_
    weights = logistic_weights(model)
    batch = batch_of(model, missing=0.0).take(np.r_[0, 2:40])
    odds = weights.intercept + by_hand(model, batch) @ weights.coefficients
    assert (weights.classes, weights.reference) == (("b",), "a")
    np.testing.assert_allclose(1 / (1 + np.exp(-odds)), np.exp(model.log_posterior(batch))[:, 1], rtol=1e-7)


def test_a_covariance_per_class_has_no_logistic_weights():
    with pytest.raises(SettingError, match="quadratic"):
        logistic_weights(fitted("per_class"))


def test_an_unknown_reference_is_an_error_that_names_the_classes():
    with pytest.raises(SettingError, match=r"no class 'z' for `reference`\. The classes are 'a', 'b', 'c'"):
        logistic_weights(fitted("shared"), "z")


@pytest.mark.parametrize(("kind", "numbers"), [("shared", 15), ("per_class", 45), ("diagonal", 5)])
def test_parameters_are_means_covariances_and_priors(kind, numbers):
    assert fitted(kind).parameter_count == 3 * 5 + numbers + 2


def test_a_column_that_does_not_vary_is_without_evidence():
    assert fitted("shared").without_evidence == ("flat",)


@every_kind
def test_drawn_rows_have_the_models_means_and_covariances(kind):
    model = fitted(kind)
    drawn = model.draw(60_000, np.random.default_rng(0))
    assert (drawn.numeric[:, 2] == 4.0).all()
    assert set(np.unique(drawn.codes)) <= {0, 1, 2}
    np.testing.assert_allclose(np.bincount(drawn.classes) / 60_000, model.priors, atol=0.01)
    for k in range(3):
        own = drawn.numeric[drawn.classes == k][:, [0, 1, 3]]
        covariance = model.covariance[k if kind == "per_class" else 0][:3, :3]
        scale = np.sqrt(np.diagonal(covariance))
        np.testing.assert_allclose((own.mean(axis=0) - model.mean[k, :3]) / scale, 0.0, atol=0.05)
        np.testing.assert_allclose(
            np.cov(own.T) / np.outer(scale, scale), covariance / np.outer(scale, scale), atol=0.05
        )


@pytest.mark.parametrize("model", [sf.LDA(), sf.QDA()])
def test_the_factors_of_a_row_add_up_to_its_log_joint_with_and_without_gaps(model):
    random = np.random.default_rng(0)
    kind = random.integers(0, 3, 300)
    numbers = random.normal(size=(300, 4)) * [1e-6, 1.0, 1e3, 1e8] + kind[:, None]
    table = pa.table({**{f"x{j}": numbers[:, j] for j in range(4)}, "c": [f"l{k % 5}" for k in range(300)], "y": kind})
    fitted = model.fit(table, "y")
    rows = table.slice(0, 2).to_pylist()
    rows[1] |= {"x1": None, "c": None}
    for row in rows:
        explained = fitted.explain(row)
        joint = fitted.predict_log_joint(pa.Table.from_pylist([row], table.schema))[0]
        np.testing.assert_allclose(explained.log_joint, joint, rtol=1e-9)
        np.testing.assert_allclose(fitted.explain(row).log_joint, explained.log_joint, rtol=0)  # as kept


@pytest.mark.parametrize("width", [1e-4, 1e-8, 1e-9, 1e-12])
def test_classes_side_by_side_are_told_apart_however_far_away_a_narrow_one_is(width):
    rows = np.array([[0.0], [width], [1.0], [1.0], [1.0]])
    model = sf.LDA().fit(rows, list("ccaab"))
    np.testing.assert_allclose(model.predict_proba(rows), [[0, 0, 1]] * 2 + [[2 / 3, 1 / 3, 0]] * 3, atol=1e-12)
    for row, found in zip(rows, model.predict_proba(rows), strict=True):
        np.testing.assert_allclose(model.explain(row).posterior, found, atol=1e-12)


@pytest.mark.parametrize("few_alike", [0, 32])
def test_so_are_rows_with_gaps_and_the_discriminants_stay_linear(few_alike, monkeypatch):
    monkeypatch.setattr(class_gaussians, "FEW_ALIKE", few_alike)
    random = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 200)
    rows = random.normal(size=(600, 3)) * 1e-6 + np.repeat([[0.0], [1e-6], [1e3]], 200, axis=0)
    model = sf.LDA().fit(rows, y)
    some = rows[::40].copy()
    some[::2, 1] = np.nan
    found = model.predict_proba(some)
    for row, posterior in zip(some, found, strict=True):
        np.testing.assert_allclose(model.explain(row).posterior, posterior, rtol=1e-6, atol=1e-300)
    assert 0.01 < found[:5].min(axis=0)[1] < found[:5].max(axis=0)[1] < 0.99
    whole = model.decision_function(rows[[0, 400, 599]])
    middle = model.decision_function((rows[[400]] + rows[[599]]) / 2)
    np.testing.assert_allclose(middle[0], whole[1:].mean(axis=0), rtol=1e-9)
