from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from running import MAIN, Program, Run, Start


def said(result: object) -> str:
    return " ".join(result.stderr.split())  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("compare", "nope.csv", "-t", "y"), "There is no file 'nope.csv'"),
        (("compare", "irs"), "There is neither a file nor a built-in table 'irs'. Did you mean 'iris'?"),
        (("compare", "."), "'.' is a folder"),
        (("compare", "iris", "-t", "specis"), "There is no target 'specis' in the table. Did you mean 'species'?"),
        (("compare", "iris", "-m", "ldaa"), "There is no model 'ldaa'. Did you mean 'lda'?"),
        (("compare", "iris", "--folds", "1"), "folds must be a whole number of at least 2"),
        (("compare", "iris", "--weight", "w"), "There is no column of weights 'w'"),
        (("compare", "iris", "--keep", "w"), "--keep"),
        (("compare", "iris", "--rank-by", "beauty"), "Invalid value for '--rank-by': 'beauty' is not one of"),
        (("compare", "iris", "--task", "clustering"), "Invalid value for '--task': 'clustering' is not one of"),
        (("compare", "iris", "--folds", "x"), "Invalid value for '--folds': it must be a whole number. See"),
        (("explain", "m.json", "iris", "--row", "0"), "Invalid value for '--row': it must be at least 1. See"),
        (
            ("compare", "iris", "--task", "regression"),
            "The target 'species' has the value 'setosa', which is no number",
        ),
        (("compare", "iris", "--rank-by", "rmse"), "--rank-by rmse is of regression, and the task is classification"),
        (("compare", "iris", "-m", "mean"), "--task regression takes the target's numbers as quantities"),
        (("compare", "iris", "--save", "/nowhere/m.json"), "there is no folder '/nowhere'"),
        (("compare",), "Missing argument 'DATA'. See `suffice compare --help`."),
        (("compare", "a.csv", "b.csv"), "Quote a glob"),
        (("train", "iris", "-m", "lda"), "Missing option '--out'"),
        (("train", "iris", "-m", "lda", "-o", "."), "'.' is a folder"),
        (("train", "iris", "-m", "lda", "-o", os.devnull), "is a device"),
        (("predict", "nope.json", "iris"), "nope.json cannot be opened: No such file or directory"),
        (("predict", "nope.json", "iris", "-o", "p.xls"), "must end in .csv, .parquet or .jsonl"),
        (("predict", "nope.json", "iris", "-o", "/nowhere/p.csv"), "there is no folder '/nowhere'"),
        (("describe", "nope.csv"), "There is no file 'nope.csv'"),
        (("compar", "iris"), "No such command 'compar'. Did you mean 'compare'?"),
        (("fit", "iris"), "No such command 'fit'. Did you mean 'train'?"),
        (("--sparkle",), "No such option: --sparkle"),
    ],
)
def test_a_mistake_is_one_message_and_exit_code_2(run: Run, command: tuple[str, ...], message: str) -> None:
    result = run(*command)
    assert result.exit_code == 2
    assert said(result).startswith("error: ")
    assert message in said(result)
    assert "Traceback" not in result.output
    assert "╭" not in result.output
    assert result.stdout == ""


def test_a_file_whose_name_begins_like_an_option_can_be_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("-data.csv").write_text("x,y\n1,a\n2,b\n")
    assert "The file -data.csv is named by ./-data.csv." in said(run("describe", "-data.csv"))
    assert run("describe", "./-data.csv").exit_code == 0


def test_a_missing_target_lists_the_columns(run: Run, people: Path) -> None:
    result = run("compare", people)
    assert result.exit_code == 2
    assert "Give --target, one of 'name', 'sex', 'age', 'weight', 'survived'." in said(result)


