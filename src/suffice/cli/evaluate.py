"""`suffice evaluate`: a model on rows it has not seen, beside the truth."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from suffice.cli.data import Data
from suffice.cli.decision import costs, threshold
from suffice.cli.json_document import print_json
from suffice.cli.model_file import predictor
from suffice.cli.notes import noting
from suffice.cli.options import (
    AsJson,
    Costs,
    DataArgument,
    Encoding,
    ModelFile,
    NoHeader,
    ReportFile,
    Threshold,
    Weight,
)
from suffice.cli.other_files import require_other_files
from suffice.cli.output_file import opened, require_model_file, require_picture_file
from suffice.cli.piped import require_read_once
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, report, show_notes
from suffice.cli.wide_text import fitted


def evaluate(
    model: ModelFile,
    data: DataArgument,
    target: Annotated[
        str | None, typer.Option("--target", "-t", metavar="COLUMN", help="The column of the truth; else the model's.")
    ] = None,
    weight: Weight = None,
    positive: Annotated[
        str | None, typer.Option(metavar="CLASS", help="The class looked for; of two else the 2nd.")
    ] = None,
    at: Threshold = None,
    cost: Costs = None,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Draw curves to a .png, .svg or .pdf file.")] = None,
    report_file: ReportFile = None,
    encoding: Encoding = None,
    no_header: NoHeader = False,
    as_json: AsJson = False,
) -> None:
    """Judge a model on rows with known classes, or numbers; every metric with its 95 % interval."""
    require_picture_file(plot)
    require_model_file(report_file, "A report")
    require_read_once({"MODEL": model, "DATA": data})
    table = Data(data, encoding, no_header)
    require_other_files({"--plot": plot, "--report": report_file}, [table], [model])
    with progress("evaluating"), noting() as notes:
        from suffice.evaluation import evaluate as judge

        estimator: Any = predictor(model)
        asked = {
            "costs": costs(cost or (), estimator.schema_.classes),
            "threshold": threshold(at),
            "positive": positive,
        }
        given = {name: value for name, value in asked.items() if value is not None}
        result = judge(estimator, table.table(), target, weight, **given)
        if plot is not None:
            _draw(result, plot)
    if report_file is not None:
        from suffice.evaluation.judging.shown.evaluation_page import write_evaluation

        write_evaluation(result, report_file, table.title, notes)
    if as_json:
        show_notes(messages(), notes)
        print_json({"file": model, "data": data, **result.to_dict(), "notes": notes})
        return
    console = report()
    console.print(fitted(str(result), console.width), soft_wrap=True)
    if notes or plot is not None or report_file is not None:
        console.print()
    show_notes(console, notes)
    if plot is not None:
        console.print(f"drawn: {plot}")
    if report_file is not None:
        console.print(f"report: {report_file}", soft_wrap=True)


def _draw(result: Any, path: str) -> None:
    os.environ["MPLBACKEND"] = "Agg"  # a file needs no screen
    figure = result.plot()[0].figure
    with opened(path) as file:
        figure.savefig(file, format=os.path.splitext(path)[1][1:].lower(), dpi=150)
