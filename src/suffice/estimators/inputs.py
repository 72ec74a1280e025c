"""Arrays and rows from users: scikit-learn's strict rules for arrays, freedom for single rows."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import issparse

from suffice.errors import Formula, Message, TableError, did_you_mean
from suffice.estimators.feature_names import feature_names
from suffice.estimators.scikit import _check_feature_names, _check_n_features, check_array, column_or_1d
from suffice.schema import AnyArray, Batch, Schema
from suffice.settings import require_whole_or_none
from suffice.shown import quoted
from suffice.sources.engines.elsewhere import is_elsewhere, require_named
from suffice.sources.libraries import has_columns, is_pandas, is_relation, is_series, library_of
from suffice.sources.open import array_of_rows, no_table, open_reader
from suffice.sources.readers.frames.array import ArrayReader, bare_array, plain_cell
from suffice.sources.reading import Reading, named_column
from suffice.sources.source import is_source

TEXTS = "text"  # what the column of texts in a row is called


def is_strict(X: Any) -> bool:
    """Whether scikit-learn's rules on columns hold: for arrays and frames, not for files, relations and sources."""
    return not (isinstance(X, (str, os.PathLike)) or is_relation(X) or is_source(X) or is_elsewhere(X))


def scored_target(y: Any, X: Any) -> Any:
    """The target to score predictions with, as it is read; a source brings its own."""
    if y is None and not is_source(X):
        raise TableError(
            "score needs the target, but y is None. Give y as an array or as the name of the target column."
        )
    return named_column(y, X)


def training_input(X: Any, y: Any, sample_weight: Any, reading: Reading) -> tuple[Any, Reading]:
    """A table to train on and how to read it, checked before it is opened.

    An array is checked as scikit-learn does; texts in a row become a table of one column, read as text.
    """
    if is_elsewhere(X):  # nothing more is asked of it: it might begin to work
        require_named(named_column(y), sample_weight)
        return X, reading
    if getattr(X, "ndim", 2) == 1 and getattr(y, "ndim", 1) == 2 and y.shape[1] > 1:
        raise TableError("fit(X, y) takes the table first and the target second; here X has one column and y several.")
    named_column(y, X)
    table = texts_as_table(X)
    if table is not X and reading.reads_text:  # they are text, however few they are
        reading = replace(reading, text=(*reading.text, TEXTS))
    require_no_answer_within(table, y)
    return strict_array(table, is_sparse_read=reading.reads_text) if is_strict(table) else table, reading


def require_vocabulary(most: Any) -> None:
    """How many words a model reads: a whole number, or None for all."""
    require_whole_or_none("vocabulary", most, 1, " for every word")


def texts_as_table(X: Any) -> Any:
    """Texts in a row as a table of one column; anything else as it is."""
    if not are_texts(X):
        return X
    import pyarrow as pa

    cells = [plain_cell(cell) for cell in X]
    return pa.table({TEXTS: pa.array([None if cell is None else str(cell) for cell in cells], pa.string())})


def are_texts(X: Any) -> bool:
    """Whether a table is texts in a row, such as a list of messages."""
    if isinstance(X, (list, tuple)):
        return bool(X) and isinstance(X[0], str)
    return getattr(X, "ndim", 2) == 1 and len(X) > 0 and isinstance(next(iter(X)), str)


def strict_array(X: Any, fitted: Any = None, is_sparse_read: bool = False) -> Any:
    """An array checked as scikit-learn does; frames pass as they are.

    With a fitted estimator, its number and names of columns are checked too, and the names to read them by returned.
    """
    X = array_of_rows(X) if isinstance(X, (list, tuple)) else bare_array(X)
    if not (has_columns(X) or hasattr(X, "__array__") or issparse(X)):
        raise no_table(X)
    if issparse(X) and is_sparse_read:
        X = check_array(X, accept_sparse="csr", dtype="numeric", estimator=fitted)
        if fitted is None:
            return X
        _check_n_features(fitted, X, reset=False)
        return X, None
    if not (has_columns(X) or _needs_no_check(X)):
        X = check_array(X, dtype=None, ensure_all_finite=False, estimator=fitted, copy=False)
    if fitted is None:
        return X
    is_known = not has_columns(X) or (is_pandas(X) and all(isinstance(name, str) for name in X.columns))
    columns = X if is_known else _without_rows(X)
    _check_feature_names(fitted, columns, reset=False)
    _check_n_features(fitted, columns, reset=False)
    return X, feature_names(fitted)


def _without_rows(frame: Any) -> Any:
    """A frame's columns alone, for scikit-learn, which knows no lazy frames, Arrow batches, or names like 0."""
    import pyarrow as pa

    return pa.table({name: [] for name in open_reader(frame).names})


def _needs_no_check(X: Any) -> bool:
    """Whether a table is a plain matrix of numbers with rows and columns: a check would find nothing."""
    return type(X) is np.ndarray and is_numeric_matrix(X) and min(X.shape) > 0


def is_numeric_matrix(X: Any) -> bool:
    """Whether a table is a matrix of numbers, all of them in memory one by one."""
    return isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "fiub"


