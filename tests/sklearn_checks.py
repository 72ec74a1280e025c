"""Scikit-learn's own checks of an estimator, all of them in one test."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from traceback import format_exception
from typing import Any

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import check_estimator


def require_checks_hold(estimator: Any, but: Mapping[str, str] | None = None) -> None:
    """Every check passes `but` those that are expected to fail, which do; or all that fail are shown."""
    expected = dict(but or {})
    with pytest.MonkeyPatch.context() as patch:
        # They ask hundreds of times for the settings, for which a class's signature is read each time.
        names = cache(BaseEstimator._get_param_names.__func__)
        patch.setattr(BaseEstimator, "_get_param_names", classmethod(names))
        found = check_estimator(estimator, expected_failed_checks=expected, on_skip=None, on_fail=None)
    failed = [result for result in found if result["status"] == "failed"]
    shown = ("".join([f"{result['check_name']}:\n", *format_exception(result["exception"])]) for result in failed)
    assert not failed, "\n".join(shown)
    assert {result["check_name"] for result in found if result["status"] == "xfail"} == set(expected)
