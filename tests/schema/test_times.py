from datetime import UTC, date, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.schema.times import (
    CLOCK,
    DURATION,
    MOMENT,
    duration_seconds,
    seconds_of,
    seconds_of_moment,
    seconds_of_ticks,
    span_text,
    time_text,
)


@given(st.datetimes())
def test_a_moment_reads_as_it_is_written(moment):
    seconds = seconds_of_moment(moment)
    assert seconds_of(moment.isoformat()) == seconds_of(moment.isoformat(" ")) == (MOMENT, seconds)
    if moment.microsecond == 0:
        assert seconds_of(time_text(seconds, MOMENT)) == (MOMENT, seconds)
        assert seconds == (moment.replace(tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()


@given(st.times())
def test_a_time_of_day_reads_as_it_is_written(clock):
    kind, seconds = seconds_of(clock.isoformat())
    assert kind == CLOCK
    assert seconds_of(time_text(seconds, CLOCK)) == (CLOCK, seconds)


@given(st.timedeltas(timedelta(days=-(10**6)), timedelta(days=10**6)))
def test_a_duration_reads_as_it_is_written(duration):
    whole = duration_seconds(duration - timedelta(microseconds=duration.microseconds))
    assert seconds_of(time_text(whole, DURATION)) == (DURATION, whole)


@pytest.mark.parametrize("zone", ["+01:00", "+0100", "+01", " +01:00"])
def test_a_zone_is_taken_into_account(zone):
    expected = seconds_of_moment(datetime(2020, 3, 1, 10, tzinfo=timezone(timedelta(hours=1))))
    assert seconds_of(f"2020-03-01 10:00{zone}") == (MOMENT, expected)
    assert seconds_of("2020-03-01T09:00Z") == (MOMENT, expected)


@pytest.mark.parametrize(
    "text",
    [
        *("", "2020", "2020-3-1", "2020-02-30", "2020-03-01T", "03/01/2020", "20200301", "24:00", "1:2", "10:00:60"),
        *("2020-03-01 24:00", "2020-03-01 10:60", "2020-03-01 10:00 CET", "2020-03-01 10:00+25:00", "٢:٣٠"),
        *("days", "1 day 25:00:00"),
    ],
)
def test_what_is_no_time(text):
    assert seconds_of(text) is None


def test_ticks_and_text_are_the_same_seconds_to_the_last_bit():
    random = np.random.default_rng(0)
    nanos = random.integers(0, 2 * 10**18, 200)
    texts = np.datetime_as_string(nanos.astype("M8[ns]"))
    assert [seconds_of(str(text))[1] for text in texts] == seconds_of_ticks(nanos, 10**9).tolist()
    micros = nanos // 1000
    assert seconds_of_ticks(micros, 10**6).tolist() == seconds_of_ticks(micros * 1000, 10**9).tolist()


def test_times_beyond_the_calendar_are_seconds():
    assert time_text(1e15, MOMENT) == "1e+15 s"
    assert time_text(float("inf"), MOMENT) == "inf"
    assert time_text(seconds_of_moment(date(9999, 12, 31)), MOMENT) == "9999-12-31"
    assert time_text(90_000.0, CLOCK) == "1 day 01:00:00"


def test_spans_are_told_in_the_largest_unit_they_fill():
    assert [span_text(seconds) for seconds in (86_400.0, 60.0, 1.0, 0.0, -7200.0)] == [
        "1 day",
        "1 minute",
        "1 second",
        "0 seconds",
        "-2 hours",
    ]
