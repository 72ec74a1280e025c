"""What the setting `likelihoods` of naive Bayes says: the likelihood of each column, and how it is read for that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from suffice.errors import Message, Setting, SettingError
from suffice.models.likelihoods import bag_of_words
from suffice.schema import Schema
from suffice.sources import Reading
from suffice.sources.reading import column_name

CHOSEN = "binned_or_gaussian"  # unless something else is said
KERNELS = ("kde", "binned_or_kde")
OF_LEVELS = ("categorical", "bernoulli")
OF_NUMBERS = ("gaussian", "poisson", "kde", "binned_or_gaussian", "binned_or_kde")
OF_TEXT = bag_of_words.KINDS
ALL_KINDS = tuple(dict.fromkeys((*OF_LEVELS, *OF_NUMBERS, *OF_TEXT)))
OF_TEXT_ONLY = tuple(kind for kind in OF_TEXT if kind not in OF_LEVELS)


def reading_for(likelihoods: Any, reading: Reading) -> Reading:
    """A reading in which columns are of the type that their likelihoods need."""
    by_name = likelihoods if isinstance(likelihoods, Mapping) else {}
    levels, maybe, texts = (
        tuple(column for column, kind in by_name.items() if kind in kinds)
        for kinds in (("categorical",), ("bernoulli",), OF_TEXT_ONLY)
    )
    return replace(
        reading,
        nominal=(*reading.nominal, *levels),
        all_nominal=likelihoods in OF_LEVELS,
        text=(*reading.text, *texts),
        levels_or_text=maybe,
    )


def likelihood_kinds(likelihoods: Any, schema: Schema) -> dict[str, str]:
    """The likelihood of every column of a table: that of its type, unless the setting says another.

    >>> from suffice.schema import Nominal, Numeric
    >>> table = Schema((Numeric("visits"), Nominal("town", ("Bonn", "Ulm"))), Nominal("class", ("a", "b")))
    >>> likelihood_kinds({"visits": "poisson"}, table)
    {'visits': 'poisson', 'town': 'categorical'}
    """
    kinds = {column.name: CHOSEN for column in schema.numeric}
    kinds |= {column.name: "categorical" for column in schema.nominal}
    kinds |= {column.name: bag_of_words.WORDS for column in schema.text}
    if likelihoods is None or isinstance(likelihoods, Mapping):
        kinds |= _by_name(likelihoods or {}, schema, kinds)
    else:
        kinds |= _for_all(likelihoods, schema)
    for name, kind in kinds.items():
        if kind == "bernoulli" and name in schema.nominal_position:
            _require_two_levels(schema, name)
    return kinds


def of_kind(kinds: Mapping[str, str], *wanted: str) -> tuple[str, ...]:
    """The columns that have one of the likelihoods that are wanted."""
    return tuple(name for name, kind in kinds.items() if kind in wanted)


def _for_all(kind: Any, schema: Schema) -> dict[str, str]:
    """One likelihood for all columns that can have it."""
    if kind in OF_TEXT_ONLY and not schema.text:
        raise SettingError(
            Message(
                f"{kind} is a likelihood of text, and no column is read as text. Name columns in ",
                Setting("text"),
                "; a matrix of counts is read as text where it is sparse: scipy.sparse.csr_array(matrix).",
            )
        )
    for name in schema.names:
        _require_known(kind, name)
    return {name: kind for name in schema.names if kind in _fitting(schema, name)}


def _by_name(chosen: Mapping[Any, Any], schema: Schema, used: Mapping[str, str]) -> dict[str, str]:
    """Likelihoods of some columns, which must fit them; columns that are left out need none."""
    known = {*schema.names, *(left_out.name for left_out in schema.left_out)}
    kinds: dict[str, str] = {}
    for column, kind in chosen.items():
        name = column_name(column, known)
        _require_known(kind, name)
        if name not in known:
            raise SettingError(f"likelihoods names {name!r}, which is no column of the table.")
        if name not in used:
            continue
        if kind not in _fitting(schema, name):
            holds, can = ("text", ", ".join(OF_TEXT)) if name in schema.text_position else ("levels", "categorical")
            raise SettingError(f"Column {name!r} holds {holds}, so it cannot be {kind}; it can be {can}.")
        kinds[name] = kind
    return kinds


def _require_known(kind: Any, name: str) -> None:
    if kind not in ALL_KINDS:
        raise SettingError(f"likelihood {kind!r} for {name!r} is not known; there are {', '.join(ALL_KINDS)}.")


def _require_two_levels(schema: Schema, name: str) -> None:
    if len(schema.nominal[schema.nominal_position[name]].levels) > 2:
        raise SettingError(f"Column {name!r} has more than two levels; Bernoulli has two. Use categorical.")


def _fitting(schema: Schema, name: str) -> tuple[str, ...]:
    """The likelihoods that a column can have."""
    if name in schema.text_position:
        return OF_TEXT
    return OF_LEVELS if name in schema.nominal_position else OF_NUMBERS
