"""DuckDB relations as tables: the query runs anew for every pass, and its types decide."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pytest

import suffice as sf
from suffice.errors import TableError
from suffice.schema import Coded, Values
from suffice.sources import open_reader, read_table


def values_of(column: Values | Coded) -> list[Any]:
    if isinstance(column, Values):
        return [None if number != number else number for number in column.data.tolist()]
    return [None if code < 0 else column.levels[code] for code in column.codes.tolist()]


def column_of(expression: str) -> Values | Coded:
    [chunk] = open_reader(duckdb.connect().sql(f"SELECT {expression} AS it")).chunks()
    return chunk.column("it")


@pytest.mark.parametrize(
    ("expression", "cells"),
    [
        ("1", [1.0]),
        ("1::UTINYINT", [1.0]),
        ("1::HUGEINT", [1.0]),
        ("1.25", [1.25]),
        ("'nan'::DOUBLE", [None]),
        ("NULL", [None]),
        ("'x'", ["x"]),
        ("true", [True]),
        ("DATE '1970-01-02'", [86_400.0]),
        ("TIMESTAMP '1970-01-01 01:00:00'", [3600.0]),
        ("TIMESTAMPTZ '1970-01-01 01:00:00+01'", [0.0]),
        ("TIME '00:01:00'", [60.0]),
    ],
)
def test_a_column_is_what_its_sql_type_says(expression: str, cells: list[Any]) -> None:
    assert values_of(column_of(expression)) == cells


def test_an_enumeration_declares_its_levels() -> None:
    column = column_of("'low'::ENUM ('low', 'middle', 'high')")
    assert isinstance(column, Coded)
    assert (column.levels, column.declared) == (("low", "middle", "high"), True)


@pytest.mark.parametrize("expression", ["[1, 2]", "{'street': 'x'}", "MAP {'a': 1}"])
def test_a_nested_column_is_an_error_that_names_it(expression: str) -> None:
    with pytest.raises(TableError, match=r"Column 'it' is nested .*Take it apart"):
        column_of(expression)


@pytest.mark.parametrize("expression", ["'x'::BLOB", "INTERVAL 1 DAY"])
def test_a_column_of_another_type_is_an_error_that_names_it(expression: str) -> None:
    with pytest.raises(TableError, match=r"Column 'it' is of a type that is not read here"):
        column_of(expression)


def test_columns_may_differ_in_case_only() -> None:
    reader = open_reader(duckdb.connect().sql('SELECT 1 AS age, 2 AS "AGE"'))
    [chunk] = reader.chunks()
    assert reader.names == ("age", "AGE")
    assert values_of(chunk.column("AGE")) == [2.0]


def test_rows_keep_their_order_however_many_come_at_a_time() -> None:
    reader = open_reader(duckdb.connect().sql("SELECT i FROM range(10_000) t(i) ORDER BY i DESC"))
    chunks = list(reader.chunks(1000))
    assert len(chunks) > 1
    assert [cell for chunk in chunks for cell in values_of(chunk.column("i"))] == list(range(9_999, -1, -1))


def test_a_relation_is_read_as_often_as_needed() -> None:
    reader = open_reader(duckdb.connect().sql("SELECT 1 AS a"))
    assert [chunk.rows for _ in range(3) for chunk in reader.chunks()] == [1, 1, 1]


def test_a_filtered_join_can_be_trained_on_without_a_copy() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE visits AS SELECT i, i % 10 AS n, i % 3 AS customer FROM range(3000) t(i)")
    connection.execute(
        "CREATE TABLE customers AS SELECT * FROM (VALUES (0, 'x'), (1, 'y'), (2, 'z')) t(customer, kind)"
    )
    relation = connection.sql("SELECT n, kind, n > 4 AS y FROM visits JOIN customers USING (customer) WHERE i >= 1000")
    model = sf.NaiveBayes().fit(relation, "y")
    assert model.classes_.tolist() == [False, True]
    assert model.statistic_.parts["classes"].weight.sum() == 2000
    assert model.score(relation, "y") > 0.9


def test_labels_may_stand_beside_a_relation() -> None:
    relation = duckdb.connect().sql("SELECT i::DOUBLE AS a FROM range(10) t(i) ORDER BY i")
    model = sf.NaiveBayes().fit(relation, np.arange(10) > 4)
    assert model.predict(relation).tolist() == [False] * 5 + [True] * 5


def test_labels_that_are_too_few_are_an_error_before_the_last_row_is_read() -> None:
    relation = duckdb.connect().sql("SELECT i AS a FROM range(10) t(i)")
    with pytest.raises(TableError, match=r"inconsistent numbers of samples: X has 10 rows or more, y has 7"):
        sf.NaiveBayes().fit(relation, np.arange(7) > 4)


def test_a_relation_without_rows_fits_nothing_and_says_so() -> None:
    with pytest.raises(TableError, match="the table has no rows"):
        read_table(duckdb.connect().sql("SELECT 1 AS a, 'p' AS y WHERE false"), "y")


def test_a_query_that_fails_while_it_runs_is_an_error() -> None:
    relation = duckdb.connect().sql("SELECT CAST(t.a AS INTEGER) AS a, 'p' AS y FROM (VALUES ('1'), ('x')) t(a)")
    with pytest.raises(TableError, match=r"The DuckDB relation cannot be read: .*Check its query"):
        read_table(relation, "y")


def test_a_connection_is_told_from_a_relation_of_it() -> None:
    with duckdb.connect() as connection, pytest.raises(TableError, match=r"Give a relation of it, connection\.sql"):
        sf.NaiveBayes().fit(connection, "y")
