"""`suffice explain`: the derivation of one prediction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suffice.cli.assignments import assignments
from suffice.cli.data import Data
from suffice.cli.json_document import print_json
from suffice.cli.model_file import predictor
from suffice.cli.notes import noting
from suffice.cli.options import AsJson, Encoding, ModelFile, NoHeader
from suffice.cli.piped import require_read_once
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, report, show_notes
from suffice.cli.wide_text import fitted
from suffice.errors import NoRowError, SettingError, TableError, did_you_mean
from suffice.shown import quoted

if TYPE_CHECKING:
    from suffice.estimators import Predictor


def explain(
    model: ModelFile,
    data: Annotated[str | None, typer.Argument(metavar="DATA", help="The table that holds the row.")] = None,
    row: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Which row of DATA; the first is 1, the default.")
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="COLUMN=VALUE", help="A row of your own: a value (repeatable)."),
    ] = None,
    top: Annotated[
        int, typer.Option(metavar="N", min=0, help="Print the N factors or terms that matter most; 0 prints all.")
    ] = 20,
    encoding: Encoding = None,
    no_header: NoHeader = False,
    as_json: AsJson = False,
) -> None:
    """Derive one prediction: every factor, every term, or every test on the way down a tree."""
    if (data is None) == (values is None):
        raise SettingError("Give either DATA (and --row), or the values of a row with --set COLUMN=VALUE.")
    if data is None and row is not None:
        raise SettingError("--row chooses a row of DATA; with --set there is none.")
    require_read_once({"MODEL": model, "DATA": data})
    with progress("explaining"), noting() as notes:
        estimator = predictor(model)
        rows = Data(data or "", encoding, no_header)
        try:
            asked = estimator.row(rows.table(), (row or 1) - 1) if data is not None else _cells(estimator, values or ())
        except NoRowError as error:
            raise TableError(f"{rows.name} has {error.rows:,} rows; there is no row {row or 1:,}.") from error
        explanation = estimator.explain(asked, top or None)
    show_notes(messages(), notes)
    if as_json:
        print_json(explanation.as_dict())
        return
    console = report()
    console.print(fitted(str(explanation), console.width, explanation.labels), soft_wrap=True)


def _cells(estimator: Predictor, values: Sequence[str]) -> dict[str, Any]:
    """The row that was set, of which every name must be a column of the model."""
    given = assignments(values, estimator.schema_.names)
    columns = {column.name: column for column in estimator.schema_.columns}
    for name in given:
        if name not in columns:
            hint = did_you_mean(name, columns)
            raise SettingError(f"The model has no column {name!r}.{hint} Its columns are {quoted(columns)}.")
    return {name: value or None for name, value in given.items()}
