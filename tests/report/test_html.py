"""Tables for notebooks: every cell is escaped, and the verdict stands below."""

from __future__ import annotations

from suffice.report.html import html_derivation, html_table


def test_what_could_be_markup_is_escaped_everywhere() -> None:
    nasty = "<b> & 'x'"
    made = html_derivation([nasty], [[nasty]], nasty, [nasty])
    assert "<b> &" not in made
    assert made.count("&lt;b&gt; &amp;") == 4


def test_a_table_has_a_row_for_every_row() -> None:
    assert html_table(["a", "b"], [["1", "2"], ["3", "4"]]).count("<tr>") == 3
