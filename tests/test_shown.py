"""Whatever is in names, levels and classes, nothing that a terminal obeys is shown, and no line is broken by it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import warnings
from itertools import cycle
from pathlib import Path
from typing import Any
from unicodedata import category

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import suffice as sf
from suffice.errors import SufficeError, SufficeWarning, TableError, warn_user
from suffice.shown import shown, shown_json, shown_lines

NASTY = "\x1b[31m", "\x00", "\u202e", "\n", "\ud800", "\x9b2J", "\r", "\u2066", "\x07", "\u2028", "\ufeff", "\U000e0041"
OBEYED = ("Cc", "Cf", "Cs", "Zl", "Zp")
pytestmark = pytest.mark.filterwarnings("ignore")


def table(signs: tuple[str, ...] = NASTY) -> pd.DataFrame:
    """A table all of whose names, levels and classes have something in them."""
    drawn, sign, rows = np.random.default_rng(0), cycle(signs), 60
    colours, classes = (np.array([f"{name}{next(sign)}" for name in "abc"], dtype=object) for _ in range(2))
    frame = pd.DataFrame(
        {
            f"size{next(sign)}": drawn.normal(size=rows),
            f"colour{next(sign)}": pd.Series(drawn.choice(colours, rows), dtype=object),
            f"constant{next(sign)}": "one",
            f"number{next(sign)}": np.arange(rows).astype(str),
            f"class{next(sign)}": pd.Series(drawn.choice(classes, rows), dtype=object),
        }
    )
    frame.iloc[::9, 0] = np.nan
    frame.iloc[::11, 1] = None
    return frame


def require_plain(text: str, lines: int | None = None) -> None:
    found = {letter for letter in text if category(letter) in OBEYED} - {"\n"}
    assert not found, f"{found} in {text!r}"
    assert lines is None or text.count("\n") == lines, text


def texts_of(model: Any, frame: pd.DataFrame) -> list[str]:
    """All that a model can show of itself."""
    target = frame.columns[-1]
    rows = [frame.iloc[position].drop(target).to_dict() for position in (0, 3)]
    rows += [{frame.columns[1]: "never\x1b seen"}]
    model.fit(frame, target)
    found = [model.describe()]
    for row in rows:
        explanation = model.explain(row)
        found += [str(explanation), explanation._repr_html_()]
    if hasattr(model, "summary"):
        found += [str(model.summary()), model.summary()._repr_html_(), str(model.path_)]
    if hasattr(model, "rules"):
        rules, work = model.rules(), model.best_splits(frame, target)
        found += [str(rules), rules._repr_html_(), rules.formula(model.classes_[0]), str(work), work._repr_html_()]
        found += [model.plot().svg, model._repr_html_()]
    return found


@pytest.mark.parametrize(
    "model",
    [
        sf.NaiveBayes(),
        sf.NaiveBayes(likelihoods="kde"),
        sf.JointBayes(),
        sf.LDA(),
        sf.QDA(),
        sf.LogisticRegression(),
        sf.Perceptron(max_epochs=2),
        sf.c45(prune=None),
    ],
    ids=repr,
)
def test_a_model_shows_nothing_that_a_terminal_obeys(model: Any) -> None:
    clean = texts_of(model, table(("",)))
    for text, expected in zip(texts_of(model, table()), clean, strict=True):
        require_plain(text, expected.count("\n"))


def test_errors_and_warnings_show_nothing_that_a_terminal_obeys() -> None:
    frame = table()
    target = frame.columns[-1]
    with pytest.raises(SufficeError) as unknown:
        sf.NaiveBayes().fit(frame, "no\x1b such\u202e column")
    model = sf.NaiveBayes().fit(frame, target)
    with pytest.raises(SufficeError) as missing:
        model.predict(frame.drop(columns=frame.columns[0]))
    for raised in (unknown, missing):
        require_plain(str(raised.value), 0)
    require_plain(str(TableError("\x1b")))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sf.NaiveBayes().fit(frame, target)
        model.predict(frame.assign(**{frame.columns[1]: "never\x1b"}))
        warn_user("a\x1bname", SufficeWarning)
    assert len(caught) > 1
    for warning in caught:
        require_plain(str(warning.message), 0)


# The command line ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The table in a file, and a model and a tree of it."""
    path = tmp_path_factory.mktemp("nasty")
    frame = table(tuple(sign for sign in NASTY if sign not in ("\ud800", "\x00", "\r")))
    frame.columns = [*frame.columns[:-1], "class"]
    frame.to_parquet(path / "table.parquet")
    sf.NaiveBayes().fit(frame, "class").save(path / "model.json")
    sf.c45(prune=None).fit(frame, "class").save(path / "tree.json")
    return path


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "suffice", *args], cwd=folder, capture_output=True, text=True, timeout=240, check=False
    )


