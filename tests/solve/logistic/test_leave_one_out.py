"""The strength of the penalty, chosen by leaving out one row at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf


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


def size(model: sf.LogisticRegression) -> float:
    return float(np.abs(model.coef_).sum())


def test_many_columns_of_noise_get_a_stronger_penalty_and_a_wide_gap_a_weaker_one() -> None:
    assert size(sf.LogisticRegression(l2="loo").fit(*noise())) < 0.7 * size(sf.LogisticRegression().fit(*noise()))
    assert size(sf.LogisticRegression(l2="loo").fit(*clean())) > 1.3 * size(sf.LogisticRegression().fit(*clean()))


def test_it_loses_less_on_new_rows() -> None:
    x, y = noise(400)
    chosen, plain = (
        -sf.LogisticRegression(l2=l2).fit(x[:80], y[:80]).conditional_log_likelihood(x[80:], y[80:])
        for l2 in ("loo", 1.0)
    )
    assert chosen < 0.9 * plain


def test_what_is_chosen_is_one_of_the_strengths() -> None:
    x, y = noise()
    chosen = sf.LogisticRegression(l2="loo").fit(x, y).coef_
    strengths = [sf.LogisticRegression(l2=10.0 ** (power / 2)).fit(x, y).coef_ for power in range(-4, 5)]
    assert min(np.abs(chosen - other).max() for other in strengths) < 1e-6


def test_with_a_hundred_rows_for_every_weight_nothing_is_chosen() -> None:
    x, y = clean(400)
    np.testing.assert_array_equal(
        sf.LogisticRegression(l2="loo").fit(x, y).coef_, sf.LogisticRegression(l2=1.0).fit(x, y).coef_
    )


@pytest.mark.parametrize("classes", [2, 3])
def test_tables_with_levels_and_gaps_are_cross_validated(classes: int) -> None:
    random = np.random.default_rng(2)
    y = random.integers(0, classes, 120)
    table = pd.DataFrame({"x": random.normal(size=120) + y, "level": random.choice(["a", "b", None], 120), "y": y})
    found = sf.cross_validate(sf.LogisticRegression(l2="loo"), table, "y", folds=5)
    assert found.accuracy.mean() > 1.2 / classes


def test_files_keep_the_setting(tmp_path: Any) -> None:
    model = sf.LogisticRegression(l2="loo").fit(*noise())
    model.save(tmp_path / "model.json")
    restored = sf.load(tmp_path / "model.json")
    assert restored.l2 == "loo"
    np.testing.assert_array_equal(restored.predict_proba(noise()[0]), model.predict_proba(noise()[0]))


def test_another_word_is_an_error() -> None:
    with pytest.raises(sf.errors.SettingError, match="l2"):
        sf.LogisticRegression(l2="auto").fit(*noise())
