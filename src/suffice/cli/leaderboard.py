"""The leaderboard as a table that fits the screen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from suffice.evaluate.comparison import Comparison

MOST_DECIMALS, FEWEST_DECIMALS = 4, 3


def show_leaderboard(console: Console, comparison: Comparison) -> None:
    """Print the models, best first, in the widest form there is room for."""
    sign = "±" if console.encoding.lower().startswith("utf") else "+-"  # replaced later, it would push columns aside
    forms = (
        _table(comparison, sign, MOST_DECIMALS),
        _table(comparison, sign, FEWEST_DECIMALS),
        _table(comparison, sign, FEWEST_DECIMALS, with_zero=False),
    )
    whole = console.options.update(width=10 * console.width)
    fitting = (table for table in forms if table.__rich_measure__(console, whole).maximum <= console.width)
    console.print(next(fitting, forms[-1]))


def _table(comparison: Comparison, sign: str, decimals: int, with_zero: bool = True) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("model", overflow="fold")
    for heading in ("accuracy", "log loss", "AUC", "seconds", "parameters"):
        table.add_column(heading, justify="right", overflow="fold")
    for place, row in enumerate(comparison.rows):
        scores = (
            _score(row.accuracy, row.accuracy_error, sign, decimals, with_zero),
            _score(row.log_loss, row.log_loss_error, sign, decimals, with_zero),
            _score(row.auc, row.auc_error, sign, decimals, with_zero),
        )
        style = "bold" if place == 0 else None
        table.add_row(row.model, *scores, f"{row.seconds:.2f}", f"{row.parameters:,}", style=style)
    return table


def _score(score: float, error: float, sign: str, decimals: int, with_zero: bool) -> str:
    if math.isnan(score):
        return "none"
    spread = f"{error:.{decimals}f}"
    return f"{score:.{decimals}f} {sign}{spread if with_zero else spread.removeprefix('0')}"
