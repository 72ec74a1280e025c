"""How many folds there are where nobody says."""

from __future__ import annotations

import numpy as np
import pytest

import suffice as sf
from suffice.errors import SettingError
from suffice.evaluation.cross_validation import trial


def table(rows: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.random.default_rng(0).normal(size=(rows, 2))
    return x, (x[:, 0] > 0).astype(int)


def test_ten_folds_are_usual_and_few_rows_are_left_out_one_by_one() -> None:
    assert sf.compare(*table(40), models=["lda"]).folds == 10
    assert sf.compare(*table(6), models=["majority"]).folds == 6


def test_many_rows_are_dealt_to_fewer_folds_and_a_remark_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "MANY_ROWS", 2_000)
    result = sf.compare(*table(500), models=["lda"])
    assert result.folds == 4
    assert len(result.results["lda"].accuracy) == 4
    assert "500 rows are dealt to 4 folds, not 10, which would take longer: folds=10" in result.notes
    asked = sf.compare(*table(500), models=["lda"], folds=10)
    assert asked.folds == 10
    assert not any("dealt" in note for note in asked.notes)


@pytest.mark.parametrize("count", [1, 0, -3, 2.5, True, "ten"])
def test_folds_must_be_a_whole_number_of_at_least_two(count: object) -> None:
    with pytest.raises(SettingError, match="at least 2"):
        trial.require_folds(count)
