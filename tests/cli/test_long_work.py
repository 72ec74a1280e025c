"""Long work: how far it is, how long it may take, and what an interruption leaves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from running import Run, Start

import suffice as sf
from suffice.cli import progress_line
from suffice.cli.progress_line import Work, progress
from suffice.errors import Interrupted, SettingError
from suffice.evaluation import make_model
from suffice.progress import Step, doing, part_by_part, report_rows, step_by_step

STOPPED = """
from suffice.evaluation.comparison.ways import CrossValidating
learn = CrossValidating.tried
def stopped(way, model, *given):
    if repr(model.reader) == "QDA()":
        raise KeyboardInterrupt
    return learn(way, model, *given)
CrossValidating.tried = stopped
"""
STUCK = """
import os, signal, threading, time
from suffice.evaluation.comparison.ways import CrossValidating
from suffice.machine import threads
threads.processors = lambda: 2
learn = CrossValidating.tried
def stuck(way, model, *given):
    if repr(model.reader) == "QDA()":
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        list(threads.in_threads(time.sleep, [600, 600, 600]))
    return learn(way, model, *given)
CrossValidating.tried = stuck
"""


def test_work_says_how_far_it_is_and_how_long_it_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(progress_line.time, "monotonic", lambda: now[0])
    work = Work("reading", 100.0)
    assert str(work) == ""
    work.step(Step(0, 4, 0.0, 0.25))
    work.count(1500)
    assert str(work) == "1,500 rows, 1 of 4"
    now[0] = 130.0
    work.begin("cross-validating qda")
    work.step(Step(1, 4, 0.25, 0.5))
    assert str(work) == "2 of 4, about 1:30 left"
    now[0] = 140.0
    assert str(work) == "2 of 4, about 1:20 left"
    now[0] = 1000.0
    assert str(work) == "2 of 4, about 15:00 left"


def test_parts_of_a_task_tell_how_long_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(progress_line.time, "monotonic", lambda: now[0])
    work = Work("reading", 0.0)
    now[0] = 7.0
    work.step(Step(0, 2, 0.0, 0.25))
    work.begin("cross-validating c45")
    now[0] = 17.0
    assert str(work) == "1 of 2"
    work.part(1, 10)
    assert str(work) == "1 of 2, about 6:30 left"
    now[0] = 107.0
    work.step(Step(2, 2, 1.0, 1.0))
    work.begin("learning curve of qda")
    assert str(work) == ""
    now[0] = 127.0
    work.part(2, 10)
    assert str(work) == "about 1:20 left"
    now[0] = 300.0
    assert str(work) == ""


def test_off_a_terminal_a_task_of_minutes_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(progress_line.time, "monotonic", lambda: now[0])

    def slow_folds() -> Iterator[int]:
        for fold in range(10):
            now[0] += 20.0
            yield fold

    with progress(), doing("cross-validating cart"):
        list(part_by_part(slow_folds(), 10))
    assert capsys.readouterr().err == "cross-validating cart: 1 of 10 parts done, about 3:00 left\n"


def test_off_a_terminal_long_work_has_a_line_for_every_task(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress_line, "LONG_WORK", -1.0)
    with progress():
        for name in step_by_step(["lda", "qda"]):
            with doing(f"cross-validating {name}"):
                report_rows(14)
        with doing("writing the report"):
            pass
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "cross-validating lda (1 of 2)"
    assert lines[1].startswith("cross-validating qda (2 of 2")
    assert lines[2].startswith("writing the report")


def test_short_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(), doing("reading the table"):
        report_rows(14)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("before", [STOPPED, STUCK], ids=["stopped", "stuck in threads"])
def test_what_is_finished_is_shown_when_interrupted(start: Start, before: str) -> None:
    result = start("compare", "iris", "-m", "lda", "-m", "qda", "-m", "cart", before=before)
    shown = " ".join(result.stdout.decode().split())
    assert result.returncode == 130
    assert "Interrupted: only the models that were finished are listed." in shown
    assert "LDA: species with 3 classes" in shown
    assert "cart" not in shown


def test_an_interrupted_comparison_brings_along_what_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    from suffice.evaluation.comparison.ways import CrossValidating

    learn = CrossValidating.tried

    def stopped(way: Any, model: Any, *given: Any) -> Any:
        if repr(model.reader) == stop_at:
            raise KeyboardInterrupt
        return learn(way, model, *given)

    stop_at = "QDA()"
    monkeypatch.setattr(CrossValidating, "tried", stopped)
    with pytest.raises(Interrupted) as caught:
        sf.compare(sf.datasets.load("iris"), "species", models=["lda", "qda", "cart"])
    assert [row.model for row in caught.value.finished.rows] == ["lda", "majority"]
    stop_at = repr(make_model("majority"))  # which is the first
    with pytest.raises(KeyboardInterrupt) as nothing:
        sf.compare(sf.datasets.load("iris"), "species", models=["lda"])
    assert not isinstance(nothing.value, Interrupted)


def test_what_is_finished_is_shown_before_it_is_said_that_the_report_failed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise SettingError("'r.html' cannot be written: No space left on device. Choose another place.")

    monkeypatch.setattr("suffice.evaluation.page.write_page", full)
    result = run("compare", "iris", "-m", "lda", "--report", tmp_path / "r.html")
    assert result.exit_code == 2
    assert "lda " in result.stdout
    assert "No space left on device" in result.output


def test_an_interrupted_report_shows_the_leaderboard(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("suffice.evaluation.page.write_page", interrupted)
    result = run("compare", "iris", "-m", "lda", "--report", tmp_path / "r.html")
    assert result.exit_code == 130
    assert "lda " in result.stdout
    assert "report:" not in result.stdout


def test_an_interrupted_comparison_writes_no_file_that_would_not_say_so(start: Start, tmp_path: Path) -> None:
    page, model = tmp_path / "r.html", tmp_path / "m.json"
    result = start("compare", "iris", "-m", "lda", "-m", "qda", "--report", page, "--save", model, before=STOPPED)
    assert result.returncode == 130
    assert "are listed, and no file is written." in " ".join(result.stdout.decode().split())
    assert not page.exists()
    assert not model.exists()
