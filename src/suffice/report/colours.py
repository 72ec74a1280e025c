"""Colours of pictures: of classes, which colour-blind readers can tell apart, and what lies between two colours."""

from __future__ import annotations

# The first eight are those of the other pictures: Okabe and Ito's, without their yellow, which is last but one here.
GREY = "#999999"
CLASS_COLOURS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#8C6D31",
    GREY,
    "#F0E442",
    "#332288",
)
WHITE = "#FFFFFF"
LINE_GREY, DARKEST_BLUE = "#8C959F", "#08306B"


def class_colours(count: int) -> list[str]:
    """A colour for each of so many classes: ten of their own, then ever lighter tints of them.

    >>> class_colours(11)[0], class_colours(11)[10]
    ('#0072B2', '#80B8D8')
    """
    rounds = [divmod(k, len(CLASS_COLOURS)) for k in range(count)]
    return [mixed(CLASS_COLOURS[colour], WHITE, 1.0 - 0.5**tint) for tint, colour in rounds]


def mixed(first: str, second: str, part: float) -> str:
    """The colour that lies so far between two.

    >>> mixed("#000000", "#FFFFFF", 0.5)
    '#808080'
    """
    pairs = ((int(first[at : at + 2], 16), int(second[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(one + (other - one) * part):02X}" for one, other in pairs)


def is_dark(colour: str) -> bool:
    """Whether white is easier to read on a colour than black.

    >>> is_dark("#0072B2"), is_dark("#E69F00")
    (True, False)
    """
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue < 128
