"""An evaluation as one page."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pyarrow as pa
import pytest

import suffice as sf
from command_line import invoke
from suffice.errors import SettingError, SufficeWarning

HOSTILE = "<script>alert(1)</script>"


def test_every_metric_of_the_evaluation_stands_on_the_page(tmp_path: Path) -> None:
    tumours = sf.datasets.load("breast_cancer")
    model = sf.LDA().fit(tumours[::2], "diagnosis")
    result = sf.evaluate(model, tumours[1::2], costs={"false negative": 5})
    result.report(tmp_path / "page.html", "tumours")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for name, estimate in result.overall.items():
        assert f"{estimate.value:.4f}" in page, name
    assert "Errors (false positive 1, false negative 5) cost least" in page
    assert page.count("<svg") == 2
    assert "http" not in re.sub(r"http-equiv|http://www\.w3\.org/\S*", "", page)


def test_numbers_have_a_page_too(tmp_path: Path) -> None:
    iris = sf.datasets.load("iris")
    tree = sf.cart(criterion="variance").fit(iris[::2], "petal_width")
    sf.evaluate(tree, iris[1::2]).report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "RMSE" in page
    assert "Predicted and true" in page


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    table = pa.table({"x": [1.0, 2.0, 8.0, 9.0] * 5, HOSTILE: [HOSTILE, HOSTILE, "q", "q"] * 5})
    model = sf.LDA().fit(table, HOSTILE)
    sf.evaluate(model, table).report(tmp_path / "page.html", HOSTILE)
    assert HOSTILE not in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_place_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    iris = sf.datasets.load("iris")
    result = sf.evaluate(sf.LDA().fit(iris, "species"), iris)
    with pytest.raises(SettingError, match="cannot be written"):
        result.report(tmp_path / "no" / "folder.html")


def test_the_command_line_writes_it(tmp_path: Path) -> None:
    sf.LDA().fit(sf.datasets.load("iris"), "species").save(tmp_path / "m.json")
    place = tmp_path / "page.html"
    found = invoke("evaluate", tmp_path / "m.json", "iris", "--report", place)
    assert f"report: {place}" in found.stdout
    assert "in iris" in place.read_text(encoding="utf-8")


def test_the_page_begins_with_what_was_warned_of_from_python_as_from_the_command_line(tmp_path: Path) -> None:
    train = pa.table({"sky": ["sun", "sun", "rain", "rain"] * 5, "y": ["yes", "yes", "no", "no"] * 5})
    later = pa.table({"sky": ["sun", "hail"], "y": ["yes", "no"]})
    model = sf.NaiveBayes().fit(train, "y")
    with pytest.warns(SufficeWarning, match="'sky'"):
        result = sf.evaluate(model, later)
    (warned,) = result.warnings
    result.report(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "What to know about this table" in page
    assert warned in html.unescape(page)
