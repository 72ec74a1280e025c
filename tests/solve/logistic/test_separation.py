"""Separation: found where it is, by columns that really separate, and nowhere else."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import SeparationWarning, SufficeWarning
from suffice.solve.logistic import separation as linear_programs
from suffice.solve.logistic.separation import separation
from suffice.sources import gathered
from suffice.sources.keeping.in_memory import InMemory
from suffice.statistics.linear.design_rows import design_rows
from suffice.statistics.linear.margins import MeasureMargins

DATA = Path(__file__).parents[4] / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"the real tables are not there ({DATA})")


def fitted(table: Any, target: str = "y", expected: str | None = "completely", **settings: Any) -> Any:
    """A fit by maximum likelihood, with the warning that is due and no other."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", SufficeWarning)
        model = sf.LogisticRegression(l2=0, **settings).fit(table, target)
    told = [warning for warning in caught if issubclass(warning.category, SeparationWarning)]
    if expected is None:
        assert told == []
    else:
        assert len(told) == 1
        assert f"are {expected} separable by" in str(told[0].message)
        assert "Use l2 above 0" in str(told[0].message)
    return model


def margins(model: Any, table: Any, target: str = "y") -> np.ndarray:
    """s_y − max s_k of every row along the direction that was found."""
    batch = gathered(model._table(table, target))
    scores = design_rows(model.model_.design, batch) @ model.model_.separating.T
    every = np.insert(scores, model.model_.reference, 0.0, axis=1)
    rows = np.arange(batch.rows)
    own = every[rows, batch.class_codes()].copy()
    every[rows, batch.class_codes()] = -np.inf
    return own - every.max(axis=1)


def numbers(rows: int = 200, classes: int = 2, gap: float = 1.0, seed: int = 0) -> pd.DataFrame:
    """Classes along a slanted line, with a gap between them (or an overlap, where it is negative)."""
    random = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    along = y * (1.0 + gap) + random.uniform(0, 1, rows)
    across = random.normal(size=rows)
    return pd.DataFrame({"a": along + across, "b": along - across, "noise": random.normal(size=rows), "y": y})


def curved(rows: int = 240) -> pd.DataFrame:
    """Three classes around a circle: each can be parted from both others."""
    random = np.random.default_rng(1)
    y = np.arange(rows) % 3
    angle = 2 * np.pi * y / 3 + random.uniform(-0.5, 0.5, rows)
    return pd.DataFrame({"a": np.cos(angle), "b": np.sin(angle), "y": y})


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("gap", [1.0, 1e-3])
def test_classes_with_a_gap_between_them_are_completely_separable(classes: int, gap: float) -> None:
    table = numbers(classes=classes, gap=gap)[["a", "b", "y"]] if classes == 2 else curved()
    model = fitted(table)
    assert model.model_.separation == "complete"
    assert margins(model, table).min() > 0


def test_the_columns_that_separate_are_named_and_no_others() -> None:
    table = numbers(gap=1.0)
    with pytest.warns(SeparationWarning, match="completely separable by 'a', 'b': the likelihood has no maximum"):
        sf.LogisticRegression(l2=0).fit(table.assign(c=table["noise"]).drop(columns="noise"), "y")


@pytest.mark.parametrize("classes", [2, 3])
def test_overlapping_classes_are_not_separable(classes: int) -> None:
    model = fitted(numbers(classes=classes, gap=-0.3), expected=None)
    assert model.model_.separation == "none"
    assert model.model_.separating.size == 0


@pytest.mark.parametrize("overlapping", [1, 2])
def test_a_single_row_on_the_wrong_side_is_enough(overlapping: int) -> None:
    table = numbers(400, gap=0.2)[["a", "b", "y"]]
    table.loc[:overlapping, "y"] = 1 - table.loc[:overlapping, "y"]
    assert fitted(table, expected=None).model_.separation == "none"


def test_a_level_with_one_class_only_is_quasi_complete() -> None:
    table = numbers(gap=-0.5)[["a", "noise", "y"]]
    table["city"] = np.where((np.arange(200) % 10 == 1) & (table["y"] == 1), "Rome", "Oslo")
    model = fitted(table, expected="quasi-completely")
    found = margins(model, table)
    assert model.model_.separation == "quasi_complete"
    assert found.min() >= -1e-7
    assert found.max() > 1e-3
    assert (found[table["city"] == "Rome"] > 1e-3).all()
    np.testing.assert_allclose(found[table["city"] == "Oslo"], 0.0, atol=1e-7)


