"""`suffice predict`: a model on new rows, streamed."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from suffice.cli.data import Data
from suffice.cli.decision import costs, needs_positive, threshold
from suffice.cli.lists import separated_columns
from suffice.cli.model_file import predictor
from suffice.cli.notes import noting
from suffice.cli.options import (
    AsJsonLines,
    Costs,
    DataArgument,
    Encoding,
    ModelFile,
    NoHeader,
    RowsFile,
    SafeCells,
    Threshold,
)
from suffice.cli.other_files import require_other_files
from suffice.cli.output_file import file_or_none, require_rows_file
from suffice.cli.piped import require_read_once
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, show_notes

EVERYTHING = "all"


def predict(
    model: ModelFile,
    data: DataArgument,
    out: RowsFile = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add the probability of every class.")] = False,
    at: Threshold = None,
    cost: Costs = None,
    keep_columns: Annotated[
        list[str] | None, typer.Option(metavar="NAMES", help="Columns to write beside them: id,name; or all.")
    ] = None,
    safe_cells: SafeCells = False,
    encoding: Encoding = None,
    no_header: NoHeader = False,
    as_json: AsJsonLines = False,
) -> None:
    """Predict the class, or the number, of every row, in the order of the rows."""
    out = file_or_none(out)
    require_read_once({"MODEL": model, "DATA": data})
    table = Data(data, encoding, no_header)
    require_rows_file(out)
    require_other_files({"--out": out}, [table], [model])
    with progress("predicting", is_shown=out is not None or not sys.stdout.isatty()), noting() as notes:
        from suffice.cli.row_writer import write_rows

        estimator = predictor(model)
        classes = estimator.schema_.classes
        tables = estimator.predictions(
            table.table(),
            proba=proba,
            threshold=threshold(at),
            costs=costs(cost or (), classes),
            keep=True if keep_columns == [EVERYTHING] else separated_columns(table, keep_columns),
        )
        rows = write_rows(tables, out, as_json, safe_cells)
    if needs_positive(at, cost or ()):
        notes.append(f"{classes[1]!r}, the second of the two classes, is taken as the positive one.")
    show_notes(messages(), notes)
    if out is not None:
        messages().print(f"{rows:,} predictions written to {out}")
