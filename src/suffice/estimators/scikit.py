"""What is taken from scikit-learn: the one import of it before anything is learned.

It imports `scipy.stats` and pandas for functions that are not used here, which takes longer than all the rest.
"""

from __future__ import annotations

from suffice.machine.deferred import deferred

with deferred("scipy.stats", "pandas"):
    from sklearn.base import (
        BaseEstimator,
        ClassifierMixin,
        ClassNamePrefixFeaturesOutMixin,
        DensityMixin,
        RegressorMixin,
        TransformerMixin,
        clone,
    )
    from sklearn.utils.validation import (
        _check_feature_names,
        _check_n_features,
        check_array,
        check_is_fitted,
        column_or_1d,
    )

__all__ = [
    "BaseEstimator",
    "ClassNamePrefixFeaturesOutMixin",
    "ClassifierMixin",
    "DensityMixin",
    "RegressorMixin",
    "TransformerMixin",
    "_check_feature_names",
    "_check_n_features",
    "check_array",
    "check_is_fitted",
    "clone",
    "column_or_1d",
]
