"""What is taken for an identifier: words and numbers by one rule, amounts never."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import SufficeWarning
from suffice.sources import read_table

CHANCE = np.random.default_rng(0)
ROWS = 60
CLASSES = ["p", "q"] * (ROWS // 2)
SALARIES = CHANCE.choice(np.arange(20_000, 90_000), ROWS, replace=False)
TICKETS = CHANCE.choice(np.arange(10_000, 90_000), ROWS, replace=False)


def schema_of(name: str, values: Any) -> Any:
    return read_table(pa.table({"x": np.arange(ROWS) % 7, name: pa.array(values), "y": CLASSES}), "y").schema


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("salary", SALARIES),
        ("price", CHANCE.normal(100, 20, ROWS)),
        ("price", [f"${amount:,}" for amount in SALARIES]),
        ("weight", [f"{amount / 7:.3f}".replace(".", ",") for amount in SALARIES]),
        ("paid", SALARIES),
        ("population", CHANCE.integers(10_000, 10_000_000, ROWS)),
    ],
)
def test_an_amount_is_no_identifier(name: str, values: Any) -> None:
    schema = schema_of(name, values)
    assert name in schema.names
    assert not any("identifier" in note for note in schema.notes)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("id", TICKETS),
        ("PassengerId", np.arange(ROWS)),
        ("order_no", [str(number) for number in TICKETS]),
        ("key", TICKETS.astype(float)),
        ("name", [f"person {number}" for number in range(ROWS)]),
        ("session", [f"{number:08x}-77aa-4f" for number in TICKETS]),
        ("big", [10**17 + int(number) for number in TICKETS]),
    ],
)
def test_numbers_that_are_named_so_and_words_are_left_out(name: str, values: Any) -> None:
    with pytest.warns(SufficeWarning, match=f"{name!r} is left out: it looks like an identifier: 60 "):
        schema = schema_of(name, values)
    assert schema.names == ("x",)


def test_numbers_that_count_rows_are_mentioned_and_used() -> None:
    schema = schema_of("visit", np.arange(100, 100 + ROWS))
    assert "visit" in schema.names
    assert schema.notes == ("'visit' looks like an identifier (60 values in 60 rows); drop=['visit'] leaves it out.",)


def test_keep_uses_a_number_that_is_named_as_an_identifier() -> None:
    table = pa.table({"id": TICKETS, "y": CLASSES})
    assert sf.cart(keep=["id"]).fit(table, "y").schema_.names == ("id",)


def test_an_identifier_that_repeats_is_an_ordinary_column() -> None:
    assert "customer_id" in schema_of("customer_id", np.arange(ROWS) % 20).names


def test_a_model_without_an_identifier_predicts_tables_with_and_without_it(tmp_path: Path) -> None:
    lines = [f"{ticket},{row % 7},{CLASSES[row]}" for row, ticket in enumerate(TICKETS.tolist())]
    (tmp_path / "t.csv").write_text("id,x,y\n" + "\n".join(lines) + "\n")
    with pytest.warns(SufficeWarning, match="'id' is left out"):
        model = sf.NaiveBayes().fit(tmp_path / "t.csv", "y")
    (tmp_path / "u.csv").write_text("x\n1\n2\n")
    assert len(model.predict(tmp_path / "u.csv")) == 2
    assert len(model.predict(tmp_path / "t.csv")) == ROWS
