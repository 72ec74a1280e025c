"""The command `suffice` and what it can do; nothing heavy is imported before a command runs."""

from __future__ import annotations

import os
import signal
import sys
from typing import Annotated

import typer

from suffice.cli.compare import compare
from suffice.cli.datasets import datasets
from suffice.cli.describe import describe
from suffice.cli.evaluate import evaluate
from suffice.cli.exit_codes import INTERRUPTED
from suffice.cli.explain import explain
from suffice.cli.export import export
from suffice.cli.failures import Commands
from suffice.cli.piped import remove_kept
from suffice.cli.predict import predict
from suffice.cli.sample import sample
from suffice.cli.train import train
from suffice.version import __version__

HELP = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    name="suffice", cls=Commands, rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=HELP
)

SHORT = {  # what the list of commands has room for, where it is less than the first sentence
    predict: "Predict the class, or the number, of every row.",
    evaluate: "Judge a model on rows with known classes, or numbers.",
    explain: "Derive one prediction, step by step.",
    export: "Write a whole model as one JSON document.",
}

for command, example in (
    (compare, "suffice compare titanic.csv --target survived --save best.json"),
    (train, "suffice train titanic.csv --target survived --model naive_bayes --out model.json"),
    (predict, "suffice predict model.json new.csv --proba --out predictions.csv"),
    (evaluate, 'suffice evaluate model.json test.csv --cost "false negative=5"'),
    (describe, "suffice describe model.json"),
    (explain, "suffice explain model.json --set sex=female --set age=29"),
    (sample, "suffice sample model.json -n 100 --seed 1 --out rows.csv"),
    (export, "suffice export model.json --format json --out export.json"),
    (datasets, "suffice datasets"),
):
    app.command(epilog=f"Example: {example}", short_help=SHORT.get(command))(command)


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"suffice {__version__}")
        raise typer.Exit


@app.callback(
    epilog="Example: suffice compare play_tennis. Each command has its own --help. Exit codes: 0 done, 2 a mistake "
    "that the message explains, 1 a fault of suffice itself, 130 interrupted, 141 the reader of the output closed it."
)
def suffice(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error comes from.")] = False,
) -> None:
    """Glass-box classifiers for tables of any size.

    DATA is a file (CSV, Parquet, JSON lines, ARFF, Feather, Excel), a glob, - for standard input, or a built-in name.
    """


def main() -> None:
    """Run the command line; interrupted or asked to end, it ends at once, whatever its threads are still at."""
    asked = _ending_as_interrupted()
    try:
        app(prog_name="suffice")
    except SystemExit as end:
        if end.code != INTERRUPTED:
            raise
        remove_kept()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(128 + asked[0] if asked else INTERRUPTED)


def _ending_as_interrupted() -> list[int]:
    """Let the signals of a closed terminal and of a time limit be an interruption, so that no copy stays behind.

    The list tells which came. A signal that is ignored, as nohup does, stays so.
    """
    asked: list[int] = []

    def end(number: int, _: object) -> None:
        asked.append(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no terminals that hang up
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)
    return asked