@pytest.mark.parametrize("solver", ["newton", "conjugate_gradient"])
def test_such_a_level_is_noticed_however_few_of_the_rows_have_it(solver: str) -> None:
    table = numbers(gap=-0.5)[["a", "noise", "y"]]
    is_rare = (np.arange(200) % 50 == 1) & (table["y"] == 1)
    table["city"] = np.where(is_rare, "Rome", np.where(np.arange(200) % 3 == 0, "Oslo", "Bern"))
    table["weight"] = np.where(is_rare, 1.0, 1e5)
    with pytest.warns(SeparationWarning, match="quasi-completely separable by 'city': "):
        model = sf.LogisticRegression(l2=0, solver=solver).fit(table, "y", sample_weight="weight")
    assert np.isnan(model.summary()["city=Rome"].standard_error)


def test_the_column_of_that_level_alone_is_named() -> None:
    table = numbers(gap=-0.5)[["a", "noise", "y"]]
    table["city"] = np.where((np.arange(200) % 10 == 1) & (table["y"] == 1), "Rome", "Oslo")
    with pytest.warns(SeparationWarning, match="quasi-completely separable by 'city': "):
        sf.LogisticRegression(l2=0).fit(table, "y")


def test_rows_on_the_border_make_it_quasi_complete() -> None:
    table = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0, 3.0, 3.0, 4.0, 5.0, 6.0], "y": [0, 0, 0, 0, 1, 0, 1, 1, 1]})
    assert fitted(table, expected="quasi-completely").model_.separation == "quasi_complete"


def test_one_of_three_classes_that_stands_apart_is_quasi_complete() -> None:
    random = np.random.default_rng(0)
    y = np.arange(300) % 3
    table = pd.DataFrame({"a": np.where(y == 2, 10.0, 0.0) + random.normal(size=300), "y": y})
    model = fitted(table, expected="quasi-completely")
    found = margins(model, table)
    assert found.min() >= -1e-7
    assert (found[y == 2] > 1e-3).all()


def test_missing_values_of_one_class_only_are_quasi_complete() -> None:
    table = numbers(gap=-0.5)[["a", "noise", "y"]]
    table.loc[(np.arange(200) % 10 == 1) & (table["y"] == 1), "noise"] = np.nan
    with pytest.warns(SeparationWarning, match="quasi-completely separable by 'noise'"):
        sf.LogisticRegression(l2=0).fit(table, "y")


@pytest.mark.parametrize("solver", ["newton", "conjugate_gradient", "gradient_ascent"])
def test_every_solver_notices(solver: str) -> None:
    settings = {"max_iter": 300} if solver != "newton" else {}
    model = fitted(numbers(gap=0.5), solver=solver, **settings)
    assert model.score(numbers(gap=0.5), "y") == 1.0


@pytest.mark.parametrize("unit", [1e9, 1e-9])
def test_units_do_not_matter(unit: float) -> None:
    table = numbers(gap=0.3)
    model = fitted(table.assign(a=table["a"] * unit))
    assert margins(model, table.assign(a=table["a"] * unit)).min() > 0
    overlapping = numbers(gap=-0.3)
    fitted(overlapping.assign(a=overlapping["a"] * unit), expected=None)


def test_with_a_penalty_nothing_is_separable() -> None:
    model = sf.LogisticRegression(l2=1e-3).fit(numbers(gap=1.0), "y")
    assert model.model_.separation == "none"


def test_a_column_that_separates_is_harmless_where_it_is_penalised() -> None:
    """The noise alone is not penalised and separates nothing, so there is a maximum."""
    table = numbers(20_000, gap=1.0)
    model = sf.LogisticRegression(l2={"noise": 0.0, "a": 1.0, "b": 1.0}).fit(table, "y")
    assert np.isfinite(model.model_.weights).all()
    assert model.model_.separation == "none"


def test_more_rows_than_the_first_program_sees() -> None:
    table = numbers(30_000, gap=1e-3)[["a", "b", "y"]]
    assert margins(fitted(table), table).min() > 0
    table.loc[7, "y"] = 1 - table.loc[7, "y"]
    assert fitted(table, expected=None).model_.separation == "none"


def rare_levels(seed: int, rows: int = 3_000) -> pd.DataFrame:
    """Three classes that overlap, but for some levels that one class lacks, or hardly has."""
    random = np.random.default_rng(seed)
    table = pd.DataFrame({f"x{j}": random.normal(size=rows) for j in range(3)})
    for j in range(3):
        table[f"level{j}"] = random.choice(list("abcdefgh"), rows, p=np.array([60, 20, 10, 5, 2, 1, 1, 1]) / 100)
    scores = table[["x0", "x1"]].to_numpy() @ random.normal(size=(2, 3)) + random.gumbel(size=(rows, 3))
    table["y"] = scores.argmax(axis=1)
    return table[~((table["level1"] > "e") & (table["y"] == seed % 4))]


