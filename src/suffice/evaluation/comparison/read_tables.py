"""The table of a comparison in every reading, each once: models that read columns alike share it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace

from suffice.errors import NoColumnError, TableError, UnreadTextWarning, unsaid
from suffice.evaluation.comparison.comparison_result import Given
from suffice.evaluation.cross_validation.contestant import Contestant
from suffice.evaluation.models import EVERY_BASELINE, LINEAR
from suffice.progress import doing
from suffice.sources import Reading, Rows


@dataclass(frozen=True)
class ReadTables:
    """The table in every reading, and the models for which it has no column, with the reason."""

    opened: Mapping[Reading, Rows]
    without_column: Mapping[str, str]

    @property
    def frame_kind(self) -> str:
        """The kind of frame that was given."""
        return next(iter(self.opened.values())).frame_kind

    def of(self, name: str, contestant: Contestant) -> Rows:
        """The table as a model reads it; most baselines look at no column, whoever reads them."""
        if name not in EVERY_BASELINE:
            return self.opened[contestant.reading]
        any_of_them = next(iter(self.opened.values()))
        if name == LINEAR:
            return any_of_them
        return any_of_them.with_schema(any_of_them.schema.with_columns(()))


def read_for(models: Mapping[str, Contestant], given: Given, is_asked_for: bool) -> ReadTables:
    """The table that was given, as these models read it; those that read text may find that there is none."""
    opened, skipped = dict[Reading, Rows](), dict[str, str]()
    for name in sorted(models, key=lambda name: not models[name].reading.reads_text):
        model, reading = models[name], models[name].reading
        if reading in opened or (name in EVERY_BASELINE and not EVERY_BASELINE.issuperset(models)):
            continue
        if (alike := _of_the_same_columns(reading, opened)) is not None:
            opened[reading] = alike
            continue
        try:
            some_read_text = any(other.reads_text for other in opened)  # then a remark says what the others leave out
            with doing("reading the table"), unsaid(UnreadTextWarning) if some_read_text else nullcontext():
                opened[reading] = model.opened(given.table, given.target, given.sample_weight).read_once()
        except NoColumnError as error:
            if is_asked_for or reading.reads_text:
                raise
            skipped[name] = error.reason
    if not opened:
        raise no_model(skipped)
    return ReadTables(opened, skipped)


def no_model(skipped: Mapping[str, str]) -> TableError:
    """What to raise where every model is left out."""
    return TableError(f"No model could take part: {'; '.join(dict.fromkeys(skipped.values()))}.")


def _of_the_same_columns(reading: Reading, opened: Mapping[Reading, Rows]) -> Rows | None:
    """The table as a model has read it that looked for text and found none: it need not be read again."""
    found = opened.get(replace(reading, reads_text=True))
    return None if found is None or found.schema.text else found
