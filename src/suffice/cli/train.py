"""`suffice train`: one model, saved to a file."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suffice.cli.assignments import assignments, parsed
from suffice.cli.data import Data
from suffice.cli.json_document import print_json
from suffice.cli.lists import separated, separated_columns
from suffice.cli.notes import noting
from suffice.cli.options import (
    MODELS_HELP,
    AsJson,
    DataArgument,
    DroppedColumns,
    Encoding,
    KeptColumns,
    MissingSpellings,
    NoHeader,
    NominalColumns,
    Target,
    TaskOption,
    TextColumns,
    Weight,
    complete_model,
)
from suffice.cli.other_files import require_other_files
from suffice.cli.output_file import require_model_file
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, report, show_notes
from suffice.cli.wording import READING, in_options, left_out, what_is_learned
from suffice.errors import SettingError
from suffice.progress import doing
from suffice.shown import counted

if TYPE_CHECKING:
    from suffice.evaluation.models import Model


def train(
    data: DataArgument,
    model: Annotated[
        str, typer.Option("--model", "-m", metavar="NAME", autocompletion=complete_model, help=f"{MODELS_HELP}.")
    ],
    out: Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="The model file to write.")],
    target: Target = None,
    weight: Weight = None,
    nominal: NominalColumns = None,
    missing: MissingSpellings = None,
    keep: KeptColumns = None,
    drop: DroppedColumns = None,
    text: TextColumns = None,
    task: TaskOption = None,
    encoding: Encoding = None,
    no_header: NoHeader = False,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A setting of the model: smoothing=0 (repeatable)."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Train one model on a table and save it."""
    require_model_file(out)
    chosen = {name: parsed(value) for name, value in assignments(settings or ()).items()}
    table = Data(data, encoding, no_header)
    require_other_files({"--out": out}, [table])
    with progress(), noting() as notes:
        from suffice.evaluation.tasks import task_of_criterion
        from suffice.sources import suggested_task

        rows, column = table.table(), table.target(target)
        nominal, missing = separated_columns(table, nominal), separated(missing) or None
        keep, drop, text = (separated_columns(table, given) for given in (keep, drop, text))
        decided = task.value if task else task_of_criterion(chosen.get("criterion"))
        decided = decided or suggested_task(rows, column, nominal, missing)
        read_as = {"nominal": nominal, "missing_values": missing, "keep": keep, "drop": drop}
        estimator = _estimator(model, decided, read_as, text, chosen)
        _require_weights(model, estimator, weight)
        weights: dict[str, Any] = {} if weight is None else {"sample_weight": weight}
        with doing(f"training {model}"):
            estimator.fit(rows, column, **weights)
        estimator.save(out)
    notes += map(in_options, estimator.schema_.notes)
    show_notes(messages(), notes)
    if as_json:
        asked = {"model": model, "saved": out, "settings": chosen, "task": decided}
        print_json({**asked, **_learned(estimator), "notes": notes})
        return
    console = report()
    parameters = counted(estimator.parameter_count, "parameter")
    console.print(f"{type(estimator).__name__}: {what_is_learned(estimator.schema_)}, {parameters}")
    console.print(f"saved: {out}")


def _estimator(
    model: str, task: str, read_as: Mapping[str, Any], text: list[str] | None, chosen: Mapping[str, Any]
) -> Model:
    """The model with the settings that were chosen, all of which it has."""
    from suffice.evaluation import make_model

    estimator = make_model(model, task, **read_as)
    if text and "text" not in estimator.get_params():
        raise SettingError(f"{model} reads no text; naive_bayes and logistic do.")
    if text:
        estimator.set_params(text=text)
    _require_settings(estimator, chosen)
    return estimator.set_params(**chosen)


def _learned(estimator: Model) -> dict[str, Any]:
    schema = estimator.schema_
    return {
        "target": schema.target.name,
        "classes": schema.classes,
        "columns": schema.names,
        "left_out": left_out(schema),
        "parameters": estimator.parameter_count,
    }


def _require_weights(model: str, estimator: Model, weight: str | None) -> None:
    if weight is not None and "sample_weight" not in signature(estimator.fit).parameters:
        raise SettingError(f"{model} takes no weights; leave out --weight.")


def _require_settings(estimator: Model, chosen: Mapping[str, Any]) -> None:
    from suffice.estimators.foreign_settings import no_such_setting

    defaults = estimator.get_params()
    known = [name for name in defaults if name not in READING]
    for name, value in chosen.items():
        if name in READING:
            raise SettingError(f"--set {name}: use {READING[name]} for this.")
        if name not in known:
            raise no_such_setting(type(estimator).__name__, name, value, known)
        if isinstance(defaults[name], bool) and not isinstance(value, bool):
            raise SettingError(f"--set {name} must be true or false, not {value!r}.")
