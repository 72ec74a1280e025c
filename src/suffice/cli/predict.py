"""`suffice predict`: a model on new rows, streamed."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from suffice.cli.data import Data
from suffice.cli.notes import noting
from suffice.cli.options import AsJsonLines, DataArgument, ModelFile, RowsFile
from suffice.cli.output_file import file_or_none, require_writable, rows_kind
from suffice.cli.predictor_file import predictor
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, show_notes
from suffice.errors import SettingError


def predict(
    model: ModelFile,
    data: DataArgument,
    out: RowsFile = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add the probability of every class.")] = False,
    as_json: AsJsonLines = False,
) -> None:
    """Predict the class, or the number, of every row, in the order of the rows."""
    out = file_or_none(out)
    _require_other_file(out, data)
    with progress("predicting", is_shown=out is not None or not sys.stdout.isatty()), noting() as notes:
        from suffice.cli.row_writer import write_rows

        tables = predictor(model).predictions(Data(data).table(), proba=proba)
        rows = write_rows(tables, out, as_json)
    show_notes(messages(), notes)
    if out is not None:
        messages().print(f"{rows:,} predictions written to {out}")


def _require_other_file(out: str | None, data: str) -> None:
    if out is None:
        return
    rows_kind(out)
    require_writable(out)
    if os.path.exists(out) and os.path.exists(data) and os.path.samefile(out, data):
        raise SettingError(f"--out {out} would overwrite the table itself. Give another name.")
