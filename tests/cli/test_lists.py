"""Options that may be given several times take commas too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import Run

import suffice as sf


def columns_used(run: Run, path: Path, *options: str) -> list[str]:
    result = run("compare", path, "--target", "class", "--model", "nb,lda", "--folds", "2", "--json", *options)
    assert result.exit_code == 0, result.output
    used: list[str] = json.loads(result.stdout)["columns"]
    return used


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    rows = (f"{row},{row % 7},{row % 5},{'pq'[row % 3 == 0]}" for row in range(40))
    path.write_text('a,b,"c,d",class\n' + "\n".join(rows) + "\n")
    return path


def test_several_columns_can_be_named_at_once(run: Run, table: Path) -> None:
    assert columns_used(run, table, "--drop", "a,b") == ["c,d"]
    assert columns_used(run, table, "--drop", "a", "--drop", "b") == ["c,d"]


def test_a_column_whose_name_has_a_comma_is_one_column(run: Run, table: Path) -> None:
    assert columns_used(run, table, "--drop", "c,d") == ["a", "b"]
    assert columns_used(run, table, "--drop", 'a,"c,d"') == ["b"]


def test_an_unknown_column_among_several_is_named_alone(run: Run, table: Path) -> None:
    result = run("compare", table, "--target", "class", "--drop", "a,bb")
    assert result.exit_code == 2
    assert "'bb'" in result.output
    assert "'a,bb'" not in result.output


def test_models_to_skip_and_spellings_of_missing_can_be_listed(run: Run, table: Path) -> None:
    skipped = ("--skip", "id3,c45,cart", "--missing", "3,4", "--folds", 2)
    result = run("compare", table, "--target", "class", *skipped, "--json")
    document = json.loads(result.stdout)
    assert not {"id3", "c45", "cart"} & {row["model"] for row in document["models"]}
    described = run("describe", table, "--missing", "3,4", "--nominal", "a,b").stdout
    [line] = [line for line in described.splitlines() if line.startswith("b ")]
    assert "5 levels" in line
    assert "12 (30 %)" in line


def test_train_takes_lists_too(run: Run, table: Path, tmp_path: Path) -> None:
    out = tmp_path / "model.json"
    run("train", table, "--target", "class", "--model", "nb", "--drop", "a,b", "--out", out)
    assert sf.load(out).schema_.names == ("c,d",)


def test_several_values_of_a_row_in_one_option_are_told_apart(run: Run, tennis: Path) -> None:
    result = run("explain", tennis, "--set", "Outlook=Sunny,Wind=Strong")
    assert result.exit_code == 2
    assert "--set Outlook=Sunny --set Wind=Strong" in result.output


def test_predictions_keep_a_column_whose_name_has_a_comma(run: Run, table: Path, tmp_path: Path) -> None:
    sf.NaiveBayes().fit(table, "class").save(tmp_path / "model.json")
    for given, header in (("c,d", '"c,d",prediction'), ("a,b", "a,b,prediction"), ('a,"c,d"', 'a,"c,d",prediction')):
        result = run("predict", tmp_path / "model.json", table, "--keep-columns", given)
        assert result.exit_code == 0, result.output
        assert result.stdout.splitlines()[0] == header


def test_an_unknown_column_to_keep_is_told_with_every_column_once(run: Run, table: Path) -> None:
    result = run("compare", table, "--target", "class", "--keep", "zzz")
    assert result.exit_code == 2
    assert "Its columns are 'a', 'b', 'c,d', 'class'." in " ".join(result.output.split())
