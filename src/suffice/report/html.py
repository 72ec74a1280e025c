"""Tables for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from suffice.shown import shown


def html_table(heading: Sequence[str], rows: Iterable[Sequence[str]], style: str = "") -> str:
    """A table of text cells; `style` is that of every cell.

    >>> html_table(["a"], [["1 < 2"]])
    '<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>1 &lt; 2</td></tr></tbody></table>'
    """
    cell = f"<td style='{style}'>" if style else "<td>"
    head = "".join(f"<th>{html_text(text)}</th>" for text in heading)
    body = "".join("<tr>" + "".join(f"{cell}{html_text(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def html_text(text: str) -> str:
    """Text as a page shows it.

    >>> html_text("a < b")
    'a &lt; b'
    """
    return escape(shown(text))


def html_derivation(
    heading: Sequence[str], rows: Iterable[Sequence[str]], prediction: str, notes: Iterable[str]
) -> str:
    """A derivation as a table, with the prediction and the notes below it."""
    table = html_table(heading, rows, "text-align:left;white-space:pre")
    verdict = f"<p>prediction: <b>{html_text(prediction)}</b></p>"
    return table + verdict + "".join(f"<p>{html_text(note)}</p>" for note in notes)
