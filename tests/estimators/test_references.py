"""Results that other implementations give on the same rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.covariance import LedoitWolf, ledoit_wolf_shrinkage
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB
from sklearn.neighbors import KernelDensity

import suffice as sf

DATA = Path(__file__).parents[3] / "shared" / "data"
TABLES = {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}

# Fisher's iris, 1/(n−K): sepal length, sepal width, petal length, petal width.
SCALINGS = np.array(
    [
        [0.8293776, 0.02410215],
        [1.5344731, 2.16452123],
        [-2.2012117, -0.93192121],
        [-2.8104603, 2.83918785],
    ]
)
FIRST_SCALING_BY_N = np.array([0.8377979, 1.5500519, -2.2235596, -2.8389936])


@pytest.fixture(params=TABLES)
def rows(request: pytest.FixtureRequest) -> tuple[np.ndarray, np.ndarray]:
    return TABLES[request.param](return_X_y=True)


def without_sign(columns: np.ndarray) -> np.ndarray:
    """Columns turned so that their first entry is positive."""
    return columns * np.sign(columns[:1])


# Iris --------------------------------------------------------------------------------------------------------------


def test_the_scalings_of_iris_with_n_minus_k() -> None:
    model = sf.LDA(unbiased=True).fit(*load_iris(return_X_y=True))
    np.testing.assert_allclose(without_sign(model.scalings_), without_sign(SCALINGS), rtol=0, atol=5e-8)


def test_the_scalings_of_iris_with_n() -> None:
    model = sf.LDA().fit(*load_iris(return_X_y=True))
    first = without_sign(model.scalings_)[:, 0]
    np.testing.assert_allclose(first, FIRST_SCALING_BY_N, rtol=0, atol=5e-8)


@pytest.mark.parametrize("unbiased", [False, True])
def test_the_proportion_of_trace_of_iris(unbiased: bool) -> None:
    model = sf.LDA(unbiased=unbiased).fit(*load_iris(return_X_y=True))
    assert [f"{share:.4f}" for share in model.explained_variance_ratio_] == ["0.9912", "0.0088"]


@pytest.mark.parametrize(
    ("model", "errors"),
    [(sf.LDA(), 3), (sf.QDA(), 3), (sf.NaiveBayes("gaussian"), 6), (sf.NaiveBayes(shared_variance=True), 6)],
    ids=repr,
)
def test_the_errors_on_the_rows_of_iris(model: sf.NaiveBayes, errors: int) -> None:
    x, y = load_iris(return_X_y=True)
    assert int((model.fit(x, y).predict(x) != y).sum()) == errors


# Naive Bayes -------------------------------------------------------------------------------------------------------


def test_gaussian_naive_bayes_agrees_with_scikit_learn(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    mine, theirs = sf.NaiveBayes("gaussian").fit(x, y), GaussianNB(var_smoothing=0).fit(x, y)
    np.testing.assert_allclose(mine.predict_log_joint(x), theirs.predict_joint_log_proba(x), rtol=1e-9)
    np.testing.assert_allclose(mine.predict_proba(x), theirs.predict_proba(x), atol=1e-9)
    np.testing.assert_allclose(mine.model_.likelihoods[0].mean, theirs.theta_, rtol=1e-12)
    np.testing.assert_allclose(mine.model_.likelihoods[0].variance, theirs.var_, rtol=1e-9)


def test_weighted_gaussian_naive_bayes_agrees_with_scikit_learn(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    weight = np.random.default_rng(0).uniform(0.2, 3.0, len(y))
    mine = sf.NaiveBayes("gaussian").fit(x, y, sample_weight=weight)
    theirs = GaussianNB(var_smoothing=0).fit(x, y, sample_weight=weight)
    np.testing.assert_allclose(mine.predict_proba(x), theirs.predict_proba(x), atol=1e-9)


@pytest.mark.parametrize("alpha", [0.5, 1.0, 3.0])
def test_categorical_naive_bayes_agrees_with_scikit_learn(alpha: float) -> None:
    random = np.random.default_rng(1)
    y = random.integers(0, 3, 200)
    x = (random.integers(0, 4, (200, 5)) + y[:, None]) % 5
    mine, theirs = sf.NaiveBayes("categorical", smoothing=alpha).fit(x, y), CategoricalNB(alpha=alpha).fit(x, y)
    np.testing.assert_allclose(mine.predict_log_joint(x), theirs.predict_joint_log_proba(x), rtol=1e-12)
    for table, logs in zip(mine.model_.likelihoods[0].tables, theirs.feature_log_prob_, strict=True):
        np.testing.assert_allclose(table.probability, np.exp(logs.T), rtol=1e-12)


@pytest.mark.parametrize("alpha", [0.1, 1.0])
def test_bernoulli_naive_bayes_agrees_with_scikit_learn(alpha: float) -> None:
    random = np.random.default_rng(2)
    y = random.integers(0, 2, 150)
    x = (random.random((150, 6)) < 0.2 + 0.4 * y[:, None]).astype(int)
    mine, theirs = sf.NaiveBayes("bernoulli", smoothing=alpha).fit(x, y), BernoulliNB(alpha=alpha).fit(x, y)
    np.testing.assert_allclose(mine.predict_log_joint(x), theirs.predict_joint_log_proba(x), rtol=1e-12)


def test_given_priors_agree_with_scikit_learn(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    priors = np.arange(1.0, len(np.unique(y)) + 1)
    priors /= priors.sum()
    mine = sf.NaiveBayes("gaussian", priors=priors).fit(x, y)
    theirs = GaussianNB(priors=priors, var_smoothing=0).fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), theirs.predict_proba(x), atol=1e-9)


@pytest.mark.parametrize("k", [0, 1])
def test_a_kernel_density_factor_agrees_with_scikit_learn(k: int) -> None:
    random = np.random.default_rng(3)
    y = random.integers(0, 2, 300)
    x = random.gamma(2.0, 1.0 + y)
    x[:40] = np.round(x[:40], 1)  # some values several times
    part = sf.NaiveBayes("kde").fit(x[:, None], y).model_.likelihoods[0]
    own, bandwidth = x[y == k], float(part.bandwidth[k, 0])
    grid = np.linspace(-1.0, 12.0, 60)
    theirs = KernelDensity(bandwidth=bandwidth, kernel="gaussian").fit(own[:, None]).score_samples(grid[:, None])
    table = pd.DataFrame({"x0": grid})
    model = sf.NaiveBayes("kde").fit(pd.DataFrame({"x0": x, "y": y}), "y")
    mine = model.predict_log_joint(table)[:, k] - np.log(np.mean(y == k))
    np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9)


def test_the_bandwidth_is_silvermans() -> None:
    random = np.random.default_rng(4)
    y = np.arange(400) % 2
    x = random.normal(size=400) * (1 + y)
    part = sf.NaiveBayes("kde").fit(x[:, None], y).model_.likelihoods[0]
    for k in (0, 1):
        own = x[y == k]
        low, high = np.quantile(own, [0.25, 0.75], method="inverted_cdf")
        expected = 0.9 * min(own.std(), (high - low) / 1.34) * len(own) ** -0.2
        assert part.bandwidth[k, 0] == pytest.approx(expected, rel=1e-12)


def test_poisson_log_joints_agree_with_scipy() -> None:
    random = np.random.default_rng(5)
    y = random.integers(0, 3, 240)
    x = random.poisson(1.0 + 2.0 * y[:, None] + np.arange(4))
    model = sf.NaiveBayes("poisson").fit(x, y)
    logs = [np.log(np.mean(y == k)) + stats.poisson(x[y == k].mean(axis=0)).logpmf(x).sum(axis=1) for k in range(3)]
    np.testing.assert_allclose(model.predict_log_joint(x), np.stack(logs, axis=1), rtol=1e-12)


# Gaussian discriminants --------------------------------------------------------------------------------------------


def test_lda_agrees_with_scikit_learn(rows: tuple[np.ndarray, np.ndarray]) -> None:
    """Its svd solver has divided by n−K in some releases and by n in others; its scalings tell."""
    x, y = rows
    theirs = LinearDiscriminantAnalysis(solver="svd").fit(x, y)
    within = (x - theirs.means_[y]) @ theirs.scalings_[:, 0]
    mine = sf.LDA(unbiased=within @ within < len(y) - 0.5).fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), theirs.predict_proba(x), atol=1e-7)
    np.testing.assert_allclose(mine.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-6)
    np.testing.assert_allclose(np.abs(mine.transform(x)), np.abs(theirs.transform(x)), atol=1e-5)


def test_lda_by_n_agrees_with_scikit_learn(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    mine, theirs = sf.LDA().fit(x, y), LinearDiscriminantAnalysis(solver="lsqr").fit(x, y)
    np.testing.assert_allclose(mine.predict_proba(x), theirs.predict_proba(x), atol=1e-6)


def test_qda_agrees_with_scikit_learn(rows: tuple[np.ndarray, np.ndarray]) -> None:
    """Its svd solver has divided by n_k−1 in some releases and by n_k in others; it cannot do without like units."""
    x, y = rows
    scaled = x / x.std(axis=0)
    theirs = QuadraticDiscriminantAnalysis(tol=1e-12).fit(scaled, y)
    is_unbiased = theirs.scalings_[0].sum() > 1.0001 * scaled[y == 0].var(axis=0).sum()
    mine = sf.QDA(unbiased=is_unbiased, shrinkage=0).fit(x, y)
    assert (mine.model_.shrinkage == 0).all()
    np.testing.assert_allclose(mine.predict_proba(x), theirs.predict_proba(scaled), atol=1e-6)


def test_qda_by_n_is_qda_with_smaller_covariances() -> None:
    x, y = load_iris(return_X_y=True)
    by_n, unbiased = sf.QDA().fit(x, y), sf.QDA(unbiased=True).fit(x, y)
    np.testing.assert_allclose(by_n.covariance_, unbiased.covariance_ * 49 / 50, rtol=1e-12)


def test_diagonal_discriminants_are_naive_bayes_with_shared_variance(rows: tuple[np.ndarray, np.ndarray]) -> None:
    x, y = rows
    diagonal = sf.GaussianDiscriminant("diagonal").fit(x, y)
    naive = sf.NaiveBayes(shared_variance=True).fit(x, y)
    np.testing.assert_allclose(diagonal.predict_log_joint(x), naive.predict_log_joint(x), rtol=1e-10)


def test_ledoit_and_wolfs_shrinkage_agrees_with_scikit_learn() -> None:
    """Per class, on columns in units of their pooled standard deviation."""
    random = np.random.default_rng(6)
    y = np.arange(80) % 2
    x = random.normal(size=(80, 10)) @ random.normal(size=(10, 10)) + y[:, None]
    model = sf.QDA(shrinkage="ledoit_wolf").fit(x, y)
    means = np.array([x[y == k].mean(axis=0) for k in (0, 1)])
    scale = np.sqrt(((x - means[y]) ** 2).mean(axis=0))
    for k in (0, 1):
        own = (x[y == k] - means[k]) / scale
        assert model.model_.shrinkage[k] == pytest.approx(ledoit_wolf_shrinkage(own), rel=1e-9)
        theirs = LedoitWolf().fit(own).covariance_ * np.outer(scale, scale)
        np.testing.assert_allclose(model.covariance_[k], theirs, rtol=1e-9, atol=1e-9)


# C4.5 --------------------------------------------------------------------------------------------------------------

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the real tables are not there ({DATA})")


def training_errors(tree: sf.DecisionTreeClassifier, table: object, target: str) -> int:
    rows = pd.read_csv(table, keep_default_na=False, na_values=[""]) if isinstance(table, Path) else table
    return int(np.sum(tree.predict(table) != rows[target].to_numpy()))


@needs_data
@pytest.mark.parametrize(
    ("file", "target", "size", "errors"),
    [
        ("iris.csv", "class", 9, 3),
        ("vote.csv", "Class", 11, 12),
        ("labor.csv", "class", 5, 7),
        ("mushroom.csv", "class", 29, 0),
    ],
)
def test_the_pruned_trees_of_c45(file: str, target: str, size: int, errors: int) -> None:
    tree = sf.c45().fit(DATA / file, target)
    assert tree.node_count == size
    assert training_errors(tree, DATA / file, target) == errors


@needs_data
def test_the_leaves_of_the_mushroom_tree_of_c45() -> None:
    assert sf.c45().fit(DATA / "mushroom.csv", "class").leaf_count == 24


@needs_data
def test_the_mushroom_tree_of_c45_with_a_declared_level() -> None:
    table = pd.read_csv(DATA / "mushroom.csv", keep_default_na=False, na_values=[""])
    table["gill-spacing"] = pd.Categorical(table["gill-spacing"], ["c", "d", "w"])
    tree = sf.c45().fit(table, "class")
    assert (tree.leaf_count, tree.node_count) == (25, 30)
    assert training_errors(tree, table, "class") == 0


def test_c45_of_fishers_own_iris() -> None:
    table = sf.datasets.load("iris").to_pandas()
    tree = sf.c45().fit(table, "species")
    assert tree.node_count == 9
    assert training_errors(tree, table, "species") == 3


# Spector -----------------------------------------------------------------------------------------------------------

SPECTOR = {  # coefficient, standard error, p-value
    "GPA": (2.826113, 1.262941, 0.02524),
    "TUCE": (0.0951577, 0.1415542, 0.50143),
    "PSI": (2.378688, 1.064564, 0.02546),
    "intercept": (-13.021347, 4.931324, 0.00828),
}


@pytest.fixture(scope="module")
def spector() -> pd.DataFrame:
    datasets = pytest.importorskip("statsmodels.datasets", reason="the table comes with statsmodels")
    return datasets.spector.load_pandas().data.astype({"GRADE": int})


@pytest.mark.parametrize("solver", ["newton", "conjugate_gradient", "gradient_ascent"])
def test_the_maximum_likelihood_of_spector(spector: pd.DataFrame, solver: str) -> None:
    tol = 1e-8 if solver == "gradient_ascent" else 1e-10
    summary = sf.LogisticRegression(l2=0, solver=solver, tol=tol).fit(spector, "GRADE").summary()
    for name, (coefficient, error, p_value) in SPECTOR.items():
        line = summary[name]
        assert line.coefficient == pytest.approx(coefficient, rel=1e-6)
        assert line.standard_error == pytest.approx(error, rel=1e-6)
        assert line.p_value == pytest.approx(p_value, abs=5e-6)
    assert summary.log_likelihood == pytest.approx(-12.889634, abs=5e-7)
    assert summary.null_log_likelihood == pytest.approx(-20.591730, abs=5e-6)
