from __future__ import annotations

import pytest
from running import Start


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("suffice pre", ["predict"]),
        ("suffice compare play", ["play_tennis", "play_tennis_days"]),
        ("suffice train iris --model c", ["c45", "cart"]),
        ("suffice compare iris --rank-by a", ["accuracy", "auc"]),
    ],
)
def test_a_shell_is_offered_commands_tables_models_and_metrics(start: Start, words: str, offered: list[str]) -> None:
    place = str(len(words.split()) - 1)
    result = start(
        before="import sys\nsys.argv = ['suffice']",
        _SUFFICE_COMPLETE="complete_bash",
        COMP_WORDS=words,
        COMP_CWORD=place,
    )
    assert result.stdout.decode().split() == offered
