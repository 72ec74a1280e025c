import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.models.intervals import drawn_within
from suffice.schema import Numeric
from suffice.schema.times import DAY, MOMENT

WHOLE, ANY, DATE = Numeric("n", is_whole=True), Numeric("x"), Numeric("d", MOMENT, is_whole=True)


@pytest.mark.parametrize(("column", "unit"), [(WHOLE, 1.0), (DATE, DAY)])
def test_every_whole_number_of_an_interval_is_drawn_as_often_and_no_other(column, unit):
    cuts = np.array([1.0, 3.0, 7.5]) * unit
    codes = np.repeat(np.arange(4), 20_000)
    drawn = drawn_within(column, cuts, codes, np.random.default_rng(0)) / unit
    within = {0: [0, 1], 1: [2, 3], 2: [4, 5, 6, 7], 3: [8, 9, 10, 11, 12]}
    for code, expected in within.items():
        values, counts = np.unique(drawn[codes == code], return_counts=True)
        assert set(values) <= set(expected)
        if code < 3:
            assert values.tolist() == expected
            np.testing.assert_allclose(counts / counts.sum(), 1 / len(expected), atol=0.02)


def test_an_interval_without_a_whole_number_gives_its_end():
    drawn = drawn_within(WHOLE, np.array([0.2, 0.4, 0.6]), np.array([1, 2]), np.random.default_rng(0))
    assert drawn.tolist() == [0.4, 0.6]


def test_numbers_lie_within_their_interval_and_gaps_stay():
    cuts, codes = np.array([0.5, 2.0]), np.array([1] * 1000 + [-1])
    drawn = drawn_within(ANY, cuts, codes, np.random.default_rng(0))
    assert ((drawn[:-1] > 0.5) & (drawn[:-1] <= 2.0)).all()
    assert np.isnan(drawn[-1])
    assert np.isnan(drawn_within(ANY, np.empty(0), codes, np.random.default_rng(0))).all()


def test_a_flag_that_tells_the_class_tells_it_in_samples_too():
    flag = np.arange(600) % 2
    frame = pd.DataFrame({"flag": flag, "day": pd.to_datetime("2020-01-01") + pd.to_timedelta(flag, unit="D")})
    frame["y"] = np.where(flag == 0, "a", "b")
    drawn = sf.JointBayes().fit(frame, "y").sample(500, random_state=0)
    assert set(zip(drawn.flag, drawn.day.dt.day, drawn.y, strict=True)) == {(0, 1, "a"), (1, 2, "b")}
