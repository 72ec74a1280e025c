import numpy as np
import pytest
from sklearn.covariance import ledoit_wolf, oas
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from suffice.errors import SettingError
from suffice.models.projection import project
from suffice.schema import Batch, Nominal, Numeric, Schema
from suffice.solve.discriminant import require_shrinkage, solve_gaussians
from suffice.statistics.moments.fourth_moments import MeasureFourthMoments
from suffice.statistics.moments.full_moments import MeasureFullMoments
from suffice.statistics.moments.indicators import Indicators


def batch_of(x, classes, count=3, codes=None, levels=()):
    numeric = tuple(Numeric(f"x{j}") for j in range(x.shape[1]))
    nominal = tuple(Nominal(f"n{j}", own) for j, own in enumerate(levels))
    schema = Schema((*numeric, *nominal), Nominal("y", tuple(range(count))))
    codes = np.empty((0, len(x)), dtype=np.int32) if codes is None else np.asarray(codes, dtype=np.int32)
    return Batch(schema, x, codes, np.asarray(classes, dtype=np.int32))


def full_moments(batch):
    return MeasureFullMoments(Indicators.of_all_levels(batch.schema)).of(batch)


def random_rows(rows=150, columns=4, seed=0):
    random = np.random.default_rng(seed)
    classes = np.arange(rows) % 3
    x = random.normal(size=(rows, columns)) @ random.normal(size=(columns, columns))
    return (x + random.normal(size=(3, columns))[classes]) * np.logspace(-3, 3, columns) + 100, classes


def centred_by_class(x, classes):
    return np.concatenate([x[classes == k] - x[classes == k].mean(axis=0) for k in np.unique(classes)])


X, LABELS = random_rows()
STATISTIC = full_moments(batch_of(X, LABELS))
OWN_ROWS = [X[np.flatnonzero(np.equal(LABELS, k))] for k in range(3)]


def test_shared_means_and_covariance_are_maximum_likelihood():
    found = solve_gaussians(STATISTIC, "shared", False, 0.0)
    centred = centred_by_class(X, LABELS)
    np.testing.assert_allclose(found.mean, [OWN_ROWS[k].mean(axis=0) for k in range(3)])
    np.testing.assert_allclose(found.covariance[0], centred.T @ centred / 150, rtol=1e-8)
    assert found.dimensions.tolist() == [0, 1, 2, 3]


def test_unbiased_covariances_divide_by_the_degrees_of_freedom():
    centred = centred_by_class(X, LABELS)
    shared = solve_gaussians(STATISTIC, "shared", True, 0.0).covariance[0]
    np.testing.assert_allclose(shared, centred.T @ centred / 147, rtol=1e-8)
    per_class = solve_gaussians(STATISTIC, "per_class", True, 0.0).covariance
    for k in range(3):
        np.testing.assert_allclose(per_class[k], np.cov(OWN_ROWS[k].T), rtol=1e-8)


def test_a_diagonal_covariance_is_pooled_and_has_nothing_beside_the_diagonal():
    found = solve_gaussians(STATISTIC, "diagonal", False, 0.0).covariance[0]
    np.testing.assert_allclose(found, np.diag(np.mean(centred_by_class(X, LABELS) ** 2, axis=0)), rtol=1e-8)


@pytest.mark.parametrize("covariance", ["shared", "per_class", "diagonal"])
def test_a_well_conditioned_covariance_is_not_shrunk_whatever_the_units(covariance):
    found = solve_gaussians(STATISTIC, covariance, False, "as_needed")
    assert not found.shrinkage.any()


def test_a_given_intensity_works_in_standard_units():
    found = solve_gaussians(STATISTIC, "shared", False, 0.3)
    centred = centred_by_class(X, LABELS)
    deviation = np.sqrt(np.mean(centred**2, axis=0))
    correlation = (centred / deviation).T @ (centred / deviation) / 150
    expected = (0.7 * correlation + 0.3 * np.eye(4)) * np.outer(deviation, deviation)
    np.testing.assert_allclose(found.covariance[0], expected, rtol=1e-8)
    assert found.shrinkage.tolist() == [0.3]