FEW_ROWS = 64


def few_numbers(X: Any, schema: Schema, own_names: tuple[str, ...] | None, target_name: str | None) -> Batch | None:
    """A few rows of an array or pandas frame that are nothing but the model's numbers, as a batch; None of any other.

    What is read here needs no warning and no error: everything else is left to those who say them. To answer for a row
    then takes no longer than the row deserves.
    """
    is_array = type(X) is np.ndarray
    if schema.nominal or schema.text or not schema.reads_any_numbers:
        return None
    if not (is_array or is_pandas(X)):  # others might begin to work if asked
        return None
    shape = X.shape
    if len(shape) != 2 or not 0 < shape[0] <= FEW_ROWS:
        return None
    if is_array:
        if own_names is not None or target_name is not None:
            return None
        numbers = X
    else:
        expected = own_names if target_name is None else schema.names
        if expected is None or shape[1] != len(expected) or X.columns.tolist() != list(expected):
            return None
        numbers = X.to_numpy()
    if numbers.dtype.kind not in "fiu" or shape[1] != len(schema.numeric):
        return None
    codes = np.empty((0, shape[0]), dtype=np.int32)
    return Batch(schema, np.ascontiguousarray(numbers, dtype=np.float64), codes, first_row=0)


def own_name(y: Any) -> str:
    """The name a series or a frame of one column has; nothing for anything else."""
    if has_columns(y):
        names = list(y.columns)
        return str(names[0]) if len(names) == 1 else ""
    name = getattr(y, "name", None)
    return "" if name is None or callable(name) else str(name)


def require_no_answer_within(X: Any, y: Any) -> None:
    """A target beside the table must not be a column of it too, or the model reads the answer."""
    name = getattr(y, "name", None)
    is_in_memory = has_columns(X) and hasattr(type(X), "to_numpy")
    if name is None or not is_in_memory or name not in list(X.columns):
        return
    if np.array_equal(np.asarray(X[name], dtype=object), np.asarray(y, dtype=object)):
        raise TableError(
            f"The target {name!r} is a column of the table too: the model would read the answer. Name it, as in "
            f"fit(table, {name!r}), or take the column out of the table."
        )


def array_of_labels(y: Any) -> AnyArray:
    """The target beside a table as an array, as its library makes one."""
    if is_series(y) and library_of(y) != "pyarrow":
        y = y.to_numpy()
    return np.asarray(bare_array(y))


def numeric_labels(y: Any) -> Any:
    """Labels as a one-dimensional array without missing values."""
    labels = array_of_labels(y)
    if labels.ndim != 1 or labels.dtype.kind not in "iub":
        labels = column_or_1d(labels, warn=True)
    if labels.dtype.kind == "f" and labels.size and not np.isfinite(labels).all():
        raise TableError("Input y contains NaN or infinity. Leave out the rows without a class.")
    if labels.dtype.kind == "O" and any(plain_cell(label) is None for label in labels.tolist()):
        raise TableError("Input y contains NaN or empty text. Leave out the rows without a class.")
    if labels.dtype.kind == "U" and not np.char.str_len(labels).all():
        raise TableError("Input y contains empty text, which is missing. Leave out the rows without a class.")
    if labels.dtype.kind == "c":
        raise TableError(Message(Formula("Unknown label type: "), "complex numbers are no classes."))
    return labels


def one_row(row: Any, expected: tuple[str, ...]) -> tuple[Any, tuple[str, ...] | None]:
    """A single row of the expected columns as a table, with the names to read it by."""
    if is_series(row) and hasattr(row, "to_dict"):
        row = row.to_dict()
    if isinstance(row, Mapping):
        row = {str(name): cell for name, cell in row.items()}
        if row and set(expected).isdisjoint(row):
            raise TableError(f"None of {quoted(row)} is a column; there are {quoted(expected)}.")
        _require_no_slip(row, expected)
        return _of_cells([row.get(name) for name in expected], expected)
    if has_columns(row):
        return row, None
    if isinstance(row, (Sequence, np.ndarray)) and not isinstance(row, str):
        array = np.asarray(bare_array(row), dtype=object)
        cells = array[0] if array.ndim == 2 else array
        if len(cells) != len(expected):
            raise TableError(f"The row has {len(cells)} values, the model {len(expected)} columns: {quoted(expected)}.")
        return _of_cells(list(cells), expected)
    raise TableError("A row is a mapping of column names to values, a sequence of values, or a table of one row.")


def _require_no_slip(row: Mapping[str, Any], expected: tuple[str, ...]) -> None:
    """A row may have more columns than the model reads, but none that looks like one it reads and the row has not."""
    lacking = [name for name in expected if name not in row]
    for name in row:
        hint = did_you_mean(name, lacking) if name not in expected else ""
        if hint:
            raise TableError(f"{name!r} is no column of the model.{hint} Leave it out if it is another column.")


def _of_cells(cells: list[Any], names: tuple[str, ...]) -> tuple[Any, tuple[str, ...]]:
    array = np.empty((1, len(cells)), dtype=object)
    array[0] = cells
    return ArrayReader(array, names), names
