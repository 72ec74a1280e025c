"""Scikit-learn's own checks of an estimator, all of them in one test."""

from __future__ import annotations

from collections.abc import Mapping
from traceback import format_exception
from typing import Any

from sklearn.utils.estimator_checks import check_estimator


def require_checks_hold(estimator: Any, but: Mapping[str, str] | None = None) -> None:
    """Every check passes `but` those that are expected to fail, which do; or all that fail are shown."""
    expected = dict(but or {})
    found = check_estimator(estimator, expected_failed_checks=expected, on_skip=None, on_fail=None)
    failed = [result for result in found if result["status"] == "failed"]
    shown = ("".join([f"{result['check_name']}:\n", *format_exception(result["exception"])]) for result in failed)
    assert not failed, "\n".join(shown)
    assert {result["check_name"] for result in found if result["status"] == "xfail"} == set(expected)
