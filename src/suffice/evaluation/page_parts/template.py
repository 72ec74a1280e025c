"""The templates of pages, which escape whatever they are given."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import Markup

from suffice.shown import shown

NARROW = "\u202f"  # a narrow space at which no line is broken
_UNIT = re.compile(r"(?<=[0-9]) (?=%|[kMGT]B\b|bits?\b|s\b)")


def units_kept(value: Any) -> Any:
    """What a template shows, in which no line begins with the unit of a number on the line before.

    >>> units_kept("45 % of 3 MB").replace(NARROW, "_")
    '45_% of 3_MB'
    """
    is_plain = isinstance(value, str) and not isinstance(value, Markup)
    return _UNIT.sub(NARROW, value) if is_plain else value


def template(name: str) -> Any:
    """A template that escapes whatever it is given."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("suffice.evaluation.page_parts"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=units_kept,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = shown
    return environment.get_template(name)
