"""What models are called where several stand side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def one_line(model: Any) -> str:
    """An estimator as Python writes it, on one line; scikit-learn breaks it into several."""
    return " ".join(repr(model).split())


def under_names(models: Any, name_of: Callable[[Any], str] = one_line) -> dict[str, Any]:
    """Models under their names: a mapping's own; of a list, or of one, what each is called, equals with a number.

    >>> under_names(["a", "b", "a"], str)
    {'a': 'a', 'b': 'b', 'a (3)': 'a'}
    """
    if isinstance(models, Mapping):
        return {str(name): model for name, model in models.items()}
    named: dict[str, Any] = {}
    for model in models if isinstance(models, (list, tuple)) else [models]:
        name = name_of(model)
        named[f"{name} ({len(named) + 1})" if name in named else name] = model
    return named
