import numpy as np
import pytest
from scipy.stats import norm

import suffice as sf
from suffice.evaluation.models import make_model
from suffice.models.likelihoods.binned import Binned
from suffice.models.likelihoods.kernel_density import KernelDensity
from suffice.solve.bandwidth import silverman_bandwidth
from suffice.solve.likelihoods.few_values import _loss_of_kernels, _table
from suffice.statistics.tally import Tally


def kinds(model):
    return {name: type(part) for part in model.model_.likelihoods for name in part.columns}


def flags_and_a_number(rows=400, seed=0):
    """A flag that class 0 hardly ever has, and a Gaussian number."""
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, rows)
    flag = (random.random(rows) < np.where(y == 1, 0.3, 0.0)).astype(float)
    flag[np.flatnonzero(y == 0)[0]] = 1.0
    return np.column_stack([flag, random.normal(size=rows) + 2 * y]), y


def test_a_flag_has_a_fraction_for_each_value_and_a_number_has_kernels():
    assert kinds(sf.NaiveBayes("binned_or_kde").fit(*flags_and_a_number())) == {"x0": Binned, "x1": KernelDensity}


@pytest.mark.parametrize("settings", [{"likelihoods": "kde"}, {"likelihoods": "binned_or_kde", "smoothing": 0}])
def test_kernels_for_all_columns_can_be_had(settings):
    assert set(kinds(sf.NaiveBayes(**settings).fit(*flags_and_a_number())).values()) == {KernelDensity}


def test_a_value_that_a_class_never_had_does_not_rule_it_out():
    x, y = flags_and_a_number()
    x[y == 0, 0] = 0.0
    row = [[1.0, -1.0]]  # the number says class 0
    needles, fractions = (sf.NaiveBayes(kind).fit(x, y).predict_proba(row)[0, 0] for kind in ("kde", "binned_or_kde"))
    assert needles < 1e-100
    assert fractions > 0.1


def test_rounded_numbers_keep_their_kernels():
    random = np.random.default_rng(0)
    y = random.integers(0, 2, 300)
    x = np.round(random.normal(size=300) + y, 1)[:, None]
    x = np.clip(x, -1.5, 1.5)
    assert len(np.unique(x)) <= 32
    assert kinds(sf.NaiveBayes("binned_or_kde").fit(x, y)) == {"x0": KernelDensity}


def test_each_row_is_judged_by_the_kernels_of_all_the_others():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], [12, 8])
    x = np.round(random.normal(size=20) + y, 1)
    tallies = tuple(Tally.of(x[y == k]) for k in (0, 1))
    widths = [silverman_bandwidth(tally, x.std()) for tally in tallies]
    expected = 0.0
    for i in range(20):
        others = np.arange(20) != i
        joint = [norm.pdf(x[i], x[others & (y == k)], widths[k]).sum() for k in (0, 1)]
        expected -= np.log(joint[y[i]] / sum(joint))
    assert _loss_of_kernels(*_table(tallies), tallies) == pytest.approx(expected, rel=1e-9)


def test_update_is_a_fit_on_all_rows():
    x, y = flags_and_a_number()
    whole = sf.NaiveBayes("binned_or_kde").fit(x, y)
    grown = sf.NaiveBayes("binned_or_kde").fit(x[:20], y[:20]).update(x[20:], y[20:])
    np.testing.assert_allclose(grown.predict_proba(x), whole.predict_proba(x), rtol=1e-12)


def test_weights_that_are_no_counts_leave_kernels():
    x, y = flags_and_a_number()
    model = sf.NaiveBayes("binned_or_kde").fit(x, y, sample_weight=np.full(len(y), 0.7))
    assert set(kinds(model).values()) == {KernelDensity}


def test_rare_flags_do_not_spoil_a_comparison():
    random = np.random.default_rng(1)
    x, y = flags_and_a_number()
    rare = random.random((400, 30)) < np.where(y == 1, 0.004, 0.01)[:, None]
    flags = np.column_stack([rare, x[:, 1]])
    kernels = sf.cross_validate(sf.NaiveBayes("kde"), flags, y).accuracy.mean()
    assert sf.cross_validate(make_model("naive_bayes_kde"), flags, y).accuracy.mean() > kernels + 0.02
