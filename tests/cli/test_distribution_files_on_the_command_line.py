from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import Run

import suffice as sf


@pytest.fixture
def alarm(tmp_path: Path) -> Path:
    stated = {(True, True): 0.09, (True, False): 0.01, (False, True): 0.1, (False, False): 0.8}
    sf.JointDistribution.from_table(stated, ["theft", "alarm"]).save(tmp_path / "alarm.json")
    return tmp_path / "alarm.json"


def test_a_distribution_is_described(run: Run, alarm: Path) -> None:
    assert run("describe", alarm).stdout.strip() == str(sf.load(alarm))
    document = json.loads(run("describe", alarm, "--json").stdout)
    assert document["task"] == "distribution"
    assert document["columns"] == ["theft", "alarm"]
    assert "target" not in document


def test_rows_are_drawn_from_it(run: Run, alarm: Path) -> None:
    lines = run("sample", alarm, "-n", 5, "--seed", 1).stdout.splitlines()
    assert lines[0] == "theft,alarm"
    assert len(lines) == 6


def test_nothing_is_predicted_with_it(run: Run, alarm: Path) -> None:
    for command in (("predict", alarm, "play_tennis"), ("explain", alarm, "play_tennis")):
        result = run(*command)
        assert result.exit_code != 0
        assert "has no target to predict" in result.stderr
