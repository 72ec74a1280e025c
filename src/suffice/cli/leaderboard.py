"""The leaderboard as a table that fits the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from suffice.evaluate.compare import Comparison, Row

MOST_DECIMALS, FEWEST_DECIMALS = 4, 3


def show_leaderboard(console: Console, comparison: Comparison) -> None:
    """Print the models, best first, in the widest form there is room for."""
    forms = (
        _table(comparison, MOST_DECIMALS),
        _table(comparison, FEWEST_DECIMALS),
        _table(comparison, FEWEST_DECIMALS, with_zero=False),
    )
    whole = console.options.update(width=10 * console.width)
    fitting = (table for table in forms if table.__rich_measure__(console, whole).maximum <= console.width)
    console.print(next(fitting, forms[-1]))


def _table(comparison: Comparison, decimals: int, with_zero: bool = True) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("model", overflow="fold")
    for heading in ("accuracy", "log loss", "AUC", "seconds", "parameters"):
        table.add_column(heading, justify="right", overflow="fold")
    for place, row in enumerate(comparison.rows):
        table.add_row(*_cells(row, decimals, with_zero), style="bold" if place == 0 else None)
    return table


def _cells(row: Row, decimals: int, with_zero: bool) -> list[str]:
    scores = (
        (row.accuracy, row.accuracy_error),
        (row.log_loss, row.log_loss_error),
        (row.auc, row.auc_error),
    )
    cells = [f"{score:.{decimals}f} ±{_error(error, decimals, with_zero)}" for score, error in scores]
    return [row.model, *cells, f"{row.seconds:.2f}", f"{row.parameters:,}"]


def _error(error: float, decimals: int, with_zero: bool) -> str:
    text = f"{error:.{decimals}f}"
    return text if with_zero else text.removeprefix("0")
