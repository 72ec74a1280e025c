"""`suffice sample`: new rows from a model."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from suffice.cli.model_file import saved_model
from suffice.cli.options import AsJsonLines, ModelFile, RowsFile, SafeCells
from suffice.cli.other_files import require_other_files
from suffice.cli.output_file import file_or_none, require_rows_file
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages
from suffice.errors import SettingError

BLOCK = 1_000_000  # cells drawn at a time


def sample(
    model: ModelFile,
    count: Annotated[int, typer.Option("-n", "--rows", min=1, metavar="ROWS", help="How many rows.")] = 10,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="The same seed draws the same rows.")] = None,
    out: RowsFile = None,
    safe_cells: SafeCells = False,
    as_json: AsJsonLines = False,
) -> None:
    """Draw new rows from a model."""
    out = file_or_none(out)
    require_rows_file(out)
    require_other_files({"--out": out}, models=[model])
    with progress("drawing rows", is_shown=out is not None or not sys.stdout.isatty()):
        from suffice.cli.row_writer import write_rows

        rows = write_rows(_drawn(_drawable(saved_model(model)), count, seed), out, as_json, safe_cells)
    if out is not None:
        messages().print(f"{rows:,} rows written to {out}")


def _drawable(estimator: Any) -> Any:
    """The model, which must know how the columns are distributed; it gives Arrow tables from now on."""
    from suffice.estimators.capabilities import draws_rows

    if not draws_rows(estimator):
        raise SettingError(
            f"A {type(estimator).__name__} says nothing about how the columns are distributed, so no rows can be drawn "
            "from it. Train a generative model for that, such as naive_bayes or lda."
        )
    estimator.frame_kind_ = "pyarrow"
    return estimator


def _drawn(estimator: Any, count: int, seed: int | None) -> Iterator[Any]:
    import numpy as np

    random = np.random.default_rng(seed)
    block = max(BLOCK // max(len(estimator.schema_.columns), 1), 1)
    for start in range(0, count, block):
        yield estimator.sample(min(block, count - start), random)
