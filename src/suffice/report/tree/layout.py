"""Tidy tree drawing: parents centred above their branches, nothing overlapping, little room lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class _Outline:
    """The left and right edges of a drawn subtree, its lowest level first; `shift` is still to be added to both."""

    left: list[float]
    right: list[float]
    shift: float = 0.0

    @property
    def height(self) -> int:
        return len(self.left)


def tidy_centres(branches: Sequence[Sequence[int]], widths: Sequence[float], gap: float) -> list[float]:
    """The centre of every box, the leftmost box beginning at 0; `branches` of a box stand after it.

    Packing to the left pushes small subtrees against their left neighbours, packing to the right against the right
    ones. Every condition (a distance to keep, a parent in the middle) holds for the mean of two places if it holds for
    both, so the mean of the two packings is tidy and favours no side. It takes time in proportion to the boxes.

    >>> tidy_centres([[1, 2], [], []], [10, 20, 20], gap=4)
    [22.0, 10.0, 34.0]
    """
    to_left = _packed(branches, widths, gap)
    to_right = _packed([box[::-1] for box in branches], widths, gap)
    centres = [(left - right) / 2 for left, right in zip(to_left, to_right, strict=True)]
    begin = min(centre - width / 2 for centre, width in zip(centres, widths, strict=True))
    return [centre - begin for centre in centres]


def _packed(branches: Sequence[Sequence[int]], widths: Sequence[float], gap: float) -> list[float]:
    """Centres from the root's, which is 0, with every subtree as far to the left as its left neighbours allow."""
    offsets = [0.0] * len(branches)  # from the parent's centre
    outlines: dict[int, _Outline] = {}
    for box in reversed(range(len(branches))):
        outline = _Outline([], [])
        for branch in branches[box]:
            beside = outlines.pop(branch)
            offsets[branch] = _room(outline, beside, gap)
            beside.shift += offsets[branch]
            outline = _joined(outline, beside)
        if branches[box]:
            middle = (offsets[branches[box][0]] + offsets[branches[box][-1]]) / 2
            for branch in branches[box]:
                offsets[branch] -= middle
            outline.shift -= middle
        outline.left.append(-widths[box] / 2 - outline.shift)
        outline.right.append(widths[box] / 2 - outline.shift)
        outlines[box] = outline
    return _summed(branches, offsets)


def _room(outline: _Outline, beside: _Outline, gap: float) -> float:
    """How far to the right a subtree must move to stand clear of those before it; only shared levels are looked at."""
    shared = min(outline.height, beside.height)
    if not shared:
        return 0.0
    pairs = zip(outline.right[-shared:], beside.left[-shared:], strict=True)
    return max(right - left for right, left in pairs) + outline.shift - beside.shift + gap


def _joined(outline: _Outline, beside: _Outline) -> _Outline:
    """The outline of both; the taller one's lists are kept and changed, so that only shared levels cost time."""
    if not outline.height:
        return beside
    shared = min(outline.height, beside.height)
    if outline.height >= beside.height:
        outline.right[-shared:] = [edge + beside.shift - outline.shift for edge in beside.right[-shared:]]
        return outline
    beside.left[-shared:] = [edge + outline.shift - beside.shift for edge in outline.left[-shared:]]
    return beside


def _summed(branches: Sequence[Sequence[int]], offsets: list[float]) -> list[float]:
    centres = list(offsets)
    for box, below in enumerate(branches):
        for branch in below:
            centres[branch] += centres[box]
    return centres
