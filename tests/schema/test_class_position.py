from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from suffice.errors import SettingError
from suffice.schema import Level, class_position, said_of_classes


@pytest.mark.parametrize(
    ("label", "classes", "expected"),
    [
        ("yes", ("no", "yes"), 1),
        (1, (0, 1), 1),
        ("1", (0, 1), 1),
        (1, ("0", "1"), 1),
        (1.0, ("0", "1"), 1),
        ("true", (False, True), 1),
        (np.int64(1), ("0", "1"), 1),
        (np.str_("1"), (0, 1), 1),
        (np.bool_(True), (False, True), 1),
    ],
)
def test_text_and_the_value_that_it_spells_are_one_class(label: Any, classes: tuple[Level, ...], expected: int) -> None:
    assert class_position(label, classes) == expected


@pytest.mark.parametrize("label", ["nope", 2, None, [1], ("no", "yes"), {}])
def test_anything_else_is_no_class(label: Any) -> None:
    with pytest.raises(SettingError, match=re.escape(f"There is no class {label!r}.")):
        class_position(label, ("no", "yes"))


def test_an_error_names_the_setting_the_nearest_class_and_of_many_classes_a_few() -> None:
    classes = tuple(f"class_{k:03}" for k in range(500))
    with pytest.raises(SettingError) as caught:
        class_position("clas_007", classes, "reference")
    message = str(caught.value)
    assert message.startswith("There is no class 'clas_007' for `reference`. Did you mean 'class_007'?")
    assert message.endswith("(500 in all).")
    assert len(message) < 500
    assert caught.value.message.worded(lambda setting: f"--{setting.name}").startswith(
        "There is no class 'clas_007' for --reference."
    )


def test_a_class_that_is_named_twice_is_an_error():
    with pytest.raises(SettingError, match=re.escape("`priors` names a class twice: 1, '1', 0.")):
        said_of_classes({1: 0.2, "1": 0.3, 0: 0.5}, (0, 1), "priors")
