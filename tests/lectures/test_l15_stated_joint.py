"""L15, deck 003: joint distributions stated as tables: the alarm domain, and three Boolean variables."""

from __future__ import annotations

from itertools import product

import pytest

import suffice as sf

ALARM = {(True, True): 0.09, (False, True): 0.01, (True, False): 0.1, (False, False): 0.8}  # (alarm, theft)
EARTHQUAKE = {  # (theft, alarm, earthquake)
    (True, True, True): 0.01,
    (True, True, False): 0.08,
    (True, False, True): 0.001,
    (True, False, False): 0.009,
    (False, True, True): 0.01,
    (False, True, False): 0.09,
    (False, False, True): 0.01,
    (False, False, False): 0.79,
}


def test_theft_and_alarm() -> None:
    p = sf.JointDistribution.from_table(ALARM, ["alarm", "theft"])
    assert p.probability({"theft": True}) == pytest.approx(0.1)
    assert p.probability({"alarm": True}) == pytest.approx(0.19)
    assert p.probability({"theft": True}, given={"alarm": True}) == pytest.approx(0.09 / 0.19)
    assert not p.independent("theft", "alarm")


def test_the_earthquake_is_summed_out() -> None:
    p = sf.JointDistribution.from_table(EARTHQUAKE, ["theft", "alarm", "earthquake"])
    assert p.probability({"theft": True}) == pytest.approx(0.01 + 0.08 + 0.001 + 0.009) == pytest.approx(0.1)
    assert p.probability({"alarm": True}) == pytest.approx(0.19)
    two = p.marginal(["alarm", "theft"])
    for (alarm, theft), value in ALARM.items():
        assert two.probability({"alarm": alarm, "theft": theft}) == pytest.approx(value)


def test_three_boolean_variables() -> None:
    shares = [0.30, 0.05, 0.10, 0.05, 0.05, 0.10, 0.25, 0.10]
    stated = dict(zip(product((0, 1), repeat=3), shares, strict=True))
    p = sf.JointDistribution.from_table(stated, ["A", "B", "C"])
    assert p.probability({"A": 1}) == pytest.approx(0.50)
    assert p.probability({"A": 1, "B": 1}) == pytest.approx(0.35)
    assert p.probability({"C": 1}, given={"A": 0, "B": 0}) == pytest.approx(0.05 / 0.35)
    assert p.most_probable() == ({"A": 0, "B": 0, "C": 0}, 0.30)
