"""Feature names: what the columns are called that a fitted estimator was trained on."""

from __future__ import annotations

from typing import Any

from suffice.schema.unnamed_columns import unnamed_columns


def own_feature_names(estimator: Any) -> tuple[str, ...] | None:
    """The names that the columns of the training table had; None where it was an array, which has none."""
    names = getattr(estimator, "feature_names_in_", None)
    return None if names is None else tuple(names)


def feature_names(estimator: Any) -> tuple[str, ...]:
    """Their names, or x0, x1, … where they had none; of an estimator that is not fitted no names at all.

    >>> import suffice as sf
    >>> feature_names(sf.LDA().fit([[1.0, 5.0], [2.0, 5.5], [8.0, 5.2]], ["low", "low", "high"]))
    ('x0', 'x1')
    """
    own = own_feature_names(estimator)
    return unnamed_columns(getattr(estimator, "n_features_in_", 0)) if own is None else own
