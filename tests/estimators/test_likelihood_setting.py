"""Which likelihood each column gets."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

import suffice as sf
from suffice.errors import SettingError
from suffice.estimators.likelihood_setting import likelihood_kinds
from suffice.schema import LeftOut, Nominal, Numeric, Schema, Text

TABLE = Schema(
    (Numeric("visits"), Nominal("town", ("Bonn", "Köln", "Ulm")), Nominal("member", (False, True)), Text("note")),
    Nominal("class", ("a", "b")),
    (LeftOut("id", "it looks like an identifier"),),
)
BY_TYPE = {"visits": "binned_or_gaussian", "town": "categorical", "member": "categorical", "note": "words"}


def test_without_a_setting_the_type_of_a_column_decides() -> None:
    assert likelihood_kinds(None, TABLE) == BY_TYPE


@pytest.mark.parametrize(
    ("likelihoods", "changed"),
    [
        ("kde", {"visits": "kde"}),
        ("multinomial", {"note": "multinomial"}),
        ({"visits": "poisson", "member": "bernoulli"}, {"visits": "poisson", "member": "bernoulli"}),
        ({"id": "gaussian"}, {}),
    ],
)
def test_a_setting_changes_the_columns_that_it_fits(likelihoods: Any, changed: dict[str, str]) -> None:
    assert likelihood_kinds(likelihoods, TABLE) == BY_TYPE | changed


@pytest.mark.parametrize(
    ("likelihoods", "said"),
    [
        ("normal", "likelihood 'normal' for 'visits' is not known"),
        ({"id": "normal"}, "likelihood 'normal' for 'id' is not known"),
        ({"age": "gaussian"}, "likelihoods names 'age', which is no column"),
        ({"town": "gaussian"}, "'town' holds levels, so it cannot be gaussian; it can be categorical"),
        ({"note": "gaussian"}, "'note' holds text, so it cannot be gaussian"),
        ({"town": "bernoulli"}, "'town' has more than two levels"),
    ],
)
def test_a_setting_that_fits_no_column_is_an_error(likelihoods: Any, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        likelihood_kinds(likelihoods, TABLE)


def test_a_likelihood_for_a_column_that_is_left_out_does_no_harm() -> None:
    table = pa.table({"age": [20.0, 30.0, 40.0, 50.0], "size": [1.0, 1.5, 2.0, 2.5], "class": ["a", "a", "b", "b"]})
    model = sf.NaiveBayes(likelihoods={"age": "gaussian"}, drop="age").fit(table, "class")
    assert model.schema_.names == ("size",)