@pytest.mark.parametrize("seed", range(8))
def test_programs_that_let_rows_go_decide_as_one_of_all_rows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table = rare_levels(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = sf.LogisticRegression(l2=0).fit(table, "y")
    batch = gathered(model._table(table, "y"))
    sizes: list[int] = []
    solved = linear_programs._farthest

    def watched(rows: Any, total: Any, free: Any) -> Any:
        sizes.append(rows.shape[0])
        return solved(rows, total, free)

    monkeypatch.setattr(linear_programs, "_farthest", watched)
    monkeypatch.setattr(linear_programs._Programs, "nearest", nearest_few)
    design, reference = model.model_.design, model.model_.reference
    found = separation(InMemory.of(batch).measure, design, reference, np.zeros_like(model.model_.weights))
    programs = linear_programs._Programs(InMemory.of(batch).measure, design, reference, model.model_.weights.shape)
    every = programs.margin_rows(batch)
    at_once = solved(every, np.asarray(every.sum(axis=0)).ravel() / batch.rows, np.ones(every.shape[1]))
    assert found.kind == ("none" if at_once.direction is None else "quasi_complete")
    if found.direction is not None:
        assert (every @ found.direction.ravel()).min() > -1e-6
        assert (every @ found.direction.ravel()).max() > 1e-3
    assert max(sizes) < every.shape[0] / 25  # a look finds 60 rows, of which a margin or two are short


def test_a_row_has_a_margin_against_every_other_class_as_large_as_its_scores_differ() -> None:
    model = sf.LogisticRegression(l2=1.0).fit(table := numbers(120, classes=12, gap=-0.5), "y")
    batch, design, reference = gathered(model._table(table, "y")), model.model_.design, model.model_.reference
    weights = np.random.default_rng(0).normal(size=model.model_.weights.shape)
    programs = linear_programs._Programs(InMemory.of(batch).measure, design, reference, weights.shape)
    scores = np.insert(design_rows(design, batch) @ weights.T, reference, 0.0, axis=1)
    own = scores[np.arange(batch.rows), batch.class_codes()]
    expected = (own[:, None] - scores)[np.arange(12) != batch.class_codes()[:, None]]
    assert np.allclose(np.sort(programs.margin_rows(batch) @ weights.ravel()), np.sort(expected))


def nearest_few(programs: Any, direction: np.ndarray) -> Any:
    """So few rows a round that there are many."""
    return programs.measure(MeasureMargins(programs.design, programs.reference, direction, 60))


def test_fewer_rows_than_columns_are_separable() -> None:
    random = np.random.default_rng(0)
    table = pd.DataFrame(random.normal(size=(10, 20)), columns=[f"x{j}" for j in range(20)]).assign(y=np.arange(10) % 2)
    model = fitted(table)
    assert margins(model, table).min() > 0


@pytest.mark.parametrize("factor", [0.0, -1.0, 1.0])
def test_the_direction_to_begin_with_does_not_matter(factor: float) -> None:
    table, overlapping = numbers(gap=0.2), numbers(gap=-0.2)
    model = fitted(table)
    design, reference, guess = model.model_.design, model.model_.reference, factor * model.model_.weights
    batch = gathered(model._table(table, "y"))
    found = separation(InMemory.of(batch).measure, design, reference, guess)
    assert found.kind == "complete"
    assert found.direction is not None
    batch = gathered(model._table(overlapping, "y"))
    assert separation(InMemory.of(batch).measure, design, reference, guess).kind == "none"


XOR = pd.DataFrame({"a": [0, 0, 1, 1] * 5, "b": [0, 1, 0, 1] * 5, "y": [0, 1, 1, 0] * 5})
WORDS = XOR.assign(a=XOR["a"].map({0: "off", 1: "on"}), b=XOR["b"].map({0: "off", 1: "on"}))


@pytest.mark.parametrize("table", [XOR, WORDS], ids=["numbers", "words"])
def test_xor_is_not_separable_but_its_products_are(table: pd.DataFrame) -> None:
    assert fitted(table, expected=None).model_.separation == "none"
    model = fitted(table, degree=2)
    assert model.score(table, "y") == 1.0
    assert margins(model, table).min() > 0


@needs_data
def test_heart_cleveland_is_not_separable() -> None:
    model = fitted(DATA / "heart-cleveland.csv", "disease", expected=None)
    assert model.model_.separation == "none"
    assert all(line.standard_error > 0 for line in model.summary().coefficients)


@needs_data
def test_mushrooms_are_completely_separable() -> None:
    model = fitted(DATA / "mushroom.csv", "class")
    assert margins(model, DATA / "mushroom.csv", "class").min() > 0


def test_two_of_the_irises_overlap_and_setosa_stands_apart() -> None:
    iris = sf.datasets.load("iris").to_pandas()
    model = fitted(iris, "species", expected="quasi-completely")
    found = margins(model, iris, "species")
    assert found.min() >= -1e-7
    assert (found[(iris["species"] == "setosa").to_numpy()] > 1e-6).all()
    fitted(iris[iris["species"] != "setosa"], "species", expected=None)
