from __future__ import annotations

import json

from running import Run

import suffice as sf


def test_the_built_in_tables_are_listed_with_their_targets(run: Run) -> None:
    lines = run("datasets").stdout.splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(sf.datasets.NAMES)
    tables = json.loads(run("datasets", "--json").stdout)["tables"]
    for table in tables:
        rows = sf.datasets.load(table["name"])
        assert table["columns"] == rows.column_names
        assert table["rows"] == rows.num_rows
        assert table["target"] in table["columns"]
