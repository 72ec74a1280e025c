"""Times as seconds and as text: moments since 1970 in UTC, times of day since midnight, durations."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, timedelta

import numpy as np

from suffice.schema.arrays import AnyArray, Array

MOMENT, CLOCK, DURATION = "moment", "clock", "duration"
DAY = 86_400
FIRST_MOMENT, LAST_MOMENT = -62_135_596_800, 253_402_300_799  # the years 1 to 9999

# Regular expressions that Python and DuckDB read alike.
DATE_FORM = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
ZONE_FORM = r"(Z|[+-][0-9]{2}(:?[0-9]{2})?)"
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?")
_MOMENT = re.compile(rf"({DATE_FORM})(?:[ T]([0-9]{{2}}:[0-9:.]+?)(?: ?{ZONE_FORM})?)?")
_DURATION = re.compile(r"(-?[0-9]{1,9}) days?(?: (-?)\+?([0-9:.]+))?")
EXAMPLES = {
    MOMENT: "such as 2024-01-31 or 2024-01-31 09:30",
    CLOCK: "of day such as 09:30",
    DURATION: "that pass, such as 3 days 00:00:00",
}
_UNIX_DAY = date(1970, 1, 1).toordinal()


def is_read_as(found: str, kind: str) -> bool:
    """Whether times of a kind are read in a column of another; a duration of less than a day may look like a clock's.

    >>> is_read_as("clock", "duration"), is_read_as("moment", "")
    (True, False)
    """
    return found == kind or (found, kind) == (CLOCK, DURATION)


def seconds_of(text: str) -> tuple[str, float] | None:
    """The kind of time a text spells, and its seconds: an ISO date or moment, a time of day, a duration; or None.

    >>> seconds_of("1970-01-02"), seconds_of("1970-01-01T01:00:00+01:00"), seconds_of("0:01"), seconds_of("1/2/1970")
    (('moment', 86400.0), ('moment', 0.0), ('clock', 60.0), None)
    """
    stripped = text.strip(" \t")
    if found := _MOMENT.fullmatch(stripped):
        moment = _moment(found[1], found[2], found[3])
        return None if moment is None else (MOMENT, moment)
    if (clock := _clock(stripped)) is not None:
        return CLOCK, clock
    if found := _DURATION.fullmatch(stripped):
        rest = 0.0 if found[3] is None else _clock(found[3])
        return None if rest is None else (DURATION, int(found[1]) * DAY + (-rest if found[2] else rest))
    return None


def time_text(seconds: float, kind: str) -> str:
    """A time as it is written; what is zero at its end is left out.

    >>> time_text(86400.0, "moment"), time_text(129600.0, "moment"), time_text(61.5, "clock")
    ('1970-01-02', '1970-01-02 12:00', '00:01:01.5')
    >>> time_text(90.0, "duration"), time_text(float("nan"), "moment")
    ('0 days 00:01:30', 'nan')
    """
    if not math.isfinite(seconds):
        return str(seconds)
    days, rest = divmod(round(seconds * 1_000_000), DAY * 1_000_000)
    minutes, micros = divmod(rest, 60_000_000)
    clock = f"{minutes // 60:02}:{minutes % 60:02}"
    exact = f"{clock}:{micros // 1_000_000:02}" + f".{micros % 1_000_000:06}".rstrip("0").rstrip(".")
    shortest = exact if micros else clock
    if kind == CLOCK and days == 0:
        return shortest
    if kind != MOMENT:
        return f"{days} day{'' if days == 1 else 's'} {exact}"
    ordinal = days + _UNIX_DAY
    if not 1 <= ordinal <= date.max.toordinal():
        return f"{seconds:.6g} s"
    day = date.fromordinal(ordinal).isoformat()
    return f"{day} {shortest}" if rest else day


def span_text(seconds: float) -> str:
    """A length of time, in the largest unit that it fills.

    >>> span_text(3 * 86400.0), span_text(5400.0), span_text(0.25)
    ('3 days', '1.5 hours', '0.25 seconds')
    """
    for unit, length in (("day", DAY), ("hour", 3600), ("minute", 60)):
        if abs(seconds) >= length:
            return _counted(seconds / length, unit)
    return _counted(seconds, "second")


def seconds_of_ticks(ticks: AnyArray, per_second: int) -> Array:
    """Whole numbers of ticks as seconds, rounded once."""
    whole, rest = np.divmod(ticks, per_second)
    return whole.astype(np.float64) + rest / float(per_second)


def seconds_of_moment(moment: date) -> float:
    """A Python date or datetime as seconds since 1970; without a zone it is in UTC."""
    if not isinstance(moment, datetime):
        return float((moment.toordinal() - _UNIX_DAY) * DAY)
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC)
    days = moment.toordinal() - _UNIX_DAY
    return days * DAY + moment.hour * 3600 + moment.minute * 60 + moment.second + moment.microsecond / 1e6


def _counted(amount: float, unit: str) -> str:
    text = f"{amount:.4g}"
    return f"{text} {unit}{'' if text == '1' else 's'}"


def _moment(day: str, clock: str | None, zone: str | None) -> float | None:
    try:
        seconds = (date.fromisoformat(day).toordinal() - _UNIX_DAY) * DAY
    except ValueError:
        return None  # there is no such day
    rest = (0, 0.0) if clock is None else _clock_parts(clock)
    offset = _offset(zone)
    return None if rest is None or offset is None else (seconds - offset + rest[0]) + rest[1]


def _clock(text: str) -> float | None:
    parts = _clock_parts(text)
    return None if parts is None else parts[0] + parts[1]


def _clock_parts(text: str) -> tuple[int, float] | None:
    """Whole seconds and the fraction of one, apart, so that a sum is rounded once."""
    found = _CLOCK.fullmatch(text)
    if found is None:
        return None
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return hour * 3600 + minute * 60 + second, int(found[4].ljust(9, "0")) / 1e9 if found[4] else 0.0


def _offset(zone: str | None) -> int | None:
    if zone is None or zone == "Z":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if hours > 23 or minutes > 59:
        return None
    return (-1 if zone[0] == "-" else 1) * (hours * 3600 + minutes * 60)


def duration_seconds(duration: timedelta) -> float:
    """A Python duration in seconds."""
    return duration.days * DAY + duration.seconds + duration.microseconds / 1e6
