"""`suffice train`: one model, saved to a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suffice.cli.assignments import assignments, parsed
from suffice.cli.data import Data
from suffice.cli.json_document import print_json
from suffice.cli.notes import noting
from suffice.cli.options import (
    MODEL_NAMES,
    AsJson,
    DataArgument,
    KeptColumns,
    MissingSpellings,
    NominalColumns,
    Target,
    Weight,
)
from suffice.cli.output_file import require_model_file
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, report, show_notes
from suffice.cli.wording import in_options
from suffice.errors import SettingError, did_you_mean

if TYPE_CHECKING:
    from suffice.estimators import GenerativeClassifier

OWN_OPTIONS = {"nominal": "--nominal", "missing_values": "--missing", "keep": "--keep"}


def train(
    data: DataArgument,
    model: Annotated[str, typer.Option("--model", "-m", metavar="NAME", help=f"One of {', '.join(MODEL_NAMES)}.")],
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="The model file to write.")],
    target: Target = None,
    weight: Weight = None,
    nominal: NominalColumns = None,
    missing: MissingSpellings = None,
    keep: KeptColumns = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the model: smoothing=0 (repeatable)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Train one model on a table and save it."""
    require_model_file(out)
    chosen = {name: parsed(value) for name, value in assignments(settings or ()).items()}
    table = Data(data)
    with progress(f"training {model}"), noting() as notes:
        from suffice.evaluate import make_model

        estimator = make_model(model, nominal=nominal, missing_values=missing, keep=keep)
        _require_settings(model, estimator, chosen)
        estimator.set_params(**chosen)
        estimator.fit(table.table(), table.target(target), weight)
        estimator.save(out)
    notes += map(in_options, estimator.schema_.notes)
    show_notes(messages(), notes)
    schema = estimator.schema_
    if as_json:
        document = {
            "model": model,
            "saved": out,
            "settings": chosen,
            "target": schema.target.name,
            "classes": schema.classes,
            "columns": schema.names,
            "left_out": {left_out.name: left_out.reason for left_out in schema.left_out},
            "parameters": estimator.parameter_count,
            "notes": notes,
        }
        print_json(document)
        return
    console = report()
    console.print(
        f"{type(estimator).__name__}: {schema.target.name} ({schema.class_count} classes) from "
        f"{len(schema.columns)} columns, {estimator.parameter_count:,} parameters"
    )
    console.print(f"saved: {out}")


def _require_settings(model: str, estimator: GenerativeClassifier, chosen: Mapping[str, Any]) -> None:
    defaults = estimator.get_params()
    known = [name for name in defaults if name not in OWN_OPTIONS]
    for name, value in chosen.items():
        if name in OWN_OPTIONS:
            raise SettingError(f"--set {name}: use {OWN_OPTIONS[name]} for this.")
        if name not in known:
            hint = did_you_mean(name, known)
            raise SettingError(f"{model} has no setting {name!r}.{hint} Its settings are {', '.join(known)}.")
        if isinstance(defaults[name], bool) and not isinstance(value, bool):
            raise SettingError(f"--set {name} must be true or false, not {value!r}.")