def standard_rows():
    centred = centred_by_class(X, LABELS)
    return centred / np.sqrt(np.mean(centred**2, axis=0))


def test_oas_is_that_of_scikit_learn_on_standardised_rows():
    expected = oas(standard_rows(), assume_centered=True)[1]
    np.testing.assert_allclose(solve_gaussians(STATISTIC, "shared", False, "oas").shrinkage, [expected], rtol=1e-8)


def test_ledoit_wolf_is_that_of_scikit_learn_on_standardised_rows():
    batch = batch_of(X, LABELS)
    fourth = MeasureFourthMoments(Indicators.of_all_levels(batch.schema)).of(batch)
    expected = ledoit_wolf(standard_rows(), assume_centered=True)[1]
    found = solve_gaussians(STATISTIC, "shared", False, "ledoit_wolf", fourth)
    np.testing.assert_allclose(found.shrinkage, [expected], rtol=1e-8)


def test_ledoit_wolf_of_each_class_is_that_of_scikit_learn_in_the_shared_units():
    batch = batch_of(X, LABELS)
    fourth = MeasureFourthMoments(Indicators.of_all_levels(batch.schema)).of(batch)
    found = solve_gaussians(STATISTIC, "per_class", False, "ledoit_wolf", fourth).shrinkage
    deviation = np.sqrt(np.mean(centred_by_class(X, LABELS) ** 2, axis=0))
    for k in range(3):
        np.testing.assert_allclose(found[k], ledoit_wolf(OWN_ROWS[k] / deviation)[1], rtol=1e-8)


def singular_tables():
    x, classes = random_rows(30)
    return {
        "constant column": (np.column_stack([x, np.full(30, 7.1)]), classes),
        "duplicated column": (np.column_stack([x, 3 * x[:, 0] + 1]), classes),
        "constant within classes": (np.column_stack([x, classes * 10.0]), classes),
        "fewer rows than columns": (*random_rows(9, 20),),
        "one row in a class": (np.concatenate([x, x[:1]]), np.append(classes % 2, 2)),
        "column all missing": (np.column_stack([x, np.full(30, np.nan)]), classes),
    }


@pytest.mark.parametrize("name", singular_tables())
@pytest.mark.parametrize("covariance", ["shared", "per_class", "diagonal"])
@pytest.mark.parametrize("shrinkage", ["as_needed", "oas", "ledoit_wolf"])
def test_singular_tables_give_covariances_that_can_be_inverted(name, covariance, shrinkage):
    batch = batch_of(*singular_tables()[name])
    fourth = MeasureFourthMoments(Indicators.of_all_levels(batch.schema)).of(batch)
    found = solve_gaussians(full_moments(batch), covariance, False, shrinkage, fourth)
    assert np.isfinite(found.mean).all()
    scale = np.sqrt(np.diagonal(found.covariance, axis1=1, axis2=2).mean(axis=0))
    for matrix in found.covariance / np.outer(scale, scale):
        np.linalg.cholesky(matrix)


def test_columns_without_variation_are_not_used():
    x = np.column_stack([X[:, :2], np.full(150, 0.1), X[:, 2:]])
    assert solve_gaussians(full_moments(batch_of(x, LABELS)), "shared", False, 0.0).dimensions.tolist() == [0, 1, 3, 4]


def test_a_nominal_column_gives_up_its_first_level_that_occurs():
    codes = np.random.default_rng(0).integers(1, 4, (1, 150))
    batch = batch_of(X[:, :1], LABELS, codes=codes, levels=[("none", "a", "b", "c")])
    found = solve_gaussians(full_moments(batch), "shared", False, "as_needed")
    assert found.dimensions.tolist() == [0, 3, 4]
    assert not found.shrinkage.any()


