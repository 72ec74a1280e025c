"""The columns of the training table: what a fitted estimator remembers of them, and how its file holds that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from suffice.estimators.feature_names import own_feature_names
from suffice.estimators.inputs import are_texts, is_strict
from suffice.schema import Schema
from suffice.schema.unnamed_columns import unnamed_columns
from suffice.soundness import require_a, require_distinct, require_tuple, require_whole
from suffice.sources.libraries import has_columns


def remember_columns(estimator: Any, X: Any, names: Sequence[str], frame_kind: str) -> None:
    """How many columns the table has, their names unless it is an array, and what kind of frame it is."""
    estimator.frame_kind_, estimator.n_features_in_ = frame_kind, len(names)
    if is_strict(X) and not has_columns(X) and not are_texts(X):
        estimator.__dict__.pop("feature_names_in_", None)
    else:
        estimator.feature_names_in_ = np.array(names, dtype=object)


def columns_for_file(estimator: Any) -> dict[str, Any]:
    """How many columns the table had, their names where it had any, and what kind of frame it was."""
    return {
        "n_features_in": estimator.n_features_in_,
        "feature_names": list(own_feature_names(estimator) or ()),
        "frame_kind": estimator.frame_kind_,
    }


def restore_columns(estimator: Any, state: Any, schema: Schema) -> None:
    """Remember what a file says of the training table, which must fit the model's columns."""
    require_a("state", state, Mapping)
    count, names = state["n_features_in"], state["feature_names"]
    require_whole("number of columns", count, len(schema.columns), 1 << 31)
    require_a("names of columns", names, list)
    require_tuple("names of columns", tuple(names), str, count if names else 0)
    require_distinct("names of columns", names)
    known = set(names or unnamed_columns(count))
    known |= {column.name for column in schema.text if column.width}
    if not known.issuperset(schema.names):
        raise ValueError("the model has a column that the table had not")
    require_a("kind of frame", state["frame_kind"], str)
    estimator.n_features_in_, estimator.frame_kind_ = count, state["frame_kind"]
    if names:
        estimator.feature_names_in_ = np.array(names, dtype=object)


def require_plain_settings(estimator: Any, *names: str) -> None:
    """Settings from a file that name columns or values must be such as `fit` would have taken."""
    for name in names:
        value = getattr(estimator, name)
        for part in value if isinstance(value, (list, tuple)) else (value,):
            require_a(name, part, (str, bool, int, float, type(None)))
