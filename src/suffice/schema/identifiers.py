"""Unique keys: columns in which nearly every value is another, so that new rows have values nobody has seen.

One rule for words and for numbers: at least 20 known values, nine in ten of them different. Words then identify, and so
do whole numbers whose name says so. Other whole numbers may be amounts, which are different too: only those that count
rows are mentioned, for they lie close together.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from suffice.schema.columns import Level
from suffice.schema.spelling import as_number

IDENTIFIER_ROWS = 20
IDENTIFIER_SHARE = 0.9
COUNTING = 2  # numbers that count lie so many times closer than this
_NAMES = frozenset(("id", "ids", "uid", "uuid", "guid", "key", "nr", "no", "identifier"))
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def nearly_all_differ(values: int, known: int) -> bool:
    """Whether so many different values among so many known ones are nearly one for each.

    >>> nearly_all_differ(29, 30), nearly_all_differ(19, 19), nearly_all_differ(20, 30)
    (True, False, False)
    """
    return known >= IDENTIFIER_ROWS and values >= IDENTIFIER_SHARE * known


def names_an_identifier(name: str) -> bool:
    """Whether the last word of a column's name says that it identifies.

    >>> [names_an_identifier(name) for name in ("id", "PassengerId", "customer_ID", "order no.", "paid", "price")]
    [True, True, True, True, False, False]
    """
    words = words_of_name(name)
    return bool(words) and words[-1] in _NAMES


def words_of_name(name: str) -> list[str]:
    """The words and numbers of which a column's name consists, in small letters.

    >>> words_of_name("customerID"), words_of_name("zip_code2")
    (['customer', 'id'], ['zip', 'code', '2'])
    """
    return [word.lower() for word in _WORD.findall(name)]


def counts_rows(numbers: Collection[Level]) -> bool:
    """Whether different whole numbers lie so close together as those of rows that were counted.

    >>> counts_rows(range(1, 31)), counts_rows([52_300, 18_750, 97_010])
    (True, False)
    """
    found = [number for number in map(as_number, numbers) if number is not None]
    return bool(found) and max(found) - min(found) < COUNTING * len(found)
