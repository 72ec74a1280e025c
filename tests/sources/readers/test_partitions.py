"""Partitions: what stands in the names of folders, as numbers and dates where all of them are spelled so."""

from __future__ import annotations

import pytest

from suffice.sources.readers.partitions import Partitions


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["2024", "-3"], "int64"),
        (["2024", "__HIVE_DEFAULT_PARTITION__"], "int64"),
        (["0.5", "12.25"], "double"),
        (["2024-01-31", "2024-02-29"], "date32[day]"),
        (["2024-04-31"], "string"),
        (["01", "12"], "string"),
        (["9" * 30], "string"),
        (["a", "1"], "string"),
        ([""], "string"),
        (["__HIVE_DEFAULT_PARTITION__"], "string"),
    ],
)
def test_a_partition_is_of_the_type_that_all_its_folders_spell(cells: list[str], kind: str) -> None:
    found = Partitions.of("d", [f"d/k={cell}/t.parquet" for cell in cells])
    assert str(found.types["k"]) == kind
    for cell in cells:
        column = found.column(f"d/k={cell}/t.parquet", "k", 3)
        assert (len(column), str(column.type)) == (3, kind)
        assert column.null_count == (3 if cell.startswith("__") else 0)


def test_a_file_beside_the_partitions_lacks_their_values() -> None:
    found = Partitions.of("d", ["d/k=1/t.parquet", "d/t.parquet"])
    assert found.column("d/t.parquet", "k", 2).to_pylist() == [None, None]
    assert Partitions.of("d", ["d/t.parquet"]).names == ()
