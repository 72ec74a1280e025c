"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from suffice import datasets
from suffice.estimators.model_names import CLASSIFIERS, REGRESSORS, SHORT

_SHORT = {name: short for short, name in SHORT.items()}
MODEL_NAMES = tuple(_SHORT.get(name, name) for name in CLASSIFIERS)
REGRESSION_MODEL_NAMES = tuple(REGRESSORS)
MODELS_HELP = f"{', '.join(MODEL_NAMES)}; for numbers {', '.join(REGRESSION_MODEL_NAMES)}"


def complete_model(incomplete: str) -> list[str]:
    """The names of models that begin so, for a shell to offer."""
    return [name for name in dict.fromkeys((*MODEL_NAMES, *REGRESSION_MODEL_NAMES)) if name.startswith(incomplete)]


def complete_data(incomplete: str) -> list[str]:
    """The built-in tables that begin so; where there are none, shells offer files."""
    return [name for name in datasets.NAMES if name.startswith(incomplete)] if incomplete else []


class Task(StrEnum):
    """What can be learned."""

    classification = "classification"
    regression = "regression"


DataArgument = Annotated[
    str,
    typer.Argument(
        metavar="DATA", help="A file, a glob in quotes, - or a built-in name.", autocompletion=complete_data
    ),
]
ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="A model file, or - for the standard input.")]
Encoding = Annotated[
    str | None, typer.Option("--encoding", metavar="NAME", help="Of a CSV file: latin-1, cp1252; else recognised.")
]
NoHeader = Annotated[bool, typer.Option("--no-header", help="A CSV file's first line is data; columns are x0, x1, …")]
Target = Annotated[
    str | None,
    typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict; built-in tables know theirs."),
]
Weight = Annotated[str | None, typer.Option("--weight", metavar="COLUMN", help="A column of row weights.")]
NominalColumns = Annotated[
    list[str] | None,
    typer.Option("--nominal", metavar="COLUMN", help="Read its numbers as levels (repeatable, or a,b)."),
]
MissingSpellings = Annotated[
    list[str] | None, typer.Option("--missing", metavar="SPELLING", help="A spelling of missing: ? (repeatable).")
]
KeptColumns = Annotated[
    list[str] | None, typer.Option("--keep", metavar="COLUMN", help="Use it though it looks like an id (repeatable).")
]
DroppedColumns = Annotated[
    list[str] | None, typer.Option("--drop", metavar="COLUMN", help="Leave it out (repeatable).")
]
TextColumns = Annotated[
    list[str] | None, typer.Option("--text", metavar="COLUMN", help="Read it as text, word by word (repeatable).")
]
TaskOption = Annotated[
    Task | None,
    typer.Option("--task", metavar="TASK", help="classification or regression; else guessed."),
]
ReportFile = Annotated[str | None, typer.Option("--report", metavar="FILE", help="Write it all as one HTML page.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
AsJsonLines = Annotated[bool, typer.Option("--json", help="Print JSON lines instead of CSV.")]
SafeCells = Annotated[
    bool, typer.Option("--safe-cells", help="In CSV, put ' before text that a spreadsheet would run: =, +, -, @.")
]
Threshold = Annotated[
    str | None, typer.Option("--threshold", metavar="[CLASS=]P", help="Predict a class (else the 2nd) from P on.")
]
Costs = Annotated[
    list[str] | None,
    typer.Option(
        "--cost", metavar="ERROR=COST", help='"false negative=5", or "TRUTH as PREDICTED=5"; else 1 (repeatable).'
    ),
]
RowsFile = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write to a .csv, .parquet or .jsonl file, or to -."),
]
