"""Rows with their target and weights: columns of the table, or arrays beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from suffice.schema import RawColumn
from suffice.sources.engines.elsewhere import require_named
from suffice.sources.engines.local import Local
from suffice.sources.engines.raw_rows import RawRows
from suffice.sources.readers.frames.array import bare_array
from suffice.sources.reading import Reading, require_columns
from suffice.sources.targets.labels import Labels
from suffice.sources.targets.target import coded_target, numeric_target
from suffice.sources.targets.weights import require_weights


def labelled(rows: RawRows, target: Any, weights: Any, reading: Reading) -> tuple[RawRows, Labels]:
    """Target and weights: columns are taken from every chunk, arrays stand beside the rows of this machine."""
    labels = Labels(
        target if isinstance(target, str) else None,
        weights if isinstance(weights, str) else None,
        reading.missing_values,
        reading.numeric_target,
        reading.drop,
        rows.is_text,
    )
    require_columns("target", [target], rows.names)
    require_columns("column of weights", [weights], rows.names)
    if target is not None and labels.target is None:
        target = numeric_target(target) if reading.numeric_target else coded_target(target)
    return with_arrays(rows, None if labels.target else target, None if labels.weights else weights), labels


def with_arrays(rows: RawRows, target: RawColumn | None, weights: Any) -> RawRows:
    """The same rows with a target and weights beside them, where they are given."""
    if not isinstance(rows, Local):
        require_named(target, weights)
        return rows
    if weights is not None:
        weights = np.asarray(bare_array(weights))
        weights = require_weights(np.full(rows.rows, weights) if weights.ndim == 0 and rows.rows else weights)
    return replace(rows, target=target, weights=weights)
