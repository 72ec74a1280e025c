"""Joint distributions in files and pictures."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import suffice as sf
from numbers_of import numbers_of
from suffice import persist
from suffice.errors import ModelFileError, QueryError, SettingError, SufficeError, TableError

SVG = "{http://www.w3.org/2000/svg}"
STATED = {(True, "loud"): 0.09, (True, "low"): 0.01, (False, "loud"): 0.1, (False, "low"): 0.8}
FORGERIES = 120


def people(rows: int = 60) -> pd.DataFrame:
    drawn = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "hours": drawn.normal(40, 8, rows),
            "town": drawn.choice(["Köln", "Łódź", "東京"], rows),
            "member": drawn.random(rows) < 0.4,
            "grade": drawn.integers(1, 4, rows),
        }
    )
    table.loc[::7, "hours"] = np.nan
    table.loc[::11, "town"] = None
    return table


@cache
def distributions() -> dict[str, sf.JointDistribution]:
    learned = sf.JointDistribution(edges={"hours": [36, 44.5]}).fit(people())
    stated = sf.JointDistribution.from_table(STATED, ["theft", "alarm"])
    return {
        "learned": learned,
        "weighted": sf.JointDistribution(edges=3).fit(people(), sample_weight=np.linspace(0.5, 2.0, 60)),
        "stated": stated,
        "marginal": learned.marginal(["town", "hours"]),
        "given": stated.given({"theft": True}),
        "of nothing": stated.given({"theft": True, "alarm": "low"}),
    }


every_kind = pytest.mark.parametrize("kind", list(distributions()))


@every_kind
def test_what_is_saved_is_what_is_loaded(kind: str, tmp_path: Path) -> None:
    p = distributions()[kind]
    p.save(tmp_path / "p.json")
    again = sf.load(tmp_path / "p.json")
    assert type(again) is sf.JointDistribution
    assert str(again) == str(p)
    assert again.get_params() == p.get_params()
    assert again.variables_ == p.variables_
    np.testing.assert_array_equal(again.table_.probability, p.table_.probability)
    assert again.table_.weight == p.table_.weight
    assert (again.statistic_ is None) == (p.statistic_ is None)
    if p.variables_:
        pd.testing.assert_frame_equal(frame(again.sample(20, random_state=1)), frame(p.sample(20, random_state=1)))
    if len(p.variables_) > 1:
        assert str(again.independent(*p.variables_[:2])) == str(p.independent(*p.variables_[:2]))


def frame(table: Any) -> pd.DataFrame:
    return table if isinstance(table, pd.DataFrame) else table.to_pandas()


def test_a_loaded_distribution_goes_on_counting(tmp_path: Path) -> None:
    table = people()
    p = sf.JointDistribution(edges={"hours": [36, 44.5]}).fit(table[:40])
    p.save(tmp_path / "p.json")
    again = sf.load(tmp_path / "p.json").update(table[40:]).forget(table[10:20])
    assert str(again) == str(p.update(table[40:]).forget(table[10:20]))


def test_large_ones_go_beside_the_document(tmp_path: Path) -> None:
    drawn = np.random.default_rng(2)
    table = pd.DataFrame({name: drawn.integers(0, 20, 20_000) for name in "abcdef"})
    p = sf.JointDistribution().fit(table)
    p.save(tmp_path / "large.model")
    assert (tmp_path / "large.model").read_bytes()[:2] == b"PK"
    assert sf.load(tmp_path / "large.model").entropy() == p.entropy()


@pytest.mark.parametrize("value", [(1, 2), None, float("nan"), frozenset("a")])
def test_a_value_that_no_file_could_hold_cannot_be_stated(value: Any) -> None:
    with pytest.raises(TableError, match="cannot be a value"):
        sf.JointDistribution.from_table({(value,): 0.5, ("b",): 0.5}, ["x"])


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    p = sf.JointDistribution.from_table({(np.int64(1),): 0.5, (np.str_("b"),): 0.5}, ["x"])
    p.save(tmp_path / "p.json")
    assert str(sf.load(tmp_path / "p.json")) == str(p)


def signed(document: dict[str, Any], path: Path) -> Path:
    document.pop("checksum", None)
    document["checksum"] = persist.checksum(document, {})
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@every_kind
def test_a_forged_file_gives_a_sound_distribution_or_is_refused(kind: str, tmp_path: Path) -> None:
    distributions()[kind].save(tmp_path / "p.json")
    document = (tmp_path / "p.json").read_bytes()
    choose, refused = random.Random(7), 0
    for _ in range(FORGERIES):
        changed = json.loads(document)
        places = numbers_of({name: changed[name] for name in ("shared", "model", "statistic") if name in changed})
        inner, key = choose.choice(places)
        inner[key] = choose.choice([inner[key] + 1, -inner[key], inner[key] * 1e6, 1e300, -1e300, 0, 0.0, "x", None])
        try:
            p = sf.load(signed(changed, tmp_path / "forged.json"))
        except ModelFileError:
            refused += 1
            continue
        assert p.probability({}) == pytest.approx(1.0)
        assert (p.table_.probability >= 0).all()
        str(p), p.plot(), p.entropy()
        try:
            p.sample(5, random_state=0)
        except SufficeError:
            continue
    assert refused > FORGERIES / 4 or kind == "of nothing"


def test_a_forged_target_is_refused(tmp_path: Path) -> None:
    sf.NaiveBayes().fit(sf.datasets.load("play_tennis"), "PlayTennis").save(tmp_path / "nb.json")
    document = json.loads((tmp_path / "nb.json").read_bytes())
    document["kind"] = "JointDistribution"
    with pytest.raises(ModelFileError):
        sf.load(signed(document, tmp_path / "forged.json"))


# Pictures ----------------------------------------------------------------------------------------------------------


def bars(picture: Any) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture.svg)
    return [group for group in root.iter(f"{SVG}g") if group.get("class") == "bar"]


def parts(bar: ElementTree.Element) -> list[float]:
    """How long the parts of a bar are, without the ground they stand on."""
    return [float(shape.get("width", 0)) for shape in bar.iter(f"{SVG}rect")][1:]


def texts(element: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def test_bars_are_as_long_as_probabilities() -> None:
    p = sf.JointDistribution.from_table(STATED, ["theft", "alarm"])
    drawn = bars(p.plot())
    assert texts(drawn[0]) == ["True", "loud", "0.09"]
    lengths = np.array([sum(parts(bar)) for bar in drawn])
    np.testing.assert_allclose(lengths / lengths.max(), p.table_.probability / 0.8, atol=0.001)


def test_a_conditional_divides_every_bar() -> None:
    p = sf.JointDistribution().fit(sf.datasets.load("play_tennis"))
    drawn = bars(p.conditional("PlayTennis", given=["Outlook"]).plot())
    assert len(drawn) == 3
    lengths = [np.array(parts(bar)) for bar in drawn]
    np.testing.assert_allclose([own.sum() for own in lengths], lengths[0].sum(), atol=0.11)
    np.testing.assert_allclose(lengths[1] / lengths[1].sum(), [0.4, 0.6], atol=0.001)
    assert len(bars(p.conditional("PlayTennis", given=[]).plot())) == 1


def test_of_many_combinations_the_most_probable_are_drawn() -> None:
    p = sf.JointDistribution(edges=4).fit(sf.datasets.load("iris"))
    picture = p.plot()
    assert len(bars(picture)) == 40
    assert "combinations less probable" in picture.svg
    assert "combinations less probable" in p._repr_html_()
    town = pd.DataFrame({"a": [f"v{k}" for k in range(60)] * 2, "b": ["x", "y"] * 60})
    conditional = sf.JointDistribution(keep=["a"]).fit(town).conditional("b", given="a").plot()
    assert len(bars(conditional)) == 40
    assert "and 20 more conditions" in conditional.svg


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=8, unique=True))
def test_whatever_the_levels_are_the_picture_is_a_picture(levels: list[str]) -> None:
    stated = {(level,): 1 / len(levels) for level in levels}
    picture = sf.JointDistribution.from_table(stated, [levels[0]]).plot()
    assert len(bars(picture)) == len(levels)


def test_a_picture_is_saved_as_svg_only(tmp_path: Path) -> None:
    picture = sf.JointDistribution.from_table(STATED, ["theft", "alarm"]).plot()
    picture.save(tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text(encoding="utf-8") == picture.svg == picture._repr_svg_()
    with pytest.raises(SettingError, match=r"does not end in \.svg"):
        picture.save(tmp_path / "p.png")
    assert "save('distribution.svg')" in repr(picture)
    assert picture.svg in picture._repr_html_()
    with pytest.raises(QueryError):
        sf.JointDistribution.from_table(STATED, ["theft", "alarm"]).marginal("thief").plot()
