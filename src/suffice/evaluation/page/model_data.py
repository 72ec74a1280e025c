"""The models as the page's script reads them: the JSON of their model files, without what no prediction needs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from suffice.models.logistic import LogisticModel
from suffice.persist.encoding import Writer
from suffice.persist.known import KNOWN

MOST_LETTERS = 1_500_000  # of one model's JSON; all together twice as many


def model_data(models: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """The document of all models, and why some are not in it."""
    writer, found, left_out = Writer(most_numbers=inf), dict[str, Any](), dict[str, str]()
    room = 2 * MOST_LETTERS
    for name, model in models.items():
        if type(model).__name__ not in KNOWN:
            left_out[name] = "the page does not know this kind of model"
            continue
        encoded = shortest(writer.encode(lean(model), is_part=True))
        size = len(json.dumps(encoded, separators=(",", ":")))
        if size > min(room, MOST_LETTERS):
            left_out[name] = f"the model has {size / 1e6:.1f} MB, too many for this page"
            continue
        room -= size
        found[name] = encoded
    return {"shared": shortest(writer.shared), "models": found}, left_out


def lean(model: Any) -> Any:
    """A model without what only its summary needs."""
    return replace(model, covariance=np.empty((0, 0))) if isinstance(model, LogisticModel) else model


def shortest(value: Any) -> Any:
    """Whole numbers without their .0, which for a script are the same.

    >>> shortest({"values": [1.0, 0.5]})
    {'values': [1, 0.5]}
    """
    if isinstance(value, dict):
        return {key: shortest(part) for key, part in value.items()}
    if isinstance(value, list):
        return [shortest(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


def script_json(value: Any) -> str:
    """JSON that stays data inside a page's script element, whatever its texts hold.

    >>> script_json("</script><!--")
    '"\\\\u003c/script\\\\u003e\\\\u003c!--"'
    """
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)  # ASCII: U+2028 and the like are escaped
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
