"""Text for a screen of some width: a wide table continues below, its label columns repeated; long lines wrap."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import accumulate

from suffice.shown import padded, places

_RULE = re.compile(r"-[- ]*")
_BARS = re.compile(r"(?:\|   )+")  # before the lines of a tree
GAP = "  "
FEWEST_LETTERS = 10  # a label is not wrapped to less
ENOUGH_LETTERS = 20  # it may be wrapped to this to let the table stay in one piece

Column = list[list[str]]  # for every line of the table the cell's own lines, all of the same width


def fitted(text: str, width: int, labels: int = 1) -> str:
    """The same text with no line wider than `width`, where its labels leave room.

    >>> print(fitted("Wind     No  Yes\\n------  ---  ---\\nStrong  3/5  3/9", width=12))
    Wind     No
    ------  ---
    Strong  3/5
    <BLANKLINE>
    Wind    Yes
    ------  ---
    Strong  3/9
    """
    if all(places(line) <= width for line in text.splitlines()):
        return text
    return "\n\n".join(part for paragraph in text.split("\n\n") for part in _parts(paragraph, width, labels))


def _parts(paragraph: str, width: int, labels: int) -> Iterator[str]:
    lines = paragraph.split("\n")
    if all(places(line) <= width for line in lines):
        yield paragraph
    elif len(lines) > 1 and _RULE.fullmatch(lines[1]):
        yield from _blocks(lines, width, labels)
    else:
        yield "\n".join(_wrapped(line, width) for line in lines)


def _wrapped(line: str, width: int) -> str:
    """A line of a tree goes on under its own bars."""
    found = _BARS.match(line)
    bars = found[0] if found else ""
    return textwrap.fill(
        line[len(bars) :],
        max(width, len(bars) + ENOUGH_LETTERS) if bars else width,
        initial_indent=bars,
        subsequent_indent=bars + GAP,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _blocks(lines: Sequence[str], width: int, labels: int) -> Iterator[str]:
    """The table in blocks of as many columns as fit beside its labels."""
    columns = _columns(lines)
    labels = min(labels, len(columns) - 1)
    widths = [_width(column) + len(GAP) for column in columns[labels:]]
    beside = columns[:labels]
    if _total(beside) + max(widths) > width:
        beside = _narrowed(beside, width - sum(widths), ENOUGH_LETTERS) or _narrowed(beside, width - max(widths))
    room = width - sum(_width(column) + len(GAP) for column in beside)
    block: list[Column] = []
    for column in columns[labels:]:
        if block and sum(_width(other) + len(GAP) for other in block) + _width(column) > room:
            yield _joined([*beside, *block])
            block = []
        block.append(column)
    yield _joined([*beside, *block])


def _columns(lines: Sequence[str]) -> list[Column]:
    """The cells of each column, cut where the rule under the heading shows it."""
    found, start = [], 0
    for dashes in lines[1].split(GAP):
        stop = start + len(dashes)
        found.append([[padded(_between(line, start, stop), len(dashes))] for line in lines])
        start = stop + len(GAP)
    return found


def _between(line: str, start: int, stop: int) -> str:
    """What of a line stands from one place of the screen to another."""
    if line.isascii():
        return line[start:stop]
    ends = list(accumulate(map(places, line)))
    return "".join(letter for letter, end in zip(line, ends, strict=True) if start < end <= stop)


def _narrowed(labels: Sequence[Column], room: int, fewest: int | None = None) -> list[Column]:
    """The label columns, the widest of them wrapped to fit the room; none if that takes fewer letters than allowed."""
    widest = max(labels, key=_width)
    narrow = _width(widest) - (_total(labels) - room)
    if fewest is not None and narrow < fewest:
        return []
    narrow = max(narrow, FEWEST_LETTERS)
    return [_wrapped_cells(column, narrow) if column is widest else column for column in labels]


def _wrapped_cells(column: Column, width: int) -> Column:
    wrapped = []
    for (text,) in column:
        is_rule = _RULE.fullmatch(text.strip()) is not None
        parts = ["-" * width] if is_rule else textwrap.wrap(text.strip(), width) or [""]
        wrapped.append([padded(part, width) for part in parts])
    return wrapped


def _total(columns: Sequence[Column]) -> int:
    return sum(_width(column) for column in columns) + len(GAP) * (len(columns) - 1)


def _width(column: Column) -> int:
    return places(column[0][0])


def _joined(columns: Sequence[Column]) -> str:
    lines = []
    for cells in zip(*columns, strict=True):
        for number in range(max(map(len, cells))):
            parts = (cell[number] if number < len(cell) else " " * places(cell[0]) for cell in cells)
            lines.append(GAP.join(parts).rstrip())
    return "\n".join(lines)
