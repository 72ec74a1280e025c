"""What every column of a table tells of the target, in bits: for feature selection, and to see what a tree sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from suffice.models.trees.candidate_split import CandidateSplit
from suffice.models.trees.conditions import comparison
from suffice.report.html import html_table
from suffice.report.text import text_table
from suffice.schema import AnyArray, Batch, Column, Nominal, Numeric
from suffice.schema.columns import number_text
from suffice.settings import require_one_of
from suffice.shown import ShownAsText, percent
from suffice.solve.trees.candidate_splits import candidate_splits
from suffice.solve.trees.learn import TreeSettings
from suffice.solve.trees.training_rows import TrainingRows, cells
from suffice.sources import Reading, gathered, read_table
from suffice.sources.readers.frames.column import column_table, is_column
from suffice.statistics.entropy import entropies
from suffice.statistics.moments.column_moments import require_no_infinity

RANKED_BY = ("gain", "gain_ratio")
HEADING = ["column", "gain", "gain ratio", "split information", "H(target | column)", "known", "split"]
EVERY_SPLIT = TreeSettings("information_gain", "multiway", "fractional", None)


@dataclass(frozen=True)
class Feature:
    """What one column tells of the target, in bits per row."""

    column: Column
    gain: float  # K/N·(H(Y) − H(Y | X)) over the K of N rows in which the column is known
    split_information: float  # H of the branches, with the unknown as one more
    conditional_entropy: float  # H(Y | X) where the column is known
    known: float  # the share of rows with a value
    threshold: float | None  # where a numeric column tells most

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.name

    @property
    def gain_ratio(self) -> float:
        """The gain per bit of the split itself, which keeps columns of many levels from winning."""
        return self.gain / self.split_information if self.split_information > 0 else 0.0

    @property
    def split(self) -> str:
        """How the column parts the rows."""
        if isinstance(self.column, Nominal):
            return f"{len(self.column.levels)} levels" if self.column.levels else ""
        if isinstance(self.column, Numeric) and self.threshold is not None:
            return comparison(self.column, self.threshold)
        return ""


@dataclass(frozen=True, repr=False)
class FeatureRanking(ShownAsText, Mapping[str, Feature]):
    """The columns of a table, the most telling first."""

    target: str
    entropy: float
    weight: float
    features: tuple[Feature, ...]

    @property
    def names(self) -> list[str]:
        """The columns, the most telling first."""
        return [feature.name for feature in self.features]

    @cached_property
    def _by_name(self) -> dict[str, Feature]:
        return {feature.name: feature for feature in self.features}

    def __getitem__(self, name: str) -> Feature:
        """What one column tells."""
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.features)

    @property
    def table(self) -> Any:
        """The ranking as a PyArrow table."""
        import pyarrow as pa

        return pa.Table.from_pylist(
            [
                {
                    "column": feature.name,
                    "gain": feature.gain,
                    "gain_ratio": feature.gain_ratio,
                    "split_information": feature.split_information,
                    "conditional_entropy": feature.conditional_entropy,
                    "known": feature.known,
                    "threshold": feature.threshold,
                }
                for feature in self.features
            ]
        )

    def rows(self) -> list[list[str]]:
        """The ranking as text cells."""
        return [
            [
                feature.name,
                f"{feature.gain:.4f}",
                f"{feature.gain_ratio:.4f}",
                f"{feature.split_information:.4f}",
                f"{feature.conditional_entropy:.4f}",
                percent(feature.known),
                feature.split,
            ]
            for feature in self.features
        ]

    def __str__(self) -> str:
        title = f"{self.target}: entropy {self.entropy:.4f} bits, {number_text(self.weight)} rows"
        return f"{title}\n\n{text_table(HEADING, self.rows())}"

    def _repr_html_(self) -> str:
        return html_table(HEADING, self.rows())


def rank_features(
    table: Any,
    target: Any,
    by: str = "gain",
    sample_weight: Any = None,
    nominal: Any = (),
    missing_values: Any = (),
    keep: Any = (),
    drop: Any = (),
) -> FeatureRanking:
    """What every column tells of the target's classes, the most telling first; `by` is "gain" or "gain_ratio".

    A numeric column is judged by its best threshold. Rows in which a column is missing count as C4.5 counts them: they
    tell nothing, and are one more branch of the split.

    >>> import suffice as sf
    >>> sf.rank_features(sf.datasets.load("play_tennis"), "PlayTennis").names
    ['Outlook', 'Humidity', 'Wind', 'Temperature']
    """
    require_one_of("by", by, RANKED_BY)
    reading = Reading.of(nominal, missing_values, keep, drop)
    source = read_table(table, target, sample_weight, reading)
    return ranking(gathered(source, by_column=True), by)


def ranking(batch: Batch, by: str = "gain") -> FeatureRanking:
    """The same for the rows of a batch."""
    require_no_infinity(batch)
    weight = batch.given_weights()
    rows = TrainingRows(batch, batch.class_codes().astype(np.float64), weight)
    found = [_feature(batch, work) for work in candidate_splits(rows, rows, EVERY_SPLIT.rule(rows), 0)[1]]
    ranked = sorted(found, key=lambda feature: -getattr(feature, by))
    return FeatureRanking(batch.schema.target.name, class_entropy(batch, slice(None)), rows.total_weight, tuple(ranked))


def _feature(batch: Batch, work: CandidateSplit) -> Feature:
    column = batch.schema.columns[work.column]
    is_known = ~np.isnan(cells(batch, work.column))
    known = float(batch.row_weights()[is_known].sum() / batch.row_weights().sum())
    has_split = not np.isnan(work.gain) and not np.isinf(work.threshold)
    gain = max(0.0, work.gain) if has_split else 0.0
    within = class_entropy(batch, is_known) - (gain / known if known else 0.0)
    return Feature(
        column,
        gain,
        work.split_information if has_split else 0.0,
        max(0.0, within),
        known,
        work.threshold if has_split and not isinstance(column, Nominal) else None,
    )


def class_entropy(batch: Batch, rows: AnyArray | slice) -> float:
    """H(Y) of some rows."""
    weight = np.bincount(batch.class_codes()[rows], batch.row_weights()[rows], batch.schema.class_count)
    return float(entropies(weight.astype(np.float64)))


def information_gain(table: Any, target: Any, sample_weight: Any = None, **reading: Any) -> Any:
    """K/N·(H(Y) − H(Y | X)), in bits: of every column of a table, largest first, or of one column.

    A numeric column is parted at the threshold that gains most. K of the N rows have a value.

    >>> import suffice as sf
    >>> tennis = sf.datasets.load("play_tennis")
    >>> {name: round(gain, 3) for name, gain in information_gain(tennis, "PlayTennis").items()}
    {'Outlook': 0.247, 'Humidity': 0.152, 'Wind': 0.048, 'Temperature': 0.029}
    >>> round(information_gain(tennis["Wind"], tennis["PlayTennis"]), 3)
    0.048
    """
    return _measured("gain", table, target, sample_weight, reading)


def gain_ratio(table: Any, target: Any, sample_weight: Any = None, **reading: Any) -> Any:
    """The information gain per bit of the split itself: of every column of a table, largest first, or of one column.

    >>> import suffice as sf
    >>> {name: round(ratio, 6) for name, ratio in gain_ratio(sf.datasets.load("play_tennis"), "PlayTennis").items()}
    {'Outlook': 0.156428, 'Humidity': 0.151836, 'Wind': 0.048849, 'Temperature': 0.018773}
    """
    return _measured("gain_ratio", table, target, sample_weight, reading)


def _measured(by: str, table: Any, target: Any, sample_weight: Any, reading: dict[str, Any]) -> Any:
    if not is_column(table):
        ranking = rank_features(table, target, by, sample_weight, **reading)
        return {feature.name: getattr(feature, by) for feature in ranking.features}
    column = column_table(table, "x")
    return getattr(rank_features(column, target, by, sample_weight, **{**reading, "keep": "x"})["x"], by)
