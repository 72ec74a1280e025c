"""`suffice datasets`: the tables that are built in."""

from __future__ import annotations

from suffice.cli.json_document import print_json
from suffice.cli.options import AsJson
from suffice.cli.screen import report


def datasets(as_json: AsJson = False) -> None:
    """List the built-in tables, which stand for DATA by their names."""
    from suffice import datasets as built_in
    from suffice.report.text import text_table

    tables = {name: built_in.load(name) for name in built_in.NAMES}
    target = built_in.default_target
    if as_json:
        found = [
            {
                "name": name,
                "rows": table.num_rows,
                "columns": table.column_names,
                "target": target(name),
            }
            for name, table in tables.items()
        ]
        print_json({"tables": found})
        return
    rows = [[name, target(name), f"{table.num_rows:,}", str(table.num_columns)] for name, table in tables.items()]
    report().print(text_table(["table", "target", "rows", "columns"], rows, labels=2), soft_wrap=True)
