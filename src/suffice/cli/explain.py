"""`suffice explain`: the derivation of one prediction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suffice.cli.assignments import assignments
from suffice.cli.data import Data
from suffice.cli.json_document import print_json
from suffice.cli.notes import noting
from suffice.cli.options import AsJson, ModelFile
from suffice.cli.predictor_file import predictor
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, report, show_notes
from suffice.cli.wide_text import fitted
from suffice.errors import SettingError, TableError, did_you_mean

if TYPE_CHECKING:
    from suffice.estimators import Predictor
    from suffice.explain.factors import Explanation
    from suffice.explain.linear import LinearExplanation
    from suffice.explain.path import PathExplanation

FACTOR_LABELS = 2  # a derivation's first columns: of a factor the name and the value,
PATH_LABELS = 1  # of a test the condition


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
    as_json: AsJson = False,
) -> None:
    """Derive one prediction: every factor, every term, or every test on the way down a tree."""
    if (data is None) == (values is None):
        raise SettingError("Give either DATA (and --row), or the values of a row with --set COLUMN=VALUE.")
    if data is None and row is not None:
        raise SettingError("--row chooses a row of DATA; with --set there is none.")
    with progress("explaining"), noting() as notes:
        from suffice.cli.explanation_document import document_of
        from suffice.explain.path import PathExplanation

        estimator = predictor(model)
        if data is not None:
            explanation = _of_row(estimator, data, row or 1, top or None)
        else:
            explanation = _of_values(estimator, assignments(values or ()), top or None)
    show_notes(messages(), notes)
    if as_json:
        print_json(document_of(explanation))
        return
    console = report()
    labels = PATH_LABELS if isinstance(explanation, PathExplanation) else FACTOR_LABELS
    console.print(fitted(str(explanation), console.width, labels), soft_wrap=True)


def _of_row(
    estimator: Predictor, data: str, number: int, top: int | None
) -> Explanation | LinearExplanation | PathExplanation:
    """The explanation of one row of a table, read no further than that row."""
    from suffice.explain.derivation import explain as derive
    from suffice.schema import Encoder

    rows = Data(data)
    table = estimator._table(rows.table())
    before = 0
    for chunk in table.reader.chunks():
        if number <= before + chunk.rows:
            row = chunk.take(slice(number - before - 1, number - before))
            return derive(estimator.model_, Encoder(table.schema).encode(row), top)
        before += chunk.rows
    raise TableError(f"{rows.name} has {before:,} rows; there is no row {number:,}.")


def _of_values(
    estimator: Predictor, given: Mapping[str, str], top: int | None
) -> Explanation | LinearExplanation | PathExplanation:
    from suffice.explain.derivation import explain as derive

    try:
        return derive(estimator.model_, estimator._one_row(_cells(estimator, given)), top)
    except TableError as error:
        raise SettingError(f"--set: {error}") from error


def _cells(estimator: Predictor, given: Mapping[str, str]) -> dict[str, Any]:
    columns = {column.name: column for column in estimator.schema_.columns}
    for name in given:
        if name not in columns:
            hint = did_you_mean(name, columns)
            raise SettingError(f"The model has no column {name!r}.{hint} Its columns are {', '.join(columns)}.")
    return {name: value or None for name, value in given.items()}
