"""Progress on a terminal: one line on standard error, shown after a second, gone at the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from suffice.cli.screen import messages
from suffice.progress import listening

PATIENCE = 1.0  # seconds


@contextmanager
def progress(task: str = "reading the table", is_shown: bool = True) -> Iterator[None]:
    """Show what is being done inside the block and how many rows were read, if it takes longer than a second."""
    console = messages()
    if not (is_shown and console.is_interactive):
        yield
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = SpinnerColumn(), TextColumn("{task.description}"), TextColumn("{task.fields[rows]}"), TimeElapsedColumn()
    line = Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
    shown = line.add_task(task, total=None, rows="")
    rows = 0

    def count(more: int) -> None:
        nonlocal rows
        rows += more
        line.update(shown, rows=f"{rows:,} rows")

    def begin(task: str) -> None:
        nonlocal rows
        rows = 0
        line.update(shown, description=task, rows="")

    starter = Timer(PATIENCE, line.start)
    starter.daemon = True
    starter.start()
    try:
        with listening(count, begin):
            yield
    finally:
        starter.cancel()
        starter.join()
        line.stop()
