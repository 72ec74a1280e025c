"""Numbers in disguise, from the table to the prediction: the model remembers how they are written."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.errors import MergeError, TableError
from suffice.schema import Numeric
from suffice.sources import read_table

EUROPEAN = """\
size;price;share;stock;kind
1,5;1.250,00 €;45,5 %;1,250;small
2,25;980,50 €;12 %;2,500;small
7,5;3.400,00 €;80 %;n/a;large
8,75;4.100,25 €;75,5 %;7,125;large
"""
PLAIN = pd.DataFrame(
    {
        "size": [1.5, 2.25, 7.5, 8.75],
        "price": [1250.0, 980.5, 3400.0, 4100.25],
        "share": [45.5, 12.0, 80.0, 75.5],
        "stock": [1.25, 2.5, np.nan, 7.125],
        "kind": ["small", "small", "large", "large"],
    }
)


@pytest.fixture
def european(tmp_path: Path) -> Path:
    path = tmp_path / "european.csv"
    path.write_text(EUROPEAN)
    return path


def test_a_european_export_is_read_as_the_numbers_it_holds(european: Path) -> None:
    model, expected = sf.NaiveBayes().fit(european, "kind"), sf.NaiveBayes().fit(PLAIN, "kind")
    assert model.describe().split("\n\nnote:")[0] == expected.describe()
    np.testing.assert_array_equal(model.predict_proba(european), expected.predict_proba(PLAIN))
    np.testing.assert_array_equal(model.predict_proba(PLAIN), expected.predict_proba(PLAIN))


def test_notes_name_the_columns_what_was_read_as_what_and_how_to_undo_it(european: Path) -> None:
    assert sf.NaiveBayes().fit(european, "kind").schema_.notes == (
        "'size' is read as numbers: '8,75' is 8.75. nominal=['size'] reads it as levels.",
        "'price' is read as numbers: '4.100,25 €' is 4100.25. nominal=['price'] reads it as levels.",
        "'share' is read as numbers: '75,5 %' is 75.5. nominal=['share'] reads it as levels.",
        "'stock' is read as numbers: '7,125' is 7.125, 'n/a' is missing. nominal=['stock'] reads it as levels.",
    )


def test_nominal_undoes_it(european: Path) -> None:
    schema = sf.NaiveBayes(nominal=["size", "stock"]).fit(european, "kind").schema_
    assert schema.nominal[0].levels == ("1,5", "2,25", "7,5", "8,75")
    assert schema.nominal[1].levels == ("1,250", "2,500", "7,125", "n/a")


def test_a_comma_before_three_digits_groups_unless_another_column_has_a_decimal_comma(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": ["1,234", "2,345"], "b": ["1.5", "2.5"], "y": ["p", "q"]})
    assert read_table(frame, "y").schema.columns == (Numeric("a", is_whole=True), Numeric("b"))
    frame["c"] = ["1,5", "2,5"]
    assert read_table(frame, "y").schema.columns[0] == Numeric("a", decimal=",")
    frame["d"] = ["1,234.5", "7"]
    assert read_table(frame, "y").schema.columns[0] == Numeric("a", is_whole=True)


def test_a_single_row_and_a_new_file_are_read_as_the_training_table(european: Path, tmp_path: Path) -> None:
    model = sf.NaiveBayes().fit(european, "kind")
    spelled = {"size": "1,5", "price": "1.250 €", "share": "45,5 %", "stock": "-"}
    typed = {"size": 1.5, "price": 1250.0, "share": 45.5}
    assert str(model.explain(spelled)) == str(model.explain(typed))
    one = tmp_path / "one.csv"
    one.write_text("size;price;share;stock\n1,5;1.250;45,5;\n")  # alone, 1.250 would be plain
    np.testing.assert_array_equal(
        model.predict_proba(one), model.predict_proba(pd.DataFrame([typed | {"stock": None}]))
    )


def test_a_model_file_keeps_how_numbers_are_written(european: Path, tmp_path: Path) -> None:
    model = sf.NaiveBayes().fit(european, "kind")
    model.save(tmp_path / "model.json")
    assert '"decimal": ","' in (tmp_path / "model.json").read_text()
    loaded = sf.load(tmp_path / "model.json")
    assert loaded.schema_ == model.schema_
    assert str(loaded.explain({"price": "1.250 €"})) == str(model.explain({"price": 1250}))


def test_more_rows_and_other_models_agree(european: Path) -> None:
    whole = sf.NaiveBayes().fit(pd.concat([PLAIN, PLAIN]), "kind")
    updated = sf.NaiveBayes().fit(european, "kind").update(european, "kind")
    merged = sf.NaiveBayes().fit(european, "kind").merge(sf.NaiveBayes().fit(european, "kind"))
    for model in (updated, merged):
        np.testing.assert_allclose(model.predict_proba(european), whole.predict_proba(PLAIN), rtol=1e-12)


@pytest.mark.parametrize(("ours", "theirs"), [("$", "€"), ("%", "$"), ("%", "")])
def test_models_of_other_units_do_not_merge(ours: str, theirs: str) -> None:
    def model(unit: str) -> Any:
        frame = pd.DataFrame({"a": [f"{number}{unit}" for number in range(4)], "y": ["p", "p", "q", "q"]})
        return sf.NaiveBayes().fit(frame, "y")

    with pytest.raises(MergeError, match=r"Column 'a' is in . here and (in .|without a unit) there"):
        model(ours).merge(model(theirs))


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("1.5", "Column 'size' holds numbers with a decimal comma, but here it has the value '1.5'"),
        ("$5", "Column 'size' holds numbers with a decimal comma, but here it has the value"),
        ("big", "the value 'big'"),
    ],
)
def test_what_is_written_otherwise_later_is_an_error(european: Path, cell: str, message: str) -> None:
    with pytest.raises(TableError) as caught:
        sf.NaiveBayes().fit(european, "kind").explain({"size": cell})
    assert message in str(caught.value)


def test_numbers_to_predict_may_be_in_disguise(tmp_path: Path) -> None:
    prices = [f"${1_000 + 37 * row:,}.50" for row in range(60)]
    frame = pd.DataFrame({"rooms": np.arange(60) % 7, "area": np.arange(60.0), "price": prices})
    frame.loc[3, "price"] = "n/a"
    frame.to_csv(tmp_path / "homes.csv", index=False)
    plain = frame.assign(price=[1_000.5 + 37 * row for row in range(60)]).drop(index=3)
    expected = sf.DecisionTreeRegressor().fit(plain, "price")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for table in (frame, tmp_path / "homes.csv"):
            tree = sf.DecisionTreeRegressor().fit(table, "price")
            assert tree.schema_.target == Numeric("price", unit="$")
            assert tree.schema_.notes[0] == "The target 'price' is read as numbers: '$3,183.50' is 3183.5."
            assert str(tree.rules()) == str(expected.rules())
            assert tree.score(table, "price") == pytest.approx(expected.score(plain, "price"))
            assert sf.compare(table, "price", folds=2, models=["cart"]).best.schema_.target.unit == "$"


def test_numbers_to_predict_that_are_written_differently_are_an_error() -> None:
    frame = pd.DataFrame({"a": range(6), "price": ["$1", "€2", "$3", "€4", "$5", "€6"]})
    with pytest.raises(TableError, match="are not all written in one way"):
        sf.DecisionTreeRegressor().fit(frame, "price")
    with pytest.raises(TableError, match="has the value 'cheap', which is no number"):
        sf.DecisionTreeRegressor().fit(frame.assign(price=["$1", "cheap"] * 3), "price")


def test_a_class_that_may_mean_no_value_is_named() -> None:
    frame = pd.DataFrame({"a": [1.5, 2.5, 8.5, 9.5, 3.5], "y": ["0", "0", "1", "1", "NA"]})
    model = sf.NaiveBayes().fit(frame, "y")
    assert model.classes_.tolist() == ["0", "1", "NA"]
    assert model.schema_.notes == (
        "The target 'y' has the class 'NA'; if that means missing, say missing_values=['NA'].",
    )


def test_numbers_that_are_not_written_alike_are_levels_with_a_note() -> None:
    frame = pd.DataFrame({"a": ["$1", "€1", "$1", "€1"], "b": ["1,5", "1.5"] * 2, "y": ["p", "q"] * 2})
    schema = sf.NaiveBayes().fit(frame, "y").schema_
    assert [column.name for column in schema.nominal] == ["a", "b"]
    assert schema.notes == (
        "'a' would be numeric, but its decimal marks or units differ. Write all of its numbers alike.",
        "'b' would be numeric, but its decimal marks or units differ. Write all of its numbers alike.",
    )


def test_json_lines_too_have_numbers_in_disguise(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps({"a": cell, "y": kind}) for cell, kind in [("$1,500", "p"), ("$2", "q")] * 2))
    assert read_table(path, "y").schema.columns == (Numeric("a", is_whole=True, unit="$"),)