@pytest.mark.parametrize(
    "args",
    [
        ("describe", "table.parquet"),
        ("describe", "model.json"),
        ("describe", "tree.json", "--rules"),
        ("explain", "model.json", "--set", "size\x1b[31m=1"),
        ("explain", "tree.json", "table.parquet", "--row", "3"),
        ("describe", "table.parquet", "--json"),
        ("describe", "model.json", "--json"),
        ("predict", "model.json", "table.parquet", "--json", "--proba"),
        ("train", "table.parquet", "--target", "cl\x1bass", "--out", "other.json"),
        ("train", "table.parquet", "--target", "class", "--out", "other.json"),
    ],
    ids=" ".join,
)
def test_the_command_line_shows_nothing_that_a_terminal_obeys(args: tuple[str, ...], folder: Path) -> None:
    result = run(folder, *args)
    assert "Traceback" not in result.stderr
    assert result.stdout or result.stderr
    require_plain(result.stdout)
    require_plain(result.stderr)
    if "--json" in args:
        for line in [result.stdout] if args[0] == "describe" else result.stdout.splitlines():
            assert json.loads(line)


def test_predictions_in_a_file_are_exact_and_on_a_terminal_are_shown(folder: Path) -> None:
    classes = set(sf.load(folder / "model.json").classes_.tolist())
    out = folder / "rows.csv"
    assert run(folder, "predict", "model.json", "table.parquet", "--out", str(out)).returncode == 0
    with out.open(encoding="utf-8", newline="") as file:
        exact = {row[0] for row in list(csv.reader(file))[1:]}
    assert exact <= classes
    assert any(not label.isprintable() for label in exact)
    printed = on_terminal(folder, "predict", "model.json", "table.parquet")
    assert {row[0] for row in list(csv.reader(io.StringIO(printed)))[1:]} == {shown(label) for label in exact}


def on_terminal(folder: Path, *args: str) -> str:
    """What a command prints when its output is a terminal."""
    pty = pytest.importorskip("pty")
    reader, writer = pty.openpty()
    with subprocess.Popen([sys.executable, "-m", "suffice", *args], cwd=folder, stdout=writer) as process:
        os.close(writer)
        parts = []
        while True:
            try:
                parts.append(os.read(reader, 65_536))
            except OSError:  # the other end is closed
                break
            if not parts[-1]:
                break
    os.close(reader)
    assert process.returncode == 0
    return b"".join(parts).decode().replace("\r\n", "\n")


# The function itself -------------------------------------------------------------------------------------------------


@given(st.text())
def test_any_text_is_shown_on_one_line_of_visible_letters(text: str) -> None:
    require_plain(shown(text).replace("\u200c", "").replace("\u200d", ""), 0)
    assert shown(shown(text)) == shown(text)
    shown(text).encode()


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Mn", "Zs"])))
def test_what_can_be_seen_is_shown_as_it_is(text: str) -> None:
    assert shown(text) == text
    assert shown_lines(f"{text}\n{text}") == f"{text}\n{text}"


@given(st.recursive(st.text(), lambda part: st.lists(part) | st.dictionaries(st.text(), part)))
def test_json_reads_back_as_it_was(value: Any) -> None:
    for escaped in (True, False):
        document = shown_json(json.dumps(value, ensure_ascii=escaped, indent=1))
        require_plain(document.replace("\u200c", "").replace("\u200d", ""))
        assert json.loads(document) == value


def test_values_that_are_no_text_are_shown_as_they_print() -> None:
    assert [shown(value) for value in (1, 2.5, True, "Łódź 東京 \u00a0 می\u200cخواهم")] == [
        "1",
        "2.5",
        "True",
        "Łódź 東京 \u00a0 می\u200cخواهم",
    ]
