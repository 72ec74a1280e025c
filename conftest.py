"""How tests run: laws try the same examples every time, and workers share the files so that they end together."""

from __future__ import annotations

import atexit
import gc
import os
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

gc.disable()  # until all tests are collected: nothing of them is garbage

# Once a worker has done all that it does at its end, it ends: to let go of its objects one by one takes two seconds.
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
if IS_WORKER:
    atexit.register(os._exit, 0)

# Hypothesis also draws numbers and words that stand in the modules imported so far, and these differ with the files
# that a worker happened to take first: a seed alone would not make two runs alike.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants

# By default an example that takes a fifth of a second fails, which says how busy a machine is.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# Spark's session and Dask's workers start slowly, so that the files that need them share them.
ONE_CLUSTER = tuple(
    f"tests/sources/engines/test_{name}.py"
    for name in ("sameness", "spark", "spark_faults", "kept_on_spark", "kept_on_dask")
)
# So does a browser.
ONE_BROWSER = "tests/evaluation/page/"
# What takes longest comes first: a worker that takes it last leaves the other one idle.
LONGEST = (
    *ONE_CLUSTER,
    "tests/sources/engines/",
    ONE_BROWSER,
    "tests/j48/",
    "tests/estimators/test_contract.py",
    "tests/estimators/test_raw_tables.py",
    "tests/laws/",
    "tests/sources/test_door.py",
    "tests/docs/",
    "tests/persist/",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first; otherwise the order stays."""

    def place(item: pytest.Item) -> int:
        return next((at for at, start in enumerate(LONGEST) if item.nodeid.startswith(start)), len(LONGEST))

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """The garbage collector need not look through half a million objects of thousands of tests, again and again."""
    gc.freeze()
    gc.enable()


def pytest_unconfigure() -> None:
    """At the end everything is let go, or libraries complain of what they find alive; a worker does without."""
    if not IS_WORKER:
        gc.unfreeze()


def pytest_sessionstart(session: pytest.Session) -> None:
    """A worker tells of a test when it is over, and of what came before and after only if there is something to it."""
    for plugin in session.config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            plugin.sendevent = partial(_tell, plugin.sendevent)


def _tell(send: Callable[..., None], event: str, **told: Any) -> None:
    report = told.get("data", {}) if event == "testreport" else {}
    is_quick = report.get("when") in ("setup", "teardown") and report["duration"] < 0.1
    if event not in ("logstart", "logfinish") and not (is_quick and report["outcome"] == "passed"):
        send(event, **told)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A worker takes a file at a time, or all files that share a cluster or a browser."""
    from xdist.scheduler import LoadFileScheduling

    class BySharedThings(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file: str = super()._split_scope(nodeid)
            return "cluster" if file in ONE_CLUSTER else ONE_BROWSER if file.startswith(ONE_BROWSER) else file

    return BySharedThings(config, log) if config.getvalue("dist") == "loadfile" else None
