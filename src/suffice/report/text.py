"""Plain text tables: columns aligned, numbers to the right."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from suffice.shown import padded, places, shown


def text_table(
    heading: Sequence[str], rows: Sequence[Sequence[str]], lines_before: Collection[int] = (), labels: int = 1
) -> str:
    """Rows under a heading; the first columns, which hold labels, to the left, the others to the right.

    >>> print(text_table(["Wind", "No", "Yes"], [["Strong", "3/5", "3/9"], ["Weak", "2/5", "6/9"]]))
    Wind     No  Yes
    ------  ---  ---
    Strong  3/5  3/9
    Weak    2/5  6/9
    """
    table = [[shown(cell) for cell in row] for row in (heading, *rows)]
    widths = [max(places(row[j]) for row in table) for j in range(len(heading))]
    rule = "  ".join("-" * width for width in widths)
    lines = [_line(table[0], widths, labels), rule]
    for position, row in enumerate(table[1:]):
        if position in lines_before:
            lines.append(rule)
        lines.append(_line(row, widths, labels))
    return "\n".join(lines)


def text_derivation(table: str, lines: Iterable[str], prediction: object, notes: Iterable[str]) -> str:
    """A derivation: its table, and below it what follows, the prediction and the notes."""
    return "\n".join(
        [table, "", *map(shown, [*lines, f"prediction: {prediction}", *(f"note: {note}" for note in notes)])]
    )


def _line(row: Sequence[str], widths: Sequence[int], labels: int) -> str:
    cells = [
        padded(cell, width, is_right=position >= labels)
        for position, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()
