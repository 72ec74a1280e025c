"""`suffice export`: a model for other programs."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from suffice.cli.model_file import saved_model
from suffice.cli.options import ModelFile
from suffice.cli.other_files import require_other_files
from suffice.cli.output_file import file_or_none, opened, require_writable
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages
from suffice.shown import shown_json


class Format(StrEnum):
    """What a model can be written as."""

    json = "json"


def export(
    model: ModelFile,
    kind: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="json.")] = Format.json,
    out: Annotated[str | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file, or to -.")] = None,
) -> None:
    """Write a whole model as one JSON document, large arrays within it."""
    out = file_or_none(out)
    require_writable(out)
    require_other_files({"--out": out}, models=[model])
    with progress("reading the model"):
        text = saved_model(model).to_json()
    text = shown_json(text) if out is None else text
    with opened(out) as file:
        file.write(text.encode("utf-8", "backslashreplace") + b"\n")
    if out is not None:
        messages().print(f"{kind.value} written to {out}")
