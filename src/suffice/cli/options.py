"""Arguments and options that several commands share."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

# The help must not import the models to name them; a test keeps these lists true.
MODEL_NAMES = (
    "naive_bayes",
    "naive_bayes_kde",
    "lda",
    "qda",
    "joint_bayes",
    "logistic",
    "perceptron",
    "id3",
    "c45",
    "cart",
)
REGRESSION_MODEL_NAMES = ("cart", "id3", "mean")
MODELS_HELP = f"{', '.join(MODEL_NAMES)}; for numbers {', '.join(REGRESSION_MODEL_NAMES)}"


class Task(StrEnum):
    """What can be learned."""

    classification = "classification"
    regression = "regression"


DataArgument = Annotated[str, typer.Argument(metavar="DATA", help="A file, a glob in quotes, - or a built-in name.")]
ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="A model file.")]
Target = Annotated[
    str | None,
    typer.Option("--target", "-t", metavar="COLUMN", help="The column to predict; built-in tables know theirs."),
]
Weight = Annotated[str | None, typer.Option("--weight", metavar="COLUMN", help="A column of row weights.")]
NominalColumns = Annotated[
    list[str] | None, typer.Option("--nominal", metavar="COLUMN", help="Read its numbers as levels (repeatable).")
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
    typer.Option("--task", metavar="TASK", help="classification or regression; else as the target suggests."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
AsJsonLines = Annotated[bool, typer.Option("--json", help="Print JSON lines instead of CSV.")]
RowsFile = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write to a .csv, .parquet or .jsonl file, or to -."),
]
