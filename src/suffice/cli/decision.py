"""How to decide, on the command line: --threshold 0.3 or yes=0.3, --cost "false negative=5" or "yes as no=5"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from suffice.cli.lists import separated
from suffice.errors import SettingError


def threshold(given: str | None) -> float | dict[str, float] | None:
    """A probability, or one for the class that is named before it.

    >>> threshold("0.3"), threshold("yes=0.3")
    (0.3, {'yes': 0.3})
    """
    if given is None:
        return None
    label, sign, number = given.rpartition("=")
    probability = _number(number, f"--threshold takes a probability, or CLASS=PROBABILITY, not {given!r}.")
    return {label: probability} if sign else probability


def costs(given: Iterable[str], classes: Sequence[Any]) -> dict[Any, float] | None:
    """The costs of errors, each named by its kind or by its truth and what is predicted.

    >>> costs(["false negative=5", "no:yes=2,yes as no=3"], ["no", "yes"])
    {'false negative': 5.0, ('no', 'yes'): 2.0, ('yes', 'no'): 3.0}
    """
    from suffice.models.decision import NEGATIVES, POSITIVES

    found: dict[Any, float] = {}
    has_commas = any("," in str(label) for label in classes)
    for text in given if has_commas else separated(given):
        name, _, number = text.rpartition("=")
        form = f'--cost takes "false negative=5", or "TRUTH as PREDICTED=5", not {text!r}.'
        cost, error = _number(number, form), _error(name, set(map(str, classes)))
        if isinstance(error, str) and error not in NEGATIVES + POSITIVES:
            raise SettingError(form)
        found[error] = cost
    return found or None


def needs_positive(at: str | None, given: Iterable[str]) -> bool:
    """Whether it is left open which of two classes is meant by a threshold, or by a false negative."""
    return (at is not None and "=" not in at) or any(text.startswith("false ") for text in given)


def _error(name: str, classes: set[str]) -> str | tuple[str, str]:
    """Truth and prediction, as `ill as well` or `ill:well`; the names of classes may have such words in them."""
    pairs = []
    for sign in (" as ", ":"):
        parts = name.split(sign)
        pairs += [(sign.join(parts[:place]), sign.join(parts[place:])) for place in range(1, len(parts))]
    known = (pair for pair in pairs if classes.issuperset(pair))
    return next(known, pairs[0] if pairs else name)


def _number(text: str, message: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise SettingError(message) from error
