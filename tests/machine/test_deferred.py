"""A module that is put off is loaded by whoever uses it, and is then the module itself."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from suffice.machine.deferred import deferred

NAME = "module_put_off"


@pytest.fixture
def loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A module that writes down how often it was loaded."""
    package = tmp_path / NAME
    package.mkdir()
    (package / "__init__.py").write_text(
        "import builtins, time\nbuiltins._loads.append(1)\ntime.sleep(0.05)\nvalue = 7\n"
    )
    (package / "part.py").write_text("value = 8\n")
    counted: list[int] = []
    monkeypatch.setattr("builtins._loads", counted, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    yield counted
    for name in [name for name in sys.modules if name.partition(".")[0] == NAME]:
        del sys.modules[name]


def test_an_import_without_use_loads_nothing_and_leaves_nothing(loads: list[int]) -> None:
    with deferred(NAME):
        __import__(NAME)
    assert loads == []
    assert NAME not in sys.modules


def test_what_was_imported_inside_works_afterwards_and_is_loaded_once(loads: list[int]) -> None:
    with deferred(NAME):
        inside = import_module(NAME)
    assert inside.value == 7
    assert import_module(NAME).value == inside.value == 7
    assert loads == [1]


def test_use_inside_loads_the_module(loads: list[int]) -> None:
    with deferred(NAME):
        assert __import__(NAME, fromlist=["value"]).value == 7
        assert import_module(f"{NAME}.part").value == 8
        assert vars(sys.modules[NAME])["value"] == 7
    assert vars(sys.modules[NAME])["value"] == 7
    assert loads == [1]


def test_a_module_that_is_there_stays_and_one_that_is_nowhere_is_still_missed(loads: list[int]) -> None:
    there = import_module(NAME)
    with deferred(NAME, "module_that_is_nowhere"):
        assert sys.modules[NAME] is there
        with pytest.raises(ModuleNotFoundError):
            import_module("module_that_is_nowhere")
    assert sys.modules[NAME] is there


def test_threads_that_use_it_at_once_load_it_once(loads: list[int]) -> None:
    with deferred(NAME):
        inside = import_module(NAME)
        found: list[Any] = []
        threads = [threading.Thread(target=lambda: found.append(inside.value)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [7] * 8
    assert loads == [1]


def test_scikit_learn_and_pandas_are_whole_afterwards() -> None:
    code = """
import sys
import suffice as sf
sf.NaiveBayes
assert not {"scipy.stats", "pandas"} & set(sys.modules)
import numpy as np, pandas as pd, scipy.stats
from sklearn.feature_selection import f_classif
from sklearn.impute import SimpleImputer
from sklearn.utils.fixes import _mode
assert _mode(np.array([1, 1, 2]))[0] == 1
assert scipy.stats.norm.cdf(0) == 0.5 and pd.DataFrame({"x": [1]}).shape == (1, 1)
frame = pd.DataFrame({"x": [1.0, 2.0, 8.0, 9.0], "y": ["a", "a", "b", "b"]})
assert sf.NaiveBayes().fit(frame, "y").predict(frame).tolist() == ["a", "a", "b", "b"]
f_classif(frame[["x"]], frame["y"])
assert SimpleImputer(strategy="most_frequent").fit_transform(frame[["x"]]).shape == (4, 1)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
