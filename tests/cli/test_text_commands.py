"""Text on the command line: a table of messages, from a glance at it to an explanation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Run = Callable[..., Result]
MESSAGES = "text,label\n" + "".join(
    f'"please claim your free prize number {i} now",spam\n"are you home for dinner at {i} tonight",ham\n'
    for i in range(15)
)


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "messages.csv"
    path.write_text(MESSAGES, encoding="utf-8")
    return str(path)


def test_a_glance_calls_it_text(run: Run, table: str) -> None:
    shown = run("describe", table).stdout
    assert "30 texts of about 8 words: please claim your free prize" in shown
    assert "left out" not in shown


def test_compare_reads_the_messages(run: Run, table: str) -> None:
    shown = run("compare", table, "-t", "label", "--folds", "3").stdout
    assert shown.index("naive_bayes") < shown.index("did not take part: 'text' holds text")
    assert "prize" in shown


@pytest.mark.parametrize("model", ["naive_bayes", "logistic"])
def test_train_predict_and_explain(run: Run, table: str, tmp_path: Path, model: str) -> None:
    path = tmp_path / "model.json"
    assert run("train", table, "-t", "label", "-m", model, "-o", path).exit_code == 0
    assert run("predict", path, table).stdout.splitlines()[1:3] == ["spam", "ham"]
    explained = run("explain", path, "--set", "text=a free prize").stdout
    assert "prize" in explained
    assert "prediction: spam" in explained


def test_short_texts_are_named(run: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "short.csv", tmp_path / "model.json"
    path.write_text("title,label\n" + "free prize,spam\nsee you,ham\n" * 6, encoding="utf-8")
    assert run("train", path, "-t", "label", "-m", "logistic", "-o", out, "--text", "title").exit_code == 0
    assert "title: prize" in run("describe", out).stdout
    refused = run("train", path, "-t", "label", "-m", "lda", "-o", out, "--text", "title")
    assert refused.exit_code == 2
    assert "lda reads no text; naive_bayes and logistic do" in refused.stderr


def test_words_may_be_sampled(run: Run, table: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    run("train", table, "-t", "label", "-m", "naive_bayes", "-o", path)
    lines = run("sample", path, "-n", "3", "--seed", "0").stdout.splitlines()
    assert lines[0] == "text,label"
    assert len(lines) == 4
