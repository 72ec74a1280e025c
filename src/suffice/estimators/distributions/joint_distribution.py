"""The joint distribution of a table's columns: learned from records, or stated; asked as one writes mathematics."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

import numpy as np

from suffice.errors import ForgetError, MergeError
from suffice.estimators.distributions.edges import cut_records
from suffice.estimators.distributions.stated_distribution import stated
from suffice.estimators.fitted import Fitted
from suffice.estimators.saved import Saved
from suffice.estimators.schema_after_removal import remaining_record_schema
from suffice.estimators.scikit import BaseEstimator
from suffice.models.generative import Drawn
from suffice.models.independence import Independence, independence
from suffice.models.intervals import drawn_rows
from suffice.models.joint_table import JointTable
from suffice.report.bars import DistributionPicture
from suffice.report.distribution import ConditionalTable, conditional_table, joint_html, joint_text, most_probable_part
from suffice.report.distribution_picture import joint_picture
from suffice.sample import as_frame, record_table, require_draws
from suffice.schema import EVERY_RECORD
from suffice.soundness import require_a, require_same
from suffice.sources import Reading, column_names, dropped_columns, extended, read_as, spellings
from suffice.statistics.joint_counts import JointCounts, MeasureJointCounts
from suffice.statistics.statistic import aligned, merged, taken_out

MANY_ROWS = 1 << 19  # counted at a time: fewer tables to merge


class MostProbable(NamedTuple):
    """The most probable values of some variables, and how probable they are."""

    values: dict[str, Any]
    probability: float


class JointDistribution(Fitted, Saved, BaseEstimator):  # type: ignore[misc]
    """P(row) = matching records / records, and every question that follows from it.

    Numeric columns are cut at `edges`: {"hours": [40.5]} gives the intervals ≤ 40.5 and > 40.5, and a whole number as
    many intervals of about equally many rows. A column of at most 20 different numbers needs none. A missing value is
    a value of its own, None.

    >>> import suffice as sf
    >>> p = sf.JointDistribution().fit(sf.datasets.load("play_tennis").select(["Wind", "PlayTennis"]))
    >>> p
    Wind    PlayTennis         P
    ------  ----------  --------
    Strong  No          0.214286
    Strong  Yes         0.214286
    Weak    No          0.142857
    Weak    Yes         0.428571
    >>> p.probability({"PlayTennis": "Yes"}, given={"Wind": "Weak"})
    0.75
    """

    model_: JointTable
    statistic_: JointCounts | None
    frame_kind_: str

    def __init__(
        self,
        edges: Any = None,
        nominal: Any = None,
        missing_values: Any = None,
        keep: Any = None,
        drop: Any = None,
    ) -> None:
        self.edges = edges
        self.nominal = nominal
        self.missing_values = missing_values
        self.keep = keep
        self.drop = drop

    # Learning ---------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Count the records of a table: an array, a data frame, the path or glob of files, a DuckDB relation, a source.

        `sample_weight` is an array or the name of a column. `y` is not used. The target of a source is not counted,
        and its numbers are cut, however few there are.
        """
        reading = Reading.of(self.nominal, self.missing_values, self.keep, self.drop)
        source, cuts = cut_records(X, sample_weight, reading, self.edges)
        self.frame_kind_ = source.frame_kind
        return self._accept(source.in_slices(MANY_ROWS).measure(MeasureJointCounts(cuts)))

    @classmethod
    def from_table(cls, table: Any, names: Sequence[str] | None = None, probability: str = "probability") -> Self:
        """A stated distribution: {(value, …): probability} with the variables' names, or a table with a column of them.

        >>> import suffice as sf
        >>> stated = {(True, True): 0.09, (True, False): 0.01, (False, True): 0.1, (False, False): 0.8}
        >>> p = sf.JointDistribution.from_table(stated, ["theft", "alarm"])
        >>> round(p.probability({"theft": True}, given={"alarm": True}), 4)
        0.4737
        """
        distribution = cls()
        distribution.frame_kind_ = "pyarrow"
        distribution.statistic_ = None
        distribution.model_ = stated(table, names, probability)
        return distribution

    def update(self, X: Any, sample_weight: Any = None) -> Self:
        """Count more records."""
        return self._accept(merged(self._counts(), self._counted_alike(X, sample_weight)))

    def forget(self, X: Any, sample_weight: Any = None) -> Self:
        """Take records out, exactly; records that were never counted are an error, and change nothing."""
        left = taken_out(self._counts(), self._counted_alike(X, sample_weight))
        if not len(left.cells):
            raise ForgetError(
                "Without these records none would be left. Fit a new distribution instead; this one is unchanged."
            )
        return self._accept(aligned(left, remaining_record_schema(left)))

    def merge(self, other: JointDistribution) -> Self:
        """Count the records of another distribution, too."""
        return self._accept(merged(self._counts(), other._counts()))

    def _counted_alike(self, X: Any, sample_weight: Any) -> JointCounts:
        """The counts of other records, read and cut as those before."""
        counts = self._counts()
        reading = Reading(missing_values=spellings(self.missing_values), drop=dropped_columns(counts.schema))
        records = extended(read_as(counts.schema, X, None, sample_weight, reading, adds=True))
        edges = {column.name: cuts for column, cuts in zip(counts.schema.numeric, counts.cuts, strict=True)}
        cuts = tuple(edges.get(column.name, np.empty(0)) for column in records.schema.numeric)
        return records.measure(MeasureJointCounts(cuts))

    def _counts(self) -> JointCounts:
        self._fitted()
        if self.statistic_ is None:
            raise MergeError("This distribution was stated, not counted: there are no records to add to or take from.")
        return self.statistic_

    def _accept(self, counts: JointCounts) -> Self:
        weight = counts.table[:, 0]
        total = float(weight.sum())
        self.model_ = JointTable(counts.schema, counts.cuts, counts.cells, weight / total, total)
        self.statistic_ = counts
        return self

    # Asking -----------------------------------------------------------------------------------------------------

    @property
    def table_(self) -> JointTable:
        """P of every combination that occurs."""
        return self._fitted()

    @property
    def variables_(self) -> tuple[str, ...]:
        """The names of the variables."""
        return self.table_.schema.names

    def probability(self, event: Mapping[str, Any], given: Mapping[str, Any] | None = None) -> float:
        """P(event), or P(event | given). A value may be several, of which one holds: {"Outlook": ["Sunny", "Rain"]}.

        >>> import suffice as sf
        >>> p = sf.JointDistribution().fit(sf.datasets.load("play_tennis"))
        >>> round(p.probability({"Outlook": ["Sunny", "Overcast"], "PlayTennis": "Yes"}), 4)
        0.4286
        """
        return self.table_.probability_of(event, given)

    def marginal(self, names: str | Sequence[str]) -> JointDistribution:
        """The distribution of some of the variables, whatever the others are."""
        return self._with_table(self.table_.over(column_names(names)))

    def given(self, event: Mapping[str, Any]) -> JointDistribution:
        """The distribution of the other variables where an event holds."""
        return self._with_table(self.table_.given(event))

    def conditional(self, name: str, given: str | Sequence[str]) -> ConditionalTable:
        """P(name | given), a row for every combination of the given variables.

        >>> import suffice as sf
        >>> p = sf.JointDistribution().fit(sf.datasets.load("play_tennis"))
        >>> p.conditional("PlayTennis", given=["Wind"])
        P(PlayTennis | Wind)
        <BLANKLINE>
        Wind      No   Yes
        ------  ----  ----
        Strong   0.5   0.5
        Weak    0.25  0.75
        """
        return conditional_table(self.table_, name, column_names(given))

    def independent(self, first: str, second: str, given: Any = (), level: float = 0.05) -> Independence:
        """Whether two variables are independent, given others: exact if stated, else a G-test at a level.

        The answer is true or false, and prints how it was found.
        """
        return independence(self.table_, first, second, column_names(given), level)

    def entropy(self, names: Any = None, given: Any = ()) -> float:
        """H(names | given), in bits; of all variables by default."""
        chosen = self.variables_ if names is None else column_names(names)
        return self.table_.entropy(chosen, column_names(given))

    def mutual_information(self, first: Any, second: Any, given: Any = ()) -> float:
        """I(first; second | given), in bits."""
        return self.table_.mutual_information(column_names(first), column_names(second), column_names(given))

    def most_probable(self, given: Mapping[str, Any] | None = None, names: Any = None) -> MostProbable:
        """The most probable values of the variables (or of some), together; the first of equals."""
        table = self.table_.given(given) if given else self.table_
        table = table if names is None else table.over(column_names(names))
        best = int(np.argmax(table.probability))
        values = map(table.value, table.schema.columns, table.cells[best].tolist())
        return MostProbable(dict(zip(table.schema.names, values, strict=True)), float(table.probability[best]))

    def sample(self, n: int, random_state: Any = None) -> Any:
        """New records, in the kind of frame it was learned from; a number is drawn within its interval."""
        table = self.table_
        random = require_draws(n, random_state)
        chosen = table.cells[random.choice(len(table.cells), n, p=table.probability / table.probability.sum())]
        drawn = Drawn(*drawn_rows(table.schema, table.cuts, chosen, random), np.zeros(n, dtype=np.int32))
        return as_frame(record_table(table.schema, drawn), self.frame_kind_)

    def _with_table(self, table: JointTable) -> JointDistribution:
        other = copy.copy(self)
        other.model_ = table
        other.statistic_ = None
        return other

    # Reading ----------------------------------------------------------------------------------------------------

    def describe(self, full: bool = False) -> str:
        """The distribution as text; of many combinations the most probable, unless `full`."""
        return joint_text(self.table_, full)

    def plot(self) -> DistributionPicture:
        """A bar for every combination, as SVG; of many the 40 most probable. `marginal` and `given` choose what.

        >>> import suffice as sf
        >>> p = sf.JointDistribution().fit(sf.datasets.load("play_tennis"))
        >>> p.marginal("Outlook").plot()
        DistributionPicture: a notebook shows it, save('distribution.svg') writes it.
        """
        return joint_picture(*most_probable_part(self.table_))

    def __str__(self) -> str:
        return joint_text(self.model_) if hasattr(self, "model_") else super().__repr__()

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """The table in a notebook."""
        if not hasattr(self, "model_"):
            html: str = super()._repr_html_inner()
            return html
        return joint_html(self.model_)

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    # Files ------------------------------------------------------------------------------------------------------

    def _content(self) -> dict[str, Any]:
        """The counts, or what was stated."""
        table = self.table_
        return {"model": table} if self.statistic_ is None else {"statistic": self.statistic_}

    def _state(self) -> dict[str, Any]:
        return {"frame_kind": self.frame_kind_}

    @classmethod
    def _restored(cls, content: Mapping[str, Any]) -> Self:
        """The distribution that a file holds; a learned one follows from its counts."""
        distribution = cls(**content["settings"])
        state = content["state"]
        require_a("state", state, Mapping)
        require_a("kind of frame", state["frame_kind"], str)
        distribution.frame_kind_ = state["frame_kind"]
        if "statistic" in content:
            require_a("joint counts", content["statistic"], JointCounts)
            distribution._accept(content["statistic"])
        else:
            require_a("joint table", content["model"], JointTable)
            distribution.model_ = content["model"]
            distribution.statistic_ = None
        require_same("classes of records", distribution.schema_.target, EVERY_RECORD)
        return distribution
