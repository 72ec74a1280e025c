from itertools import pairwise
from math import log2
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suffice as sf
from suffice.errors import SettingError, TableError

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult.csv.gz"


def slow_gain(x: list, y: list, weights: list, threshold: float | None) -> tuple[float, float]:
    """Gain and split information, straight from C4.5's definitions."""
    branch = [None if v is None else (v if threshold is None else v <= threshold) for v in x]

    def bits(values: list, own: list) -> float:
        """−Σ p·log₂ p, for what each value weighs."""
        weight_of = dict.fromkeys(values, 0)
        for value, weight in zip(values, own, strict=True):
            weight_of[value] += weight
        return -sum(weight / sum(own) * log2(weight / sum(own)) for weight in weight_of.values())

    known = [i for i, b in enumerate(branch) if b is not None]
    weight = sum(weights[i] for i in known)
    within = 0.0
    for b in {branch[i] for i in known}:
        rows = [i for i in known if branch[i] == b]
        own = [weights[i] for i in rows]
        within += sum(own) / weight * bits([y[i] for i in rows], own)
    before = bits([y[i] for i in known], [weights[i] for i in known])
    gain = weight / sum(weights) * (before - within)
    return gain, bits([str(b) for b in branch], weights)


def random_table(seed: int, rows: int) -> tuple[list, list, list, list]:
    """Levels, numbers, classes and weights; a column has some of the values it could have, and gaps."""
    random = np.random.default_rng(seed)

    def some_of(values: list) -> list:
        return random.choice(random.permutation(np.array(values, dtype=object))[: random.integers(1, 6)], rows).tolist()

    nominal, numbers = some_of(["a", "b", "c", None]), some_of([0.0, 1.0, 2.5, 4.0, None])
    return nominal, numbers, some_of(["x", "y", "z"]), random.integers(1, 4, rows).tolist()


tables = st.builds(random_table, st.integers(0, 2**32 - 1), st.integers(4, 30))


@settings(max_examples=60, deadline=None)
@given(tables)
def test_gains_are_those_of_the_definition(table):
    nominal, numbers, y, weights = table
    if len(set(y)) < 2:
        return
    frame = pd.DataFrame({"level": pd.Series(nominal, dtype=object), "size": pd.Series(numbers, dtype=float), "y": y})
    ranking = sf.rank_features(frame, "y", sample_weight=np.array(weights, dtype=float))
    if any(level is not None for level in nominal):
        gain, split = slow_gain(nominal, y, weights, None)
        if len({level for level in nominal if level is not None}) > 1:
            assert ranking["level"].gain == pytest.approx(gain, abs=1e-10)
            assert ranking["level"].split_information == pytest.approx(split, abs=1e-10)
    values = sorted({number for number in numbers if number is not None})
    if len(values) > 1:
        found = [slow_gain(numbers, y, weights, (low + high) / 2) for low, high in pairwise(values)]
        assert ranking["size"].gain == pytest.approx(max(gain for gain, _ in found), abs=1e-10)


def test_the_ranking_reads_as_a_table():
    ranking = sf.rank_features(sf.datasets.load("play_tennis"), "PlayTennis")
    assert str(ranking).splitlines()[0] == "PlayTennis: entropy 0.9403 bits, 14 rows"
    assert str(ranking).splitlines()[4].split() == [
        "Outlook",
        "0.2467",
        "0.1564",
        "1.5774",
        "0.6935",
        "100",
        "%",
        "3",
        "levels",
    ]
    assert ranking.table.column_names[:3] == ["column", "gain", "gain_ratio"]
    assert list(ranking) == ranking.names == ["Outlook", "Humidity", "Wind", "Temperature"]
    assert ranking._repr_html_().startswith("<table>")
    with pytest.raises(KeyError):
        ranking["wind"]


def test_ranked_by_the_ratio_an_identifier_does_not_gain_so_much():
    days = sf.datasets.load("play_tennis_days")
    assert sf.rank_features(days, "PlayTennis").names[0] == "Day"
    assert sf.gain_ratio(days, "PlayTennis")["Day"] == pytest.approx(0.247, abs=5e-4)


def test_a_number_is_judged_by_its_best_threshold():
    x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    ranking = sf.rank_features(pd.DataFrame({"x": x, "y": list("aaabbb")}), "y")
    assert (ranking["x"].gain, ranking["x"].threshold, ranking["x"].split) == (1.0, 3.5, "<= 3.5")
    assert sf.information_gain(x, list("aaabbb")) == 1.0
    assert sf.information_gain(x, list("aaabbb"), keep=["x"]) == 1.0  # it is kept in any case


def test_a_column_that_tells_nothing():
    frame = pd.DataFrame({"same": 1.0, "gone": np.nan, "y": list("aabb")})
    ranking = sf.rank_features(frame, "y")
    assert [(feature.gain, feature.gain_ratio) for feature in ranking.values()] == [(0.0, 0.0), (0.0, 0.0)]
    assert ranking["gone"].known == 0.0
    assert ranking["same"].conditional_entropy == 1.0


def test_bad_input():
    tennis = sf.datasets.load("play_tennis")
    with pytest.raises(SettingError, match="gain_ratio"):
        sf.rank_features(tennis, "PlayTennis", by="ratio")
    with pytest.raises(TableError, match="PlayTennis"):
        sf.rank_features(tennis, "PlayTenis")
    with pytest.raises(TypeError):
        sf.information_gain(tennis, "PlayTennis", nominals=["Wind"])


@pytest.mark.skipif(not ADULT.exists(), reason="the shared data sets are not here")
def test_adult():
    ranking = sf.rank_features(ADULT, "income")
    assert len(ranking) == 14
    assert ranking.names[0] in ("relationship", "marital-status", "marital_status", "capital-gain", "capital_gain")
    assert 0.9 < min(feature.known for feature in ranking.values()) < 1.0


def test_a_threshold_of_a_date_reads_as_a_date_as_in_a_tree():
    days = pd.to_datetime(["2020-01-10", "2020-01-15", "2020-01-25", "2020-02-01"])
    ranking = sf.rank_features(pd.DataFrame({"day": days, "y": list("aabb")}), "y")
    assert ranking["day"].split == "<= 2020-01-20"


@pytest.mark.parametrize("measure", [sf.information_gain, sf.gain_ratio])
def test_a_row_of_weight_three_gains_as_three_rows(measure):
    tennis = sf.datasets.load("play_tennis").to_pandas().assign(heat=np.arange(14.0) % 5)
    times = np.array([1, 3, 2, 1, 1, 2, 1, 4, 1, 1, 2, 1, 1, 3])
    repeated = tennis.loc[tennis.index.repeat(times)]
    expected = measure(repeated, "PlayTennis")
    assert expected != pytest.approx(measure(tennis, "PlayTennis"), rel=1e-3)
    assert measure(tennis, "PlayTennis", sample_weight=times) == pytest.approx(expected, rel=1e-12)
    named = measure(tennis.assign(times=times), "PlayTennis", sample_weight="times")
    assert named == pytest.approx(expected, rel=1e-12)
    for name in ("Outlook", "heat"):
        of_one = measure(tennis[name], tennis["PlayTennis"], sample_weight=times)
        assert of_one == pytest.approx(expected[name], rel=1e-12)
