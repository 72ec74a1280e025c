"""L32, deck 004: the gain ratio, and why an identifier must not win."""

from __future__ import annotations

from math import log2

import pytest

import suffice as sf

RATIOS = {"Outlook": ".156428", "Humidity": ".151836", "Wind": ".048849", "Temperature": ".018773"}


def without_zero(value: float, places: int) -> str:
    return f"{value:.{places}f}".removeprefix("0")


@pytest.mark.parametrize(("column", "ratio"), RATIOS.items())
@pytest.mark.parametrize("make", [sf.c45, sf.id3], ids=["c45", "id3"])
def test_the_gain_ratios_of_play_tennis(make: object, column: str, ratio: str) -> None:
    table = sf.datasets.load("play_tennis")
    work = make().fit(table, "PlayTennis").best_splits(table, "PlayTennis")[column]  # type: ignore[operator]
    assert without_zero(work.gain_ratio, 6) == ratio
    assert work.gain_ratio == pytest.approx(work.gain / work.split_information, rel=1e-12)


def test_the_split_information_is_the_entropy_of_the_split() -> None:
    table = sf.datasets.load("play_tennis")
    work = sf.c45().fit(table, "PlayTennis").best_splits(table, "PlayTennis")
    expected = -sum(n / 14 * log2(n / 14) for n in (4, 5, 5))
    assert work["Outlook"].split_information == pytest.approx(expected, rel=1e-12)
    assert work["Humidity"].split_information == pytest.approx(1.0, rel=1e-12)


def test_an_identifier_has_maximal_gain() -> None:
    table = sf.datasets.load("play_tennis_days")
    tree = sf.id3(keep=["Day"]).fit(table, "PlayTennis")
    work = tree.best_splits(table, "PlayTennis")
    assert work.best == "Day"
    assert work["Day"].gain == pytest.approx(work.impurity, rel=1e-12)
    assert tree.leaf_count == 14


def test_the_ratio_alone_still_prefers_it() -> None:
    table = sf.datasets.load("play_tennis_days")
    tree = sf.c45(keep=["Day"], min_leaf=1, prune=None).fit(table, "PlayTennis")
    work = tree.best_splits(table, "PlayTennis")
    assert without_zero(work["Day"].gain_ratio, 3) == ".247"
    assert without_zero(work["Outlook"].gain_ratio, 3) == ".156"
    assert work["Day"].split_information == pytest.approx(log2(14), rel=1e-12)
    assert work.best == "Day"


def test_c45_rejects_it_for_want_of_two_branches_of_two_cases() -> None:
    table = sf.datasets.load("play_tennis_days")
    tree = sf.c45(keep=["Day"]).fit(table, "PlayTennis")
    work = tree.best_splits(table, "PlayTennis")
    assert work.best == "Outlook"
    assert work["Day"].gain != work["Day"].gain  # not a number: no split is allowed
    without = sf.c45().fit(sf.datasets.load("play_tennis"), "PlayTennis")
    assert tree.describe().split("\n\n")[1] == without.describe().split("\n\n")[1]
