"""`suffice predict`: a model on new rows, streamed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from suffice.cli.data import Data
from suffice.cli.notes import noting
from suffice.cli.options import AsJsonLines, DataArgument, ModelFile, RowsFile
from suffice.cli.output_file import file_or_none, require_writable, rows_kind
from suffice.cli.predictor_file import predictor
from suffice.cli.progress_line import progress
from suffice.cli.screen import messages, show_notes
from suffice.errors import SettingError

if TYPE_CHECKING:
    from suffice.estimators import Predictor
    from suffice.schema import AnyArray, Array, Batch, Level


def predict(
    model: ModelFile,
    data: DataArgument,
    out: RowsFile = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add the probability of every class.")] = False,
    as_json: AsJsonLines = False,
) -> None:
    """Predict the class, or the number, of every row, in the order of the rows."""
    out = file_or_none(out)
    _require_other_file(out, data)
    with progress("predicting", is_shown=out is not None or not sys.stdout.isatty()), noting() as notes:
        from suffice.cli.row_writer import write_rows

        estimator = predictor(model)
        predictions = Predictions(estimator, Data(data).table(), proba)
        rows = write_rows(predictions.tables(), predictions.schema, out, as_json)
    show_notes(messages(), notes)
    if out is not None:
        messages().print(f"{rows:,} predictions written to {out}")


class Predictions:
    """The predictions for a table, a batch at a time: nothing is kept but the counts of unseen levels."""

    def __init__(self, estimator: Predictor, data: Any, with_probabilities: bool) -> None:
        import numpy as np
        import pyarrow as pa

        classes = estimator.schema_.classes
        if with_probabilities and not classes:
            raise SettingError("--proba adds the probabilities of classes; this model predicts a number. Leave it out.")
        if with_probabilities and not hasattr(estimator, "predict_proba"):
            raise SettingError(f"A {type(estimator).__name__} has no probabilities. Leave --proba out.")
        self._estimator = estimator
        self._table = estimator._table(data)
        self._classes = pa.array(of_one_type(classes)) if classes else None
        self._with_probabilities = with_probabilities
        fields = [("prediction", self._numbers(np.empty(0)).type if self._classes is None else self._classes.type)]
        if with_probabilities:
            fields += [(f"P({label})", pa.float64()) for label in classes]
        self.schema = pa.schema(fields)

    def tables(self) -> Iterator[Any]:
        """Arrow tables with the predictions, in the order of the rows."""
        import numpy as np

        unseen = np.zeros(len(self._table.schema.nominal), dtype=np.int64)
        for columns, counts in self._table.map(self._work):
            unseen += np.asarray(counts, dtype=np.int64)
            yield self._arrow(*columns)
        self._estimator._warn_of_unseen(self._table.schema, unseen)

    def _work(self, batch: Batch) -> tuple[list[AnyArray], tuple[int, ...]]:
        estimator: Any = self._estimator
        if self._classes is None:
            return [estimator.model_.predict(batch)], batch.unseen
        probabilities = [estimator.model_.posterior(batch)] if self._with_probabilities else []
        return [estimator._decide(batch), *probabilities], batch.unseen

    def _arrow(self, predicted: AnyArray, posterior: Array | None = None) -> Any:
        import pyarrow as pa

        columns = [self._numbers(predicted) if self._classes is None else self._classes.take(pa.array(predicted))]
        if posterior is not None:
            columns += [pa.array(column) for column in posterior.T]
        return pa.table(columns, schema=self.schema)

    def _numbers(self, predicted: Array) -> Any:
        """Predicted numbers; of times as times."""
        import pyarrow as pa

        from suffice.sample import arrow_numbers

        target: Any = self._estimator.schema_.target
        return arrow_numbers(predicted, replace(target, is_whole=False)) if target.time else pa.array(predicted)


def of_one_type(labels: tuple[Level, ...]) -> list[Any]:
    """Labels that an Arrow column can hold: as they are, or all as text where their types differ.

    >>> of_one_type((0, 1)), of_one_type((0, "many"))
    ([0, 1], ['0', 'many'])
    """
    return list(labels) if len({type(label) for label in labels}) == 1 else [str(label) for label in labels]


def _require_other_file(out: str | None, data: str) -> None:
    if out is None:
        return
    rows_kind(out)
    require_writable(out)
    if os.path.exists(out) and os.path.exists(data) and os.path.samefile(out, data):
        raise SettingError(f"--out {out} would overwrite the table itself. Give another name.")
