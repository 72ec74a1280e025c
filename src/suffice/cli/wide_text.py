"""Text for a screen of some width: a wide table continues below, its label columns repeated; long lines wrap."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

_RULE = re.compile(r"-[- ]*")
GAP = "  "


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
    if all(len(line) <= width for line in text.splitlines()):
        return text
    return "\n\n".join(part for paragraph in text.split("\n\n") for part in _parts(paragraph, width, labels))


def _parts(paragraph: str, width: int, labels: int) -> Iterator[str]:
    lines = paragraph.split("\n")
    if all(len(line) <= width for line in lines):
        yield paragraph
    elif len(lines) > 1 and _RULE.fullmatch(lines[1]):
        yield from _blocks(lines, width, labels)
    else:
        yield "\n".join(_wrapped(line, width) for line in lines)


def _wrapped(line: str, width: int) -> str:
    return textwrap.fill(line, width, subsequent_indent=GAP, break_long_words=False, break_on_hyphens=False)


def _blocks(lines: Sequence[str], width: int, labels: int) -> Iterator[str]:
    columns = _columns(lines[1])
    labels = min(labels, len(columns) - 1)
    taken = sum(len(GAP) + stop - start for start, stop in columns[:labels])
    block: list[tuple[int, int]] = []
    used = taken
    for start, stop in columns[labels:]:
        if block and used + stop - start > width:
            yield _cut_out(lines, [*columns[:labels], *block])
            block, used = [], taken
        block.append((start, stop))
        used += stop - start + len(GAP)
    yield _cut_out(lines, [*columns[:labels], *block])


def _columns(rule: str) -> list[tuple[int, int]]:
    """Where each column starts and stops, as the rule under the heading shows."""
    found, start = [], 0
    for dashes in rule.split(GAP):
        found.append((start, start + len(dashes)))
        start += len(dashes) + len(GAP)
    return found


def _cut_out(lines: Sequence[str], columns: Sequence[tuple[int, int]]) -> str:
    padded = (line.ljust(columns[-1][1]) for line in lines)
    return "\n".join(GAP.join(line[start:stop] for start, stop in columns).rstrip() for line in padded)