def test_one_class_and_no_rows_are_explained(run: Run, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("x,y\n1,a\n2,a\n")
    (tmp_path / "head.csv").write_text("x,y\n")
    (tmp_path / "empty.csv").write_text("")
    assert "one class only, 'a'" in said(run("compare", tmp_path / "one.csv", "-t", "y"))
    assert "The table has no rows" in said(run("compare", tmp_path / "head.csv", "-t", "y"))
    for command in (("compare", "-t", "y"), ("describe",)):
        result = run(command[0], tmp_path / "empty.csv", *command[1:])
        assert result.exit_code == 2
        assert "is empty" in said(result)


def test_a_late_line_that_cannot_be_read_is_one_message_without_settings(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "late.csv"
    path.write_bytes(b"a,b,y\n" + b"1,%s,0\n" % (b"w" * 120) * 40_000 + b"1,\xe9,0\n")
    for command in (("describe",), ("compare", "-t", "y")):
        result = run(command[0], path, *command[1:])
        assert result.exit_code == 2
        assert (
            "late.csv cannot be read: line 40002 has bytes that are not UTF-8. Name its encoding, as in --encoding"
            in said(result)
        )


def test_notes_help_to_understand_an_error(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("name,y\n" + "".join(f"n{number},{number % 2}\n" for number in range(30)))
    result = run("compare", path, "-t", "y")
    assert result.exit_code == 2
    assert "No column is left to learn from" in said(result)
    assert "--keep" in said(result)


@pytest.mark.parametrize("damage", ["cut", "foreign", "changed", "binary"])
def test_a_damaged_model_file_is_refused(run: Run, tennis: Path, tmp_path: Path, damage: str) -> None:
    content = tennis.read_text()
    path = tmp_path / "damaged.json"
    path.write_text(
        {
            "cut": content[: len(content) // 2],
            "foreign": json.dumps({"format": "something else"}),
            "changed": content.replace("Sunny", "Snowy"),
            "binary": "PK\x03\x04 nothing of a zip",
        }[damage]
    )
    result = run("predict", path, "play_tennis")
    assert result.exit_code == 2
    assert "damaged" in said(result) or "not a suffice model file" in said(result)
    if damage != "foreign":
        assert run("describe", path).exit_code == 2


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_folder_without_permission_is_found_before_the_work(run: Run, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    result = run("train", "iris", "-m", "lda", "-o", tmp_path / "m.json")
    assert result.exit_code == 2
    assert "permission denied" in said(result)


def test_errors_of_the_file_system_are_no_tracebacks(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object) -> None:
        raise OSError(28, "No space left on device", "m.json")

    monkeypatch.setattr("suffice.cli.data.Data.table", full)
    result = run("describe", "iris")
    assert result.exit_code == 2
    assert said(result) == "error: m.json: No space left on device. Make room there, or write elsewhere."


def test_an_error_is_whole_on_one_line_where_there_is_no_screen(run: Run) -> None:
    result = run("compare", "iris", "-t", "specis", columns="")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout == ""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_an_interruption_exits_with_130_and_says_nothing(start: Start) -> None:
    before = (
        "import os, signal, time, suffice.cli.data\n"
        "def interrupted(self):\n    os.kill(os.getpid(), signal.SIGINT)\n    time.sleep(10)\n"
        "suffice.cli.data.Data.table = interrupted"
    )
    result = start("describe", "iris", before=before)
    assert (result.returncode, result.stdout, result.stderr) == (130, b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are POSIX")
@pytest.mark.parametrize("command", [("sample", "-n", "200000"), ("describe",)])
def test_a_closed_pipe_is_silent(program: Program, tennis: Path, command: tuple[str, ...]) -> None:
    started = [*program(MAIN), command[0], str(tennis), *command[1:]]
    process = subprocess.Popen(started, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    if command[0] == "sample":
        process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 141
    process.stderr.close()


FAULT = "import suffice.estimators as e\ndef broken(path): raise RuntimeError('no such luck')\ne.load = broken"


def test_a_fault_is_one_message_and_a_traceback_only_with_debug(start: Start) -> None:
    result = start("explain", "m.json", "--set", "x=1", before=FAULT)
    said = result.stderr.decode()
    assert result.returncode == 1
    assert "Traceback" not in said
    assert "This is a fault of suffice" in said
    assert "no such luck" in said
    for args in (("--debug", "explain"), ("explain", "--debug")):
        result = start(*args, "m.json", "--set", "x=1", before=FAULT)
        assert result.returncode == 1
        assert "Traceback" in result.stderr.decode()


def test_a_mistake_shows_where_it_comes_from_with_debug(start: Start) -> None:
    result = start("compare", "nope.csv", "-t", "y", "--debug")
    assert result.returncode == 2
    assert "Traceback" in result.stderr.decode()
    assert "There is no file" in result.stderr.decode()


def test_what_scikit_learn_wants_to_hear_is_not_said_on_the_command_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("x,class\n" + "1,a\n2,b\n" * 10)
    result = run("compare", path, "--target", "class", "--drop", "x")
    assert result.exit_code == 2
    assert "error: No column is left to learn from." in result.output
    path.write_text("x,class\n")
    assert "Found array" not in run("compare", path, "--target", "class").output


def test_where_no_column_is_left_each_is_named_with_its_reason(run: Run, tmp_path: Path) -> None:
    rows = "".join(f"{1 + day % 28:02d}/{1 + day // 28:02d}/2020,{'ab'[day % 2]}\n" for day in range(100))
    (tmp_path / "days.csv").write_text("when,y\n" + rows)
    message = said(run("compare", tmp_path / "days.csv", "-t", "y", "-m", "naive_bayes"))
    assert "No column is left to learn from. 'when' looks like an identifier: 100 levels in 100 rows" in message
    assert "Write dates as 2024-01-31" in message
    assert "--keep when uses it after all" in message


def test_a_name_in_other_capitals_is_suggested(run: Run) -> None:
    assert "Did you mean 'species'?" in said(run("compare", "iris", "-t", "SPECIES"))


def test_a_cost_that_names_no_error_says_what_names_one(run: Run, tennis: Path) -> None:
    for cost in ("fn=5", "5"):
        result = run("predict", tennis, "play_tennis", "--cost", cost)
        assert f'--cost takes "false negative=5", or "TRUTH as PREDICTED=5", not {cost!r}.' in said(result)


def test_a_table_in_place_of_a_model_says_which_comes_first(run: Run, tennis: Path, people: Path) -> None:
    assert "The model comes first, and then the table." in said(run("predict", people, tennis))


def test_classes_in_other_capitals_are_said_to_be(run: Run, tennis: Path, tmp_path: Path) -> None:
    path = tmp_path / "days.csv"
    path.write_text("Outlook,Temperature,Humidity,Wind,PlayTennis\nSunny,Hot,High,Weak,no\nRain,Hot,High,Weak,YES\n")
    message = said(run("evaluate", tennis, path))
    assert "The target has the classes 'YES', 'no', which the model does not know" in message
    assert "They differ in capitals or spaces only: write them alike." in message


def test_a_file_whose_cells_nothing_parts_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("x colour y\n1 red a\n2 blue b\n")
    assert "has another sign between them" in said(run("compare", tmp_path / "t.txt", "-t", "y"))
