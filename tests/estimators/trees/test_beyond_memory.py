"""Trees of tables that do not fit into the memory they are given."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SettingError, TableError
from suffice.estimators.trees import beyond_memory
from suffice.sources.keeping.memory_setting import bytes_asked_for


def test_numbers_of_very_many_values_are_cut_at_quantiles_as_well_as_exactly() -> None:
    random = np.random.default_rng(0)
    rows = pd.DataFrame({"x": random.normal(size=100_000), "z": random.normal(size=100_000)})
    rows["y"] = np.where(rows["x"] + 0.5 * rows["z"] > random.normal(0, 0.3, 100_000), "above", "below")
    here, there = (sf.cart(max_depth=5, prune=None, memory=size).fit(rows, "y") for size in (None, "4MB"))
    assert here.model_.nodes.column.tolist()[:3] == there.model_.nodes.column.tolist()[:3]
    assert here.score(rows, "y") == pytest.approx(there.score(rows, "y"), abs=0.01)
    assert np.isin(there.model_.nodes.threshold[:3], rows.to_numpy()[:, :2].astype(float)).all()


def test_columns_of_too_many_levels_are_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beyond_memory, "MOST_LEVELS", 3)
    rows = pd.DataFrame({"a": list("abcd") * 5000, "y": ["p", "q"] * 10_000})
    with pytest.raises(TableError, match=r"'a' has 4 levels.*takes at most 3.*give more memory"):
        sf.id3(memory="1MB").fit(rows, "y")


@pytest.mark.parametrize("memory", ["much", "1 PB", -1, 0, True, "10kB", float("nan")])
def test_a_size_that_is_none_is_refused(memory: object) -> None:
    with pytest.raises(SettingError, match="memory must be a size of at least"):
        bytes_asked_for(memory)


def test_what_is_set_for_all_models_counts_where_a_tree_has_no_setting_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SUFFICE_MEMORY", "300MB")
    assert (bytes_asked_for(None), bytes_asked_for("2GB")) == (300_000_000, 2_000_000_000)
    monkeypatch.setenv("SUFFICE_MEMORY", "much")
    with pytest.raises(SettingError, match=r"SUFFICE_MEMORY must be a size of at least 1\.0 MB"):
        sf.c45().fit([[1.0], [2.0]], ["a", "b"])
