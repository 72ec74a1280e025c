"""Quotes in CSV files that stand behind a backslash, as Spark and MySQL write them, where others double them."""

from __future__ import annotations

import re
import zlib

from suffice.sources.readers.text_files.text import opened_text


def escaped_quote(path: str, delimiter: str) -> str:
    """What is wrong with the first line that has a quote behind a backslash within a cell; empty if none has one.

    A cell in quotes may well end in a backslash, so what follows the quote tells.
    """
    within = re.compile(rf'(?:^|{re.escape(delimiter)})"[^"]*\\"(?!\s*(?:{re.escape(delimiter)}|$))')
    try:
        with opened_text(path, errors="surrogateescape") as file:
            found = next((number for number, line in enumerate(file, 1) if within.search(line)), 0)
    except (OSError, EOFError, zlib.error):
        return ""  # whatever is wrong, others say it
    if not found:
        return ""
    return (
        rf"line {found:,} has \" for a quote within a cell. Double such quotes instead, as in "
        """"the ""big"" one" (in Spark write with escape='"'), or save the table as Parquet."""
    )
