"""The leaderboard as a table that fits the screen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from suffice.evaluate.comparison import Comparison
    from suffice.evaluate.leaderboard import Row
    from suffice.evaluate.metric import Metric

MOST_DIGITS, FEWEST_DIGITS = 4, 3


def show_leaderboard(console: Console, comparison: Comparison) -> None:
    """Print the models, best first, in the widest form there is room for."""
    sign = "±" if console.encoding.lower().startswith("utf") else "+-"  # replaced later, it would push columns aside
    forms = (
        _table(comparison, sign, MOST_DIGITS),
        _table(comparison, sign, FEWEST_DIGITS),
        _table(comparison, sign, FEWEST_DIGITS, with_zero=False),
    )
    whole = console.options.update(width=10 * console.width)
    fitting = (table for table in forms if table.__rich_measure__(console, whole).maximum <= console.width)
    console.print(next(fitting, forms[-1]))


def _table(comparison: Comparison, sign: str, digits: int, with_zero: bool = True) -> Table:
    from rich import box
    from rich.table import Table

    from suffice.evaluate.leaderboard import METRICS_OF, count_text, named

    metrics = METRICS_OF[comparison.task]

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    table.add_column("model", overflow="fold")
    for heading in (*(metric.heading for metric in metrics.values()), "seconds" if with_zero else "s", "parameters"):
        table.add_column(heading, justify="right", overflow="fold")
    scores = [_scores(comparison.rows, name, metric, sign, digits, with_zero) for name, metric in metrics.items()]
    for row, *texts in zip(comparison.rows, *scores, strict=True):
        style = "bold" if row.model == comparison.leader else None
        name = named(row) if sign == "±" else named(row).replace("≈", "~")
        table.add_row(name, *texts, f"{row.seconds:.2f}", count_text(row.parameters), style=style)
    return table


def _scores(rows: Sequence[Row], name: str, metric: Metric, sign: str, digits: int, with_zero: bool) -> Iterator[str]:
    """A metric's column: mean ± standard error."""
    decimals = metric.decimals((getattr(row, name) for row in rows), digits)
    for row in rows:
        score, error = getattr(row, name), getattr(row, f"{name}_error")
        spread = f"{error:,.{decimals}f}"
        text = f"{score:,.{decimals}f} {sign}{spread if with_zero else spread.removeprefix('0')}"
        yield ("–" if sign == "±" else "-") if math.isnan(score) else text
