"""Units and weights at the ends of what numbers can be: the same model, or an error that says what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SettingError, TableError

pytestmark = pytest.mark.filterwarnings("ignore")
SMALL_UNITS = [2.0**-1000, 2.0**-660, 2.0**-540, 2.0**-518, 2.0**-500]
FAIR_UNITS = [2.0**-470, 2.0**-200, 2.0**200, 2.0**470]
LARGE_UNITS = [2.0**515, 2.0**660, 2.0**1000]
OF_SQUARES: dict[str, Callable[[], Any]] = {
    "naive Bayes": sf.NaiveBayes,
    "shared variance": lambda: sf.NaiveBayes(shared_variance=True),
    "LDA": sf.LDA,
    "QDA": sf.QDA,
    "diagonal": lambda: sf.GaussianDiscriminant("diagonal"),
    "logistic": sf.LogisticRegression,
    "logistic, the table's units": lambda: sf.LogisticRegression(l2=0, standardize=False),
    "perceptron": lambda: sf.Perceptron(max_epochs=20),
}
OF_ORDER: dict[str, Callable[[], Any]] = {
    "joint Bayes": sf.JointBayes,
    "id3": sf.id3,
    "cart": lambda: sf.cart(prune=None),
}
OF_WEIGHTS: dict[str, Callable[[float], Any]] = {  # with what must grow as the weights do
    "naive Bayes": lambda unit: sf.NaiveBayes(smoothing=unit),
    "joint Bayes": lambda unit: sf.JointBayes(smoothing=unit),
    "LDA": lambda unit: sf.LDA(shrinkage="as_needed"),  # evidence counts rows: lighter ones say less
    "QDA": lambda unit: sf.QDA(shrinkage="as_needed"),
    "logistic": lambda unit: sf.LogisticRegression(l2=unit),
    "id3": lambda unit: sf.id3(),
    "cart": lambda unit: sf.cart(prune=None),
}
every_model = pytest.mark.parametrize("make", (OF_SQUARES | OF_ORDER).values(), ids=OF_SQUARES | OF_ORDER)
RANDOM = np.random.default_rng(7)
Y = np.repeat(["no", "yes"], 40)
X = RANDOM.normal(size=(80, 2)) + 1.3 * (Y == "yes")[:, None]
WEIGHTS = RANDOM.integers(1, 4, 80).astype(float)


def answers(model: Any, x: Any) -> Any:
    return model.predict_proba(x) if hasattr(model, "predict_proba") else model.decision_function(x)


@every_model
@pytest.mark.parametrize("unit", FAIR_UNITS)
def test_units_do_not_matter_as_long_as_squares_can_be_kept(make: Callable[[], Any], unit: float) -> None:
    found, expected = make().fit(X * unit, Y), make().fit(X, Y)
    np.testing.assert_allclose(answers(found, X * unit), answers(expected, X), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("make", OF_SQUARES.values(), ids=OF_SQUARES)
@pytest.mark.parametrize("unit", SMALL_UNITS + LARGE_UNITS)
def test_columns_whose_squares_cannot_be_kept_are_named(make: Callable[[], Any], unit: float) -> None:
    table = pd.DataFrame({"fair": X[:, 0], "tiny": X[:, 1] * unit, "y": Y})
    what = "so small that their squares vanish" if unit < 1 else "so large that their squares overflow"
    with pytest.raises(TableError, match=f"column 'tiny', or their weights, are {what}. Rescale"):
        make().fit(table, "y")


@pytest.mark.parametrize("make", OF_ORDER.values(), ids=OF_ORDER)
@pytest.mark.parametrize("unit", [2.0**-1000, 2.0**-540, 2.0**1000])
def test_models_that_only_compare_numbers_take_any_unit(make: Callable[[], Any], unit: float) -> None:
    found, expected = make().fit(X * unit, Y), make().fit(X, Y)
    np.testing.assert_array_equal(answers(found, X * unit), answers(expected, X))


@pytest.mark.parametrize("unit", [2.0**-900, 2.0**-540, 2.0**-200, 2.0**200, 2.0**500])
def test_kernel_densities_work_in_units_of_their_own(unit: float) -> None:
    found, expected = (sf.NaiveBayes(likelihoods="kde").fit(x, Y) for x in (X * unit, X))
    np.testing.assert_allclose(found.predict_proba(X * unit), expected.predict_proba(X), rtol=1e-9)


def test_numbers_too_small_for_a_kernel_density_and_counts_too_large_to_sum_are_named() -> None:
    with pytest.raises(TableError, match=r"column 'x0'.*so small"):
        sf.NaiveBayes(likelihoods="kde").fit(X * 2.0**-1000, Y)
    with pytest.raises(TableError, match=r"column 'x0'.*so large"):
        sf.NaiveBayes(likelihoods="poisson").fit(np.full((80, 1), 1.5e308), Y)


@pytest.mark.parametrize("make", [sf.NaiveBayes, sf.LDA, sf.QDA])
@pytest.mark.parametrize("unit", [2.0**-540, 2.0**-1000])
def test_small_numbers_are_found_however_the_rows_come(make: Callable[[], Any], unit: float, tmp_path: Path) -> None:
    """One row of each class at a time has no spread; in a merge, and in one-pass cross-validation, it has."""
    x = np.where(np.arange(8) % 4 < 2, 1.0, -1.0)[:, None] * unit  # the mean of each class is 0
    y = np.array([0, 1] * 4)
    with pytest.raises(TableError, match="so small"):
        make().fit(x, y)
    one_each = make().fit(np.array([[1.0], [1.0]]) * unit, [0, 1])  # a column without variation
    with pytest.raises(TableError, match="so small"):
        one_each.update(x[2:4], y[2:4])
    assert one_each.model_.without_evidence == ("x0",)
    with pytest.raises(TableError, match="so small"):
        sf.cross_validate(make(), pd.DataFrame({"x": X[:, 0] * unit, "y": Y}), "y", folds=5)


@pytest.mark.parametrize("make", [sf.NaiveBayes, sf.LDA, sf.QDA])
def test_small_numbers_beside_fair_ones_are_nothing_but_small(make: Callable[[], Any]) -> None:
    small = np.where(np.abs(X) < 0.5, X * 2.0**-600, X)
    zero = np.where(np.abs(X) < 0.5, 0.0, X)
    np.testing.assert_allclose(make().fit(small, Y).predict_proba(X), make().fit(zero, Y).predict_proba(X), rtol=1e-12)
    slices = make().fit(small[::2], Y[::2]).update(small[1::2], Y[1::2])
    np.testing.assert_allclose(slices.predict_proba(X), make().fit(zero, Y).predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize("value", [0.0, 1e-200, 3e-156, 5e-324, -1e-130])
@pytest.mark.parametrize("make", OF_SQUARES.values(), ids=OF_SQUARES)
def test_a_small_number_that_never_varies_is_no_evidence_and_no_error(make: Callable[[], Any], value: float) -> None:
    table = pd.DataFrame({"x": X[:, 0], "same": np.full(80, value), "y": Y})
    assert make().fit(table, "y").model_.without_evidence == ("same",)


@pytest.mark.parametrize("unit", [2.0**-80, 2.0**-260, 2.0**300])
def test_what_needs_fourth_powers_says_so(unit: float) -> None:
    makes = [lambda: sf.LDA(shrinkage="ledoit_wolf"), lambda: sf.LogisticRegression(degree=2)]
    for make in makes:
        if unit == 2.0**-80:
            np.testing.assert_allclose(
                make().fit(X * unit, Y).predict_proba(X * unit), make().fit(X, Y).predict_proba(X), rtol=1e-6
            )
        else:
            with pytest.raises(TableError, match="column 'x0'"):
                make().fit(X * unit, Y)


# Weights ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", OF_WEIGHTS.values(), ids=OF_WEIGHTS)
@pytest.mark.parametrize("unit", [2.0**-330, 2.0**-100, 2.0**100, 2.0**330])
def test_the_unit_of_weights_does_not_matter(make: Callable[[float], Any], unit: float) -> None:
    found = make(unit).fit(X, Y, sample_weight=WEIGHTS * unit).predict_proba(X)
    np.testing.assert_allclose(found, make(1.0).fit(X, Y, sample_weight=WEIGHTS).predict_proba(X), rtol=1e-6)


@pytest.mark.parametrize("make", OF_WEIGHTS.values(), ids=OF_WEIGHTS)
@pytest.mark.parametrize("weight", [1.7e308, 1e200, 1e-200, 1e-310, 5e-324])
def test_weights_beyond_what_sums_can_keep_are_refused(make: Callable[[float], Any], weight: float) -> None:
    message = r"Weights must lie between 1e-100 and 1e\+100, or be 0; row 4 \(the first is 1\) has"
    weights = np.where(np.arange(80) == 3, weight, 1.0)
    table = pd.DataFrame(X, columns=["a", "b"]).assign(y=Y, w=weights)
    for given in ((X, Y, weights), (table, "y", "w")):
        with pytest.raises(TableError, match=message):
            make(1.0).fit(given[0], given[1], sample_weight=given[2])
    with pytest.raises(TableError, match=message):
        sf.cross_validate(make(1.0), table, "y", sample_weight="w")


def test_weights_of_a_file_are_held_to_the_same(tmp_path: Path) -> None:
    weights = np.where(np.arange(80) == 5, 1e-300, 1.0)
    rows = "\n".join(f"{x},{label},{{{weight}}}" for x, label, weight in zip(X[:, 0], Y, weights, strict=True))
    (tmp_path / "t.arff").write_text(f"@relation t\n@attribute x numeric\n@attribute y {{no,yes}}\n@data\n{rows}\n")
    with pytest.raises(TableError, match=r"row 6 \(the first is 1\) has 1e-300"):
        sf.NaiveBayes().fit(tmp_path / "t.arff", "y")


@pytest.mark.parametrize("factor", [1e308, 1e200, 1e-200, 5e-324])
@pytest.mark.parametrize("make", [sf.LogisticRegression, sf.cart])
def test_class_weights_are_held_to_the_same(make: Callable[..., Any], factor: float) -> None:
    with pytest.raises(SettingError, match="With class_weight the rows of class 'yes' weigh"):
        make(class_weight={"yes": factor}).fit(X, Y)


# Numbers to predict -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("criterion", ["variance", "standard_deviation"])
def test_targets_in_any_unit_whose_squares_can_be_kept(criterion: str) -> None:
    target = X[:, 0] * 3 + 1
    expected = sf.DecisionTreeRegressor(criterion, max_depth=3).fit(X[:, 1:], target).predict(X[:, 1:])
    for unit in FAIR_UNITS:
        found = sf.DecisionTreeRegressor(criterion, max_depth=3).fit(X[:, 1:], target * unit).predict(X[:, 1:])
        np.testing.assert_array_equal(found, expected * unit)
    for unit in SMALL_UNITS + LARGE_UNITS:
        table = pd.DataFrame({"x": X[:, 1], "price": target * unit})
        with pytest.raises(TableError, match="column 'price', or their weights, are so"):
            sf.DecisionTreeRegressor(criterion, max_depth=3).fit(table, "price")


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**40])
@pytest.mark.parametrize("prune", ["cost_complexity", "reduced_error", None])
def test_the_unit_of_the_numbers_to_predict_does_not_change_the_tree(prune: str | None, unit: float) -> None:
    random = np.random.default_rng(0)
    x = random.normal(size=(300, 3))
    y = 2.0 * x[:, 0] + 0.3 * random.normal(size=300)
    expected = sf.DecisionTreeRegressor(prune=prune).fit(x, y)
    assert expected.leaf_count > 3
    model = sf.DecisionTreeRegressor(prune=prune).fit(x, y * unit)
    np.testing.assert_allclose(model.predict(x), expected.predict(x) * unit, rtol=1e-9)
