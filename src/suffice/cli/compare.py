"""`suffice compare`: the main job, every model on the raw table."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suffice.cli.data import Data
from suffice.cli.exit_codes import INTERRUPTED
from suffice.cli.json_document import print_json
from suffice.cli.lists import separated, separated_columns
from suffice.cli.notes import noting
from suffice.cli.options import (
    MODEL_NAMES,
    AsJson,
    DataArgument,
    DroppedColumns,
    Encoding,
    KeptColumns,
    MissingSpellings,
    NoHeader,
    NominalColumns,
    ReportFile,
    Target,
    TaskOption,
    TextColumns,
    Weight,
    complete_model,
)
from suffice.cli.other_files import require_other_files
from suffice.cli.output_file import require_model_file
from suffice.cli.piped import require_read_once
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, report, show_notes
from suffice.cli.wide_text import fitted
from suffice.cli.wording import in_options, left_out, what_is_learned
from suffice.errors import Interrupted, SufficeError
from suffice.progress import doing

if TYPE_CHECKING:
    from suffice.evaluation.comparison.comparison_result import Comparison

MOST_LINES = 40


class Ranking(StrEnum):
    """What the leaderboard can be ranked by."""

    accuracy = "accuracy"
    log_loss = "log_loss"
    auc = "auc"
    rmse = "rmse"
    mae = "mae"
    r2 = "r2"


def compare(
    data: DataArgument,
    target: Target = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            metavar="NAME",
            autocompletion=complete_model,
            help=f"{', '.join(MODEL_NAMES[:-1])} (repeatable); else all.",
        ),
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option("--skip", metavar="NAME", help="A model to leave out (repeatable).")
    ] = None,
    test: Annotated[
        str | None, typer.Option("--test", metavar="DATA", help="Judge on the rows of this table, not by folds.")
    ] = None,
    folds: Annotated[int | None, typer.Option(metavar="N", help="Folds; else 10, fewer of many rows.")] = None,
    rank_by: Annotated[
        Ranking | None, typer.Option(metavar="METRIC", help="accuracy, log_loss, auc; for numbers rmse, mae, r2.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Deals the rows to the folds.")] = 0,
    weight: Weight = None,
    nominal: NominalColumns = None,
    missing: MissingSpellings = None,
    keep: KeptColumns = None,
    drop: DroppedColumns = None,
    text: TextColumns = None,
    task: TaskOption = None,
    encoding: Encoding = None,
    no_header: NoHeader = False,
    save: Annotated[str | None, typer.Option(metavar="FILE", help="Save the best model.")] = None,
    report_file: ReportFile = None,
    full: Annotated[bool, typer.Option("--full", help="Describe the best model to the end.")] = False,
    as_json: AsJson = False,
) -> None:
    """Cross-validate every model, rank them, and describe the best."""
    require_read_once({"DATA": data, "--test": test})
    table, other = Data(data, encoding, no_header), None if test is None else Data(test, encoding, no_header)
    files = _Files(save, report_file)
    files.require_places([table] if other is None else [table, other])
    with progress(), noting() as notes:
        column = table.target(target)
        outcome = _outcome(
            files,
            table.title,
            table.table(),
            column,
            models=separated(model) or None,
            folds=folds,
            rank_by=rank_by.value if rank_by else None,
            random_state=seed,
            sample_weight=weight,
            nominal=separated_columns(table, nominal),
            missing_values=separated(missing) or None,
            keep=separated_columns(table, keep),
            drop=separated_columns(table, drop),
            skip=separated(skip) or None,
            text=separated_columns(table, text),
            task=task.value if task else None,
            test=None if other is None else other.table(),
        )
    notes[:0] = outcome.interruption(files)
    notes += map(in_options, outcome.comparison.best.schema_.notes)
    if as_json:
        show_notes(messages(), notes)
        print_json(_document(outcome, data, column, seed, notes, test))
    else:
        _show(outcome, table.name, notes, full)
    outcome.end()


@dataclass(frozen=True)
class _Files:
    """The files that are asked for, or were written."""

    model: str | None = None
    report: str | None = None

    def require_places(self, tables: Sequence[Data]) -> None:
        """Files that could not be written, or would replace a table, are an error before the long work."""
        require_model_file(self.model)
        require_model_file(self.report, "A report")
        require_other_files({"--save": self.model, "--report": self.report}, tables)


@dataclass(frozen=True)
class _Outcome:
    """What came of it: the comparison, the files that were written, and what went wrong after it."""

    comparison: Comparison
    written: _Files
    is_whole: bool = True  # else it was interrupted, and has only the models that were finished
    problem: SufficeError | KeyboardInterrupt | None = None

    def interruption(self, asked: _Files) -> list[str]:
        """What is said of an interruption, if there was one."""
        if self.is_whole:
            return []
        said = "Interrupted: only the models that were finished are listed"
        return [f"{said}." if asked == _Files() else f"{said}, and no file is written."]

    def end(self) -> None:
        """The end of the command, in which whatever went wrong is told, after the leaderboard, which took long."""
        if isinstance(self.problem, SufficeError):
            raise self.problem
        if not self.is_whole or self.problem is not None:
            raise typer.Exit(INTERRUPTED)


def _outcome(files: _Files, name: str, *given: Any, **settings: Any) -> _Outcome:
    """Compare, and write the files, unless it was interrupted: whoever reads them would not know what is lacking."""
    from suffice.evaluation import compare as compare_models

    try:
        comparison = compare_models(*given, **settings)
    except Interrupted as error:
        return _Outcome(error.finished, _Files(), is_whole=False)
    written = _Files()
    try:
        if files.model is not None:
            comparison.best.save(files.model)
            written = _Files(files.model)
        if files.report is not None:
            _write_report(comparison, files.report, name)
    except (SufficeError, KeyboardInterrupt) as error:
        return _Outcome(comparison, written, problem=error)
    return _Outcome(comparison, files)


def _write_report(comparison: Comparison, path: str, name: str) -> None:
    from suffice.evaluation.page import write_page

    with doing("writing the report"):
        write_page(comparison, path, name, in_options)


def _show(outcome: _Outcome, data: str, notes: list[str], full: bool) -> None:
    console, comparison, written = report(), outcome.comparison, outcome.written
    console.print(f"{data}: {what_is_learned(comparison.best.schema_)}")
    console.print(comparison.title)
    console.print()
    _show_leaderboard(comparison)
    console.print()
    show_notes(console, [*map(in_options, comparison.notes), *notes])
    if comparison.notes or notes:
        console.print()
    _show_description(in_options(comparison.best.describe(full=full)), written.model, full)
    if written != _Files():
        console.print()
    for what, path in (("saved", written.model), ("report", written.report)):
        if path is not None:
            console.print(f"{what}: {path}", soft_wrap=True)


def _show_leaderboard(comparison: Comparison) -> None:
    console = report()
    text = fitted(comparison.leaderboard(console.width), console.width)
    if not console.encoding.lower().startswith("utf"):
        text = text.replace(" ±", "+-")  # as wide
    for line in text.splitlines():
        console.print(line, style="bold" if line.startswith(f"{comparison.leader} ") else None, soft_wrap=True)


def _show_description(description: str, save: str | None, full: bool) -> None:
    console = report()
    lines = fitted(description, console.width).splitlines()
    shown = lines if full else _beginning(lines)
    console.print("\n".join(shown), soft_wrap=True)
    if len(shown) < len(lines):
        there = f"`suffice describe {save}`" if save else "--save model.json and `suffice describe model.json`"
        hint = f"… {len(lines) - len(shown):,} more lines: see them with --full, or with {there}."
        console.print()
        console.print(textwrap.fill(hint, console.width), style="dim")


def _beginning(lines: list[str]) -> list[str]:
    """The first lines, up to the end of a paragraph where there is one in sight."""
    if len(lines) <= MOST_LINES + 5:
        return lines
    ends = [number for number in range(MOST_LINES // 2, MOST_LINES + 1) if not lines[number]]
    return lines[: ends[-1] if ends else MOST_LINES]


def _document(
    outcome: _Outcome, data: str, target: str, seed: int, notes: list[str], test: str | None
) -> dict[str, Any]:
    comparison, schema = outcome.comparison, outcome.comparison.best.schema_
    best = {"model": comparison.leader, "saved": outcome.written.model}
    return {
        "data": data,
        "target": target,
        "task": comparison.task,
        "classes": schema.classes,
        "columns": schema.names,
        "left_out": left_out(schema),
        "folds": None if comparison.test_rows else comparison.folds,
        "test": {"data": test, "rows": comparison.test_rows} if comparison.test_rows else None,
        "rank_by": comparison.rank_by,
        "seed": seed,
        "models": [row.cells() for row in comparison.rows],
        "did_not_take_part": comparison.skipped,
        "suspected_leaks": {leak.column: leak.reason for leak in comparison.leaks},
        "notes": notes,
        "best": {**best, "description": in_options(comparison.best.describe())},
        "report": outcome.written.report,
    }
