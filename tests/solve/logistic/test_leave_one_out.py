"""The strength of the penalty, chosen by leaving out one row at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.schema import Batch
from suffice.solve.logistic import leave_one_out, newton_in_memory
from suffice.sources import gathered, read_table

STRENGTHS = [10.0 ** (power / 2) for power in range(-4, 5)]


def noise(rows: int = 80, columns: int = 30) -> tuple[Any, Any]:
    """One column of many tells something."""
    random = np.random.default_rng(0)
    x = random.normal(size=(rows, columns))
    return x, (x[:, 0] + random.normal(size=rows) > 0).astype(int)


def clean(rows: int = 200) -> tuple[Any, Any]:
    """Two classes with a wide gap between them."""
    random = np.random.default_rng(1)
    y = random.integers(0, 2, rows)
    return random.normal(size=(rows, 2)) * 0.1 + y[:, None], y


def raw(rows: int = 150, classes: int = 3, seed: int = 2) -> pd.DataFrame:
    """Numbers, levels and gaps."""
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    table = pd.DataFrame(random.normal(size=(rows, 6)), columns=list("abcdef"))
    table["a"] += y
    table["level"] = random.choice(["p", "q", "r", None], rows)
    table.loc[::9, "b"] = np.nan
    return table.assign(y=np.array(["one", "two", "three"])[y])


def chosen(*table: Any, **settings: Any) -> float:
    strength = sf.LogisticRegression(**settings).fit(*table).l2_
    assert strength is not None
    return strength


def test_it_is_the_default() -> None:
    assert sf.LogisticRegression().l2 == "loo"


def test_many_columns_of_noise_get_a_stronger_prior_and_a_wide_gap_a_weaker_one() -> None:
    assert chosen(*noise()) > 3.0
    assert chosen(*clean()) < 0.3


def test_it_loses_less_on_new_rows() -> None:
    x, y = noise(400)
    by_rows, plain = (
        -sf.LogisticRegression(l2=l2).fit(x[:80], y[:80]).conditional_log_likelihood(x[80:], y[80:])
        for l2 in ("loo", 1.0)
    )
    assert by_rows < 0.9 * plain


@pytest.mark.parametrize("table", [noise(), clean(), (raw(), "y")], ids=["noise", "clean", "raw"])
def test_what_is_chosen_is_one_of_the_strengths_and_the_model_is_that_of_the_number(table: Any) -> None:
    model = sf.LogisticRegression().fit(*table)
    assert model.l2_ in STRENGTHS
    by_number = sf.LogisticRegression(l2=model.l2_).fit(*table)
    np.testing.assert_array_equal(model.coef_, by_number.coef_)
    np.testing.assert_array_equal(model.path_.weights, by_number.path_.weights)


def loss_without(batch: Batch, row: int, l2: float) -> float:
    others = batch.take(np.delete(np.arange(batch.rows), row))
    share = sf.LogisticRegression(l2=l2)._fold_model(others).posterior(batch.take(np.s_[row : row + 1]))[0]
    return -float(np.log(share[batch.class_codes()[row]]))


@pytest.mark.parametrize("classes", [2, 3])
def test_no_strength_has_a_much_lower_loss_when_rows_are_left_out_in_earnest(classes: int) -> None:
    table = raw(40, classes)
    best, batch = chosen(table, "y"), gathered(read_table(table, "y"))
    losses = {l2: sum(loss_without(batch, row, l2) for row in range(batch.rows)) for l2 in {*STRENGTHS[::2], best}}
    assert losses[best] <= 1.02 * min(losses.values())


def test_with_a_hundred_rows_for_every_weight_nothing_is_chosen() -> None:
    assert chosen(*clean(300)) < 1.0
    assert chosen(*clean(301)) == 1.0


def test_nothing_is_chosen_where_it_would_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leave_one_out, "MOST_WORK", (80 + 31) * 31**2)
    assert chosen(*noise()) != 1.0
    monkeypatch.setattr(leave_one_out, "MOST_WORK", (80 + 31) * 31**2 - 1)
    assert chosen(*noise()) == 1.0


def test_of_many_rows_a_sample_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = noise(2_000)
    monkeypatch.setattr(leave_one_out, "MOST_JUDGED", 80)
    on_sample = chosen(x, y)
    assert on_sample in STRENGTHS
    assert on_sample > 1.0
    order = np.random.default_rng(0).permutation(len(y))
    assert chosen(x[order], y[order]) == on_sample


def test_of_few_rows_that_count_for_many_the_same_sample_is_judged_as_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leave_one_out, "MOST_JUDGED", 80)
    few, (x, y) = chosen(*noise(300)), noise(300)
    weighted = sf.LogisticRegression().fit(x, y, sample_weight=np.full(300, 6.0)).l2_
    repeated = chosen(np.repeat(x, 6, axis=0), np.repeat(y, 6))
    assert weighted == repeated
    monkeypatch.setattr(newton_in_memory, "MOST_ROWS", 0)
    assert chosen(x, y) == few


def test_copies_of_a_few_rows_are_no_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leave_one_out, "MOST_JUDGED", 2)
    x, y = noise(3)
    assert chosen(np.tile(x, (500, 1)), np.tile(y, 500)) in STRENGTHS


# Sameness -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_rows_changes_nothing(seed: int) -> None:
    table = raw(seed=seed)
    assert chosen(table.sample(frac=1, random_state=seed), "y") == chosen(table, "y")


@pytest.mark.parametrize("class_weight", [None, "balanced", {"one": 3.0}])
def test_a_weight_counts_as_so_many_rows(class_weight: Any) -> None:
    table = raw(80)
    times = np.random.default_rng(0).integers(1, 4, len(table))
    weighted = sf.LogisticRegression(class_weight=class_weight).fit(table, "y", sample_weight=times.astype(float))
    repeated = sf.LogisticRegression(class_weight=class_weight).fit(table.loc[table.index.repeat(times)], "y")
    assert weighted.l2_ == repeated.l2_
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=0, atol=1e-6)


def test_a_class_weight_counts_rows_for_more_and_makes_no_copies_of_them() -> None:
    x, y = noise()
    plain = chosen(x, y)
    assert chosen(x, y, class_weight={0: 10.0, 1: 10.0}) >= plain
    copies = np.repeat(x, 10, axis=0), np.repeat(y, 10)
    assert chosen(*copies) < plain  # a copy of the row that is left out tells its class


def test_weights_that_are_no_counts_make_no_copies_either() -> None:
    x, y = noise()
    model = sf.LogisticRegression().fit(x, y, sample_weight=np.full(len(y), 10.5))
    assert model.l2_ is not None
    assert model.l2_ >= chosen(x, y)


@pytest.mark.parametrize("solver", ["gradient_ascent", "conjugate_gradient"])
def test_every_solver_climbs_under_the_same_prior(solver: str) -> None:
    x, y = noise()
    model, newton = sf.LogisticRegression(solver=solver).fit(x, y), sf.LogisticRegression().fit(x, y)
    assert model.l2_ == newton.l2_
    np.testing.assert_allclose(model.coef_, newton.coef_, rtol=0, atol=1e-4)


def test_the_start_changes_nothing() -> None:
    x, y = noise()
    far = sf.LogisticRegression(l2=0.01).fit(x, y).logistic_weights()
    assert sf.LogisticRegression().fit(x, y, start=far).l2_ == chosen(x, y)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_reference_changes_nothing(classes: int) -> None:
    table = raw(classes=classes)
    assert len({chosen(table, "y", reference=label) for label in table["y"].unique()}) == 1


def test_every_fold_chooses_for_itself() -> None:
    table = raw(120)
    result = sf.cross_validate(sf.LogisticRegression(), table, "y", folds=4, random_state=1)
    for k in range(4):
        model = sf.LogisticRegression().fit(table[result.fold != k], "y")
        share = model.predict_proba(table[result.fold == k])
        truth = np.searchsorted(model.classes_, table["y"][result.fold == k].to_numpy())
        loss = -np.log(share[np.arange(len(truth)), truth]).mean()
        assert result.log_loss[k] == pytest.approx(loss, abs=1e-6)


# Odd tables ---------------------------------------------------------------------------------------------------------


def test_separable_classes_get_the_weakest_prior_and_finite_weights() -> None:
    x = np.arange(-20.0, 20.0)[:, None] + 0.5
    model = sf.LogisticRegression().fit(x, x[:, 0] > 0)
    assert model.l2_ == 0.01
    assert 0.0 < model.coef_[0, 0] < 10.0
    assert model.score(x, x[:, 0] > 0) == 1.0


@pytest.mark.filterwarnings("ignore::suffice.errors.SufficeWarning")
def test_without_evidence_the_strength_is_1() -> None:
    assert chosen(np.ones((20, 2)), np.arange(20) % 2) == 1.0


@pytest.mark.parametrize("degree", [1, 2])
def test_more_columns_than_rows_of_noise_get_the_strongest_prior(degree: int) -> None:
    random = np.random.default_rng(0)
    x, y = random.normal(size=(6, 8)), np.arange(6) % 3
    model = sf.LogisticRegression(degree=degree).fit(x, y)
    assert model.l2_ == 100.0
    assert np.isfinite(model.predict_proba(x)).all()


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_a_handful_of_rows_is_enough(rows: int) -> None:
    x = np.arange(rows, dtype=float)[:, None]
    model = sf.LogisticRegression().fit(x, np.arange(rows) % 2)
    assert model.l2_ in STRENGTHS
    assert np.isfinite(model.coef_).all()


def test_texts_keep_1() -> None:
    words = pd.DataFrame({"text": ["good film", "bad film", "good plot here", "bad plot here"] * 5})
    model = sf.LogisticRegression(text=["text"]).fit(words, np.tile(["+", "-"], 10))
    assert model.l2_ == 1.0


# What is said of it -------------------------------------------------------------------------------------------------


def test_the_strength_is_said() -> None:
    model = sf.LogisticRegression().fit(*clean())
    assert model.l2_ is not None
    assert f"l2 = {model.l2_:.3g}" in str(model.describe())
    assert ("strength of the prior (l2)", f"{model.l2_:.3g}") in model.summary().fit


def test_a_number_is_its_own_strength_and_other_priors_have_none() -> None:
    x, y = clean(50)
    assert chosen(x, y, l2=7) == 7.0
    noisy = noise(200, 2)
    assert chosen(*noisy, l2=0) == 0.0
    assert sf.LogisticRegression(l2={"x0": 2.0}).fit(x, y).l2_ is None
    assert sf.LogisticRegression(l2="firth").fit(*noisy).l2_ is None


def test_files_keep_the_setting_and_what_was_chosen(tmp_path: Any) -> None:
    model = sf.LogisticRegression().fit(*noise())
    model.save(tmp_path / "model.json")
    restored = sf.load(tmp_path / "model.json")
    assert (restored.l2, restored.l2_) == ("loo", model.l2_)
    np.testing.assert_array_equal(restored.predict_proba(noise()[0]), model.predict_proba(noise()[0]))


def test_another_word_is_an_error() -> None:
    with pytest.raises(sf.errors.SettingError, match="l2"):
        sf.LogisticRegression(l2="auto").fit(*noise())
