"""The samples that a maximisation begins on have about the size they should, of rows that are not alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.solve.logistic import samples
from suffice.statistics.row_sample import MeasureRowSample

ROWS = 12_000
SIZES = (600, 3_000)


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each sample has that a maximisation begins on."""
    found, of = list[int](), samples.Samples.of

    def noting(self: Any, objective: Any) -> Any:
        for sample in of(self, objective):
            found.append(round(sample.share * self.rows))
            yield sample

    monkeypatch.setattr(samples, "SIZES", SIZES)
    monkeypatch.setattr(samples.Samples, "of", noting)
    return found


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> set[int | None]:
    """How many columns of a kind were looked at."""
    found, of = set[int | None](), MeasureRowSample.of

    def noting(self: Any, batch: Any) -> Any:
        found.add(self.most_columns)
        return of(self, batch)

    monkeypatch.setattr(MeasureRowSample, "of", noting)
    return found


def rows_with(first: Any, columns: int = 6) -> tuple[Any, Any]:
    """Rows of numbers, in which the first two columns are as given."""
    random = np.random.default_rng(0)
    x = random.normal(size=(ROWS, columns))
    x[:, :2] = np.where(np.isinf(first), x[:, :2], first)
    return x, (x[:, 3] + random.logistic(size=ROWS) > 0).astype(int)


def fitted(x: Any, y: Any) -> Any:
    return sf.LogisticRegression(l2=1.0).fit(x, y)


def test_two_columns_with_fractions_choose_rows_where_they_tell_them_apart(
    sizes: list[int], looked_at: set[int | None]
) -> None:
    fitted(*rows_with(np.inf))
    assert looked_at == {2}
    assert sizes == pytest.approx(SIZES, rel=0.1)


@pytest.mark.parametrize("share", [0.2, 0.45, 0.9])
@pytest.mark.parametrize("alike", [0.0, 2.5, np.nan])
def test_all_columns_choose_rows_where_many_are_alike_in_those(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int], looked_at: set[int | None], share: float, alike: float
) -> None:
    """As amounts often are: a share of them is nothing, or missing."""
    are_alike = np.arange(ROWS)[:, None] < share * ROWS
    x, y = rows_with(np.where(are_alike, alike, np.inf))
    found = fitted(x, y)
    assert looked_at == {2, None}
    assert sizes == pytest.approx(SIZES, rel=0.15)
    monkeypatch.setattr(samples, "SIZES", ())
    np.testing.assert_allclose(found.predict_proba(x), fitted(x, y).predict_proba(x), atol=1e-6)


def test_copies_of_few_rows_are_no_sample(sizes: list[int]) -> None:
    x, y = rows_with(np.inf)
    few = np.arange(ROWS) % 6
    fitted(x[few], y[few])
    assert not sizes


def test_whole_numbers_choose_rows_by_all_columns(sizes: list[int], looked_at: set[int | None]) -> None:
    x, y = rows_with(np.inf)
    fitted(pd.DataFrame(np.round(1_000 * x).astype(int)), y)
    assert looked_at == {None}
    assert sizes == pytest.approx(SIZES, rel=0.1)
