from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from running import Run

import suffice as sf

ROW = {"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}


def as_options(row: dict[str, str]) -> list[str]:
    return [part for name, value in row.items() for part in ("--set", f"{name}={value}")]


def test_a_row_of_your_own_is_derived_as_by_the_library(run: Run, tennis: Path) -> None:
    result = run("explain", tennis, *as_options(ROW))
    assert result.stdout.rstrip("\n") == str(sf.load(tennis).explain(ROW))
    assert "prediction: No" in result.stdout


def test_values_not_given_are_missing(run: Run, tennis: Path) -> None:
    result = run("explain", tennis, "--set", "Outlook=Sunny", "--set", "Wind=")
    assert result.stdout.rstrip("\n") == str(sf.load(tennis).explain({"Outlook": "Sunny"}))


def test_a_row_of_a_table_is_counted_from_one(run: Run, tennis: Path) -> None:
    table = sf.datasets.load("play_tennis")
    model = sf.load(tennis)
    for number in (1, 14):
        row = table.slice(number - 1, 1).to_pylist()[0]
        row.pop("PlayTennis")
        document = json.loads(run("explain", tennis, "play_tennis", "--row", number, "--json").stdout)
        np.testing.assert_allclose(document["posterior"], model.explain(row).posterior)
    assert run("explain", tennis, "play_tennis").stdout == run("explain", tennis, "play_tennis", "--row", 1).stdout


def test_a_level_never_seen_is_noted_for_its_own_row_only(run: Run, tennis: Path, tmp_path: Path) -> None:
    path = tmp_path / "days.csv"
    path.write_text("Outlook,Temperature,Humidity,Wind\nFoggy,Hot,High,Weak\nSunny,Hot,High,Weak\n")
    assert "never seen" in run("explain", tennis, path, "--row", 1).stdout
    assert "never seen" not in run("explain", tennis, path, "--row", 2).stdout


def test_numbers_and_whole_number_levels_are_read_as_the_model_reads_them(
    run: Run, people: Path, tmp_path: Path
) -> None:
    model = tmp_path / "m.json"
    run("train", people, "-t", "survived", "-m", "naive_bayes", "-o", model, "--missing", "?", "--nominal", "weight")
    result = run("explain", model, "--set", "age=33.5", "--set", "weight=2", "--set", "sex=f", "--json")
    document = json.loads(result.stdout)
    expected = sf.load(model).explain({"age": 33.5, "weight": 2, "sex": "f"})
    assert document["posterior"] == pytest.approx(expected.posterior.tolist())
    assert document["prediction"] in (0, 1)
    assert document["notes"] == []
    unknown = json.loads(run("explain", model, "--set", "age=?", "--set", "sex=f", "--json").stdout)
    assert unknown["notes"] == ["missing, so left out: age, weight"]


def test_the_factors_add_up_in_json(run: Run, tennis: Path) -> None:
    document = json.loads(run("explain", tennis, *as_options(ROW), "--json").stdout)
    total = np.sum([factor["log"] for factor in document["factors"]], axis=0)
    np.testing.assert_allclose(total, document["log_joint"])
    assert [factor["name"] for factor in document["factors"]] == ["prior", *ROW]


def test_an_impossible_factor_is_null_in_json(run: Run, tennis: Path) -> None:
    document = json.loads(run("explain", tennis, "--set", "Outlook=Overcast", "--json").stdout)
    assert document["factors"][1]["log"][0] is None
    assert document["posterior"] == [0, 1]


def test_a_wide_derivation_continues_below_with_its_labels(run: Run, iris_lda: Path) -> None:
    text = run("explain", iris_lda, "iris", columns=50).stdout
    assert max(map(len, text.splitlines())) <= 50
    assert text.count("sepal_length") > 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "Give either DATA"),
        (("play_tennis", "--set", "Wind=Weak"), "Give either DATA"),
        (("--row", "2", "--set", "Wind=Weak"), "--row chooses a row of DATA"),
        (("play_tennis", "--row", "15"), "has 14 rows; there is no row 15"),
        (("play_tennis", "--row", "0"), "Invalid value for '--row'"),
        (("--set", "Wnd=Weak"), "Did you mean 'Wind'?"),
    ],
)
def test_a_wrong_row_is_explained(run: Run, tennis: Path, options: tuple[str, ...], message: str) -> None:
    result = run("explain", tennis, *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_a_number_must_be_one(run: Run, iris_lda: Path) -> None:
    result = run("explain", iris_lda, "--set", "sepal_length=long")
    assert result.exit_code == 2
    assert "holds numbers" in result.stderr


def test_a_tree_s_path_is_derived_as_by_the_library(run: Run, iris_tree: Path, hours_tree: Path) -> None:
    row = {"petal_length": "5.1", "petal_width": "1.6"}
    values = {name: float(value) for name, value in row.items()}
    assert run("explain", iris_tree, *as_options(row)).stdout.rstrip("\n") == str(sf.load(iris_tree).explain(values))
    row = {"Outlook": "Sunny", "Windy": "False"}
    assert run("explain", hours_tree, *as_options(row)).stdout.rstrip("\n") == str(sf.load(hours_tree).explain(row))
    first = sf.load(hours_tree).explain(sf.datasets.load("hours_played").slice(0, 1))
    assert run("explain", hours_tree, "hours_played").stdout.rstrip("\n") == str(first)


def test_a_path_of_classes_as_json(run: Run, iris_tree: Path) -> None:
    document = json.loads(run("explain", iris_tree, "iris", "--row", 150, "--json").stdout)
    assert document["prediction"] == "virginica"
    assert document["steps"][0]["rows"] == [50, 50, 50]
    assert document["steps"][-1]["answer"] == document["posterior"]
    assert [step["answer"] for step in document["steps"][:-1]] == [None] * (len(document["steps"]) - 1)


def test_a_path_of_numbers_as_json(run: Run, hours_tree: Path) -> None:
    document = json.loads(run("explain", hours_tree, "--set", "Outlook=Foggy", "--json").stdout)
    leaves = [step for step in document["steps"] if step["answer"] is not None]
    assert sum(step["share"] * step["answer"][0] for step in leaves) == pytest.approx(document["prediction"])
    assert document["steps"][0]["rows"] == 14
    assert document["steps"][0]["mean"] == pytest.approx(584 / 14)
    assert "posterior" not in document
    assert "never seen" in document["notes"][-1]


def test_a_date_is_set_and_shown_as_a_date(run: Run, tmp_path: Path) -> None:
    rows = "".join(f"2020-03-{day:02},{'early' if day < 15 else 'late'}\n" for day in range(1, 29))
    (tmp_path / "days.csv").write_text("when,y\n" + rows)
    sf.NaiveBayes().fit(tmp_path / "days.csv", "y").save(tmp_path / "days.json")
    document = json.loads(run("explain", tmp_path / "days.json", "--set", "when=2020-03-05", "--json").stdout)
    assert (document["prediction"], document["factors"][1]["value"]) == ("early", "2020-03-05")
    wrong = run("explain", tmp_path / "days.json", "--set", "when=5 March")
    assert wrong.exit_code == 2
    assert "holds times (such as 2024-01-31" in " ".join(wrong.stderr.split())


def test_a_column_whose_name_has_a_sign_of_equality_can_be_set(run: Run, tmp_path: Path) -> None:
    table = pa.table({"c=d": ["a", "b"] * 10, "c": ["u", "v"] * 10, "y": ["p", "q"] * 10})
    model = sf.NaiveBayes().fit(table, "y")
    model.save(tmp_path / "model.json")
    for given, row in (("c=d=a", {"c=d": "a"}), ("c=u", {"c": "u"}), ("c=d=", {})):
        result = run("explain", tmp_path / "model.json", "--set", given)
        assert result.stdout.rstrip("\n") == str(model.explain(row))
