"""An estimator that nobody registered: all that does not need its name works."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import suffice as sf
from suffice.errors import MergeError, ModelFileError

PAGE = Path(__file__).parents[2] / "docs" / "adding_an_estimator.md"
IRIS = sf.datasets.load("iris")


@pytest.fixture(scope="module")
def nearest_mean() -> Any:
    """The estimator of the page that tells how to add one."""
    [code, *_] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {"__name__": __name__}
    exec(code.partition("\niris = ")[0], names)
    return names["NearestMean"]


def test_it_is_described_and_judged(nearest_mean: Any) -> None:
    model = nearest_mean().fit(IRIS, "species")
    assert model.describe().startswith("NearestMean: species with 3 classes, 4 numeric and 0 nominal columns, 14 param")
    assert sf.cross_validate(nearest_mean(), IRIS, "species").mean("accuracy") > 0.9
    assert sf.evaluate(model, IRIS).value("accuracy") == pytest.approx(model.score(IRIS, "species"))


def test_it_merges_with_its_own_kind_only(nearest_mean: Any) -> None:
    first, second = (nearest_mean().fit(part, "species") for part in (IRIS[::2], IRIS[1::2]))
    both = first.merge(second)
    whole = nearest_mean().fit(IRIS, "species")
    assert both.predict(IRIS).tolist() == whole.predict(IRIS).tolist()
    with pytest.raises(MergeError):
        both.merge(sf.LDA().fit(IRIS, "species"))


def test_it_has_its_place_in_a_report_and_none_in_a_file(nearest_mean: Any, tmp_path: Path) -> None:
    compared = sf.compare(IRIS, "species", models={"nearest_mean": nearest_mean(), "lda": sf.LDA()})
    compared.report(tmp_path / "report.html")
    assert "the page does not know this kind of model" in (tmp_path / "report.html").read_text(encoding="utf-8")
    with pytest.raises(ModelFileError, match="cannot hold a NearestMeanModel"):
        nearest_mean().fit(IRIS, "species").save(tmp_path / "model.json")
