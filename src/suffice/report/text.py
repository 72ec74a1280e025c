"""Plain text tables: columns aligned, numbers to the right."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def text_table(heading: Sequence[str], rows: Sequence[Sequence[str]], lines_before: Collection[int] = ()) -> str:
    """Rows under a heading; the first column to the left, the others to the right.

    >>> print(text_table(["Wind", "No", "Yes"], [["Strong", "3/5", "3/9"], ["Weak", "2/5", "6/9"]]))
    Wind     No  Yes
    ------  ---  ---
    Strong  3/5  3/9
    Weak    2/5  6/9
    """
    table = [list(heading), *(list(row) for row in rows)]
    widths = [max(len(row[j]) for row in table) for j in range(len(heading))]
    rule = "  ".join("-" * width for width in widths)
    lines = [_line(table[0], widths), rule]
    for position, row in enumerate(table[1:]):
        if position in lines_before:
            lines.append(rule)
        lines.append(_line(row, widths))
    return "\n".join(lines)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [cell.ljust(width) if j == 0 else cell.rjust(width) for j, (cell, width) in enumerate(zip(row, widths, strict=True))]
    return "  ".join(cells).rstrip()
