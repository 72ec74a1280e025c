"""The comparison of models: the leaderboard as text, picture and frame, and the models fitted on all rows."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from suffice.errors import SufficeWarning
from suffice.estimators import Predictor, contract
from suffice.evaluation.comparison.leaderboard import Row, as_html, board_text, legend, recommended
from suffice.evaluation.comparison.leaks import SuspectedLeak
from suffice.evaluation.cross_validation.results import Result
from suffice.evaluation.judging.task_metrics import METRICS_OF
from suffice.report.html import html_text
from suffice.sample import as_frame
from suffice.shown import ShownAsText
from suffice.sources import Rows
from suffice.sources.targets.task import CLASSIFICATION


@dataclass(frozen=True)
class Given:
    """The table that was given, to be read again."""

    table: Any
    target: Any
    sample_weight: Any = None
    reader: Predictor | None = None  # who reads it for models of other libraries

    def opened(self, model: Predictor) -> Rows:
        """The table as a model reads it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SufficeWarning)  # they were said when it was read first
            return contract.training_table(model, self.table, self.target, self.sample_weight)


@dataclass(frozen=True, repr=False)
class Comparison(ShownAsText):
    """The leaderboard, best first, and every model fitted on all rows."""

    rows: tuple[Row, ...]
    fitted: Mapping[str, Any]
    skipped: Mapping[str, str]  # model -> why it did not take part
    folds: int
    rank_by: str = "accuracy"
    frame_kind: str = "pyarrow"
    task: str = CLASSIFICATION
    remarks: tuple[str, ...] = ()  # on the columns
    results: Mapping[str, Result] = field(default_factory=dict)  # of every model
    given: Given | None = None
    leaks: tuple[SuspectedLeak, ...] = ()
    test_rows: int = 0  # of the test table that the models were judged on; without one, folds
    warnings: tuple[str, ...] = ()  # what was warned of while the table was read and the models were tried
    random_state: int = 0

    @property
    def leader(self) -> str:
        """The name of the best model: the first of the leaderboard that is more than a baseline.

        Of models within noise of it, the most useful is taken: with probabilities, and the lowest log loss.
        """
        return recommended(self.rows).model

    @property
    def best(self) -> Any:
        """The best model, fitted on all rows."""
        return self.fitted[self.leader]

    @property
    def own(self) -> dict[str, Predictor]:
        """The fitted models of suffice, which have more to tell than those of other libraries."""
        return {name: model for name, model in self.fitted.items() if isinstance(model, Predictor)}

    @property
    def table(self) -> Any:
        """The leaderboard as a data frame of the kind that was given, else PyArrow."""
        import pyarrow as pa

        return as_frame(pa.Table.from_pylist([row.cells() for row in self.rows]), self.frame_kind)

    @property
    def title(self) -> str:
        """How the models were judged."""
        best = METRICS_OF[self.task][self.rank_by].heading
        if self.test_rows:
            return f"{self.test_rows:,} rows of a test table, score ± standard error, best {best} first"
        return f"{self.folds}-fold cross-validation, mean ± standard error, best {best} first"

    def leaderboard(self, width: int | None = None) -> str:
        """The leaderboard as text; with fewer digits where a width of the screen leaves no room for all."""
        return board_text(self.rows, METRICS_OF[self.task], width)

    @property
    def notes(self) -> list[str]:
        """Which columns may give the answer away; what the marks mean; who did not take part, and why."""
        reasons = dict.fromkeys(self.skipped.values())
        of_reason = {why: ", ".join(name for name, own in self.skipped.items() if own == why) for why in reasons}
        absent = [f"{names} did not take part: {why}" for why, names in of_reason.items()]
        return [
            *(leak.note for leak in self.leaks),
            *legend(self.rows, self.rank_by, self.test_rows > 0),
            *absent,
            *self.remarks,
        ]

    def report(self, path: str | os.PathLike[str], title: str = "") -> None:
        """Write the comparison as one HTML file that needs nothing else: to read, to print, to send on.

        It shows the table, the leaderboard, how the best model was judged and what every model has learned, and a panel
        that computes the models' predictions for any row in the page itself.

        >>> import suffice as sf
        >>> sf.compare(sf.datasets.load("iris"), "species", models=["lda"]).report("iris.html")  # doctest: +SKIP
        """
        from suffice.evaluation.page import write_page

        write_page(self, path, title)

    def __str__(self) -> str:
        """The leaderboard as text."""
        return "\n".join([self.title, "", self.leaderboard(), *self.notes])

    def _repr_html_(self) -> str:
        """The leaderboard for notebooks."""
        board = as_html(self.rows, METRICS_OF[self.task])
        return board + "".join(f"<p>{html_text(line)}</p>" for line in (self.title, *self.notes))
