"""The colours of classes on the page: the tree picture's, used again where there are more classes than colours."""

from __future__ import annotations

from collections.abc import Sequence

from suffice.report.colours import CLASS_COLOURS, class_colours

MOST_TINTS = 2 * len(CLASS_COLOURS)  # further tints could not be told from the paper


def colours_of(count: int) -> list[str]:
    """A colour for each of so many classes.

    >>> colours_of(21)[20] == colours_of(21)[0]
    True
    """
    if count <= MOST_TINTS:
        return class_colours(count)
    return [CLASS_COLOURS[k % len(CLASS_COLOURS)] for k in range(count)]


def colours_among(chosen: Sequence[int], count: int) -> dict[int, str]:
    """The colours of a few classes: their own or, where classes share colours, one for each of the few."""
    if count <= MOST_TINTS:
        every = class_colours(count)
        return {k: every[k] for k in chosen}
    return {k: CLASS_COLOURS[place % len(CLASS_COLOURS)] for place, k in enumerate(chosen)}