def test_a_nominal_column_with_pooled_levels_keeps_all_its_indicators():
    codes = np.random.default_rng(0).integers(0, 3, (1, 150))
    batch = batch_of(X[:, :1], LABELS, codes=codes, levels=[("a", "b", "rare")])
    statistic = MeasureFullMoments(Indicators(batch.schema, (("a", "b"),))).of(batch)
    assert solve_gaussians(statistic, "shared", False, "as_needed").dimensions.tolist() == [0, 1, 2]


@pytest.mark.parametrize("covariance", ["shared", "per_class"])
def test_a_class_without_rows_takes_the_overall_mean(covariance):
    found = solve_gaussians(full_moments(batch_of(X, LABELS, count=4)), covariance, True, "as_needed")
    np.testing.assert_allclose(found.mean[3], X.mean(axis=0))
    assert np.isfinite(found.covariance).all()


def test_unknown_settings_list_the_known_ones():
    with pytest.raises(SettingError, match="covariance must be one of 'shared', 'per_class', 'diagonal', not 'full'"):
        solve_gaussians(STATISTIC, "full", False, 0.0)
    with pytest.raises(SettingError, match="shrinkage must be a number from 0 to 1"):
        solve_gaussians(STATISTIC, "shared", False, 2.0)


@pytest.mark.parametrize("columns", [1, 2, 4])
@pytest.mark.parametrize("solver", ["eigen", "svd"])
def test_the_projection_is_that_of_scikit_learn_up_to_sign(solver, columns):
    x, classes = random_rows(columns=columns)
    found = solve_gaussians(full_moments(batch_of(x, classes)), "shared", False, 0.0)
    projection = project(found.mean, found.covariance[0], np.full(3, 1 / 3))
    theirs = LinearDiscriminantAnalysis(solver=solver).fit(x, classes)
    rank = min(2, columns)
    scalings = theirs.scalings_[:, :rank]
    if solver == "svd":  # divides by n or n−K, depending on the version of scikit-learn
        scalings = scalings * np.linalg.norm(projection.scalings, axis=0) / np.linalg.norm(scalings, axis=0)
    sign = np.sign((projection.scalings * scalings).sum(axis=0))
    np.testing.assert_allclose(projection.scalings * sign, scalings, rtol=1e-5, atol=1e-8 * np.abs(scalings).max())
    np.testing.assert_allclose(projection.share, theirs.explained_variance_ratio_[:rank], rtol=1e-6)
    np.testing.assert_allclose(projection.centre, theirs.priors_ @ theirs.means_)


def test_the_projected_classes_have_unit_spread_and_no_correlation():
    found = solve_gaussians(STATISTIC, "shared", False, 0.0)
    projection = project(found.mean, found.covariance[0], np.full(3, 1 / 3))
    projected = centred_by_class(X, LABELS) @ projection.scalings
    np.testing.assert_allclose(projected.T @ projected / 150, np.eye(2), atol=1e-8)


def test_equal_class_means_share_the_spread_evenly():
    projection = project(np.zeros((3, 2)), np.eye(2), np.full(3, 1 / 3))
    assert projection.share.tolist() == [0.5, 0.5]


def test_without_dimensions_there_are_no_directions():
    projection = project(np.empty((3, 0)), np.empty((0, 0)), np.full(3, 1 / 3))
    assert projection.scalings.shape == (0, 0)
    assert projection.share.shape == (0,)


@pytest.mark.parametrize("shrinkage", [0, 1, 0.5, np.float64(0.1), np.int64(1), "oas", "ledoit_wolf", "evidence"])
def test_numbers_from_zero_to_one_and_the_names_of_rules_are_shrinkages(shrinkage):
    require_shrinkage(shrinkage)


@pytest.mark.parametrize("shrinkage", [-0.1, 1.1, np.nan, "auto", None, True])
def test_other_values_are_explained(shrinkage):
    with pytest.raises(SettingError, match="a number from 0 to 1 or one of evidence, as_needed, ledoit_wolf, oas"):
        require_shrinkage(shrinkage)
