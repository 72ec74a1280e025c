from dataclasses import replace

import numpy as np
import pytest
from slow_design import cells_of, random_design, random_rows, schema_of, slow_names, slow_rows

from suffice.statistics.linear.design import CodedTerm, Design
from suffice.statistics.linear.design_rows import design_rows

every_degree = pytest.mark.parametrize("degree", [1, 2])
every_schema = pytest.mark.parametrize(
    "schema",
    [schema_of(), schema_of(3, ()), schema_of(0, (2, 3, 1)), schema_of(1, (4,)), schema_of(0, ())],
    ids=["mixed", "numbers", "levels", "one of each", "nothing"],
)


def whole_design(schema, degree):
    return random_design(schema, degree, unused=0.0)


@every_degree
@every_schema
@pytest.mark.parametrize("unused", [0.0, 0.4])
def test_rows_are_those_of_the_matrix_written_out_in_full(schema, degree, unused):
    design, batch = random_design(schema, degree, unused, seed=3), random_rows(schema, 70)
    np.testing.assert_allclose(design_rows(design, batch).toarray(), slow_rows(design, batch), rtol=1e-12, atol=1e-12)


def test_no_rows_are_a_matrix_without_rows():
    design = random_design(schema_of(), 2)
    assert design_rows(design, random_rows(schema_of(), 0)).shape == (0, design.dimensions)


def test_a_matrix_by_column_gives_the_same_rows():
    schema = schema_of(3)
    design, batch = random_design(schema, 2), random_rows(schema, 70)
    by_column = replace(batch, numeric=np.asfortranarray(batch.numeric))
    np.testing.assert_array_equal(design_rows(design, by_column).toarray(), design_rows(design, batch).toarray())


@every_degree
@every_schema
def test_dimensions_are_named_as_a_reader_would(schema, degree):
    design = random_design(schema, degree, 0.4)
    assert list(design.names) == slow_names(design)
    assert len(design.names) == design.dimensions == int(design.is_used.sum())


def test_the_names_of_a_design_of_degree_two():
    design = whole_design(schema_of(2, (2,)), 2)
    design = Design(design.schema, design.mean, design.centre, np.ones(2), np.array([False, True]), 2, design.is_used)
    design = replace(design, is_used=np.ones(design.cell_count, bool))
    assert design.names == (
        "intercept",
        "x0",
        "x1",
        "x1 missing",
        "x0²",
        "x1²",
        "x0 × x1",
        "x0 × x1 missing",
        "n0 missing",
        "n0=a",
        "n0=b",
        "x0 × n0 missing",
        "x0 × n0=a",
        "x0 × n0=b",
        "x1 × n0 missing",
        "x1 × n0=a",
        "x1 × n0=b",
        "x1 missing × n0 missing",
        "x1 missing × n0=a",
        "x1 missing × n0=b",
    )


@every_degree
def test_every_dimension_knows_the_columns_it_is_made_of(degree):
    design = random_design(schema_of(3, (3, 2)), degree, 0.3)
    for name, columns in zip(design.names, design.columns_of, strict=True):
        parts = [part.removesuffix("²").removesuffix(" missing").split("=")[0] for part in name.split(" × ")]
        assert list(columns) == [part for part in parts if part != "intercept"]


def test_levels_of_columns_count_one_more_for_a_missing_value():
    design = whole_design(schema_of(1, (3, 2)), 2)
    assert design.cells_of(CodedTerm(0, -1, 0)) == 4
    assert design.cells_of(CodedTerm(0, 1, 0)) == 12
    assert design.starts[-1] == design.cell_count


def test_places_lead_from_cells_to_dimensions_and_back():
    design = random_design(schema_of(), 2, 0.5)
    np.testing.assert_array_equal(design.places[design.used], np.arange(design.dimensions))
    assert (design.places[~design.is_used] == -1).all()


def test_a_missing_number_is_put_at_the_centre_and_has_an_indicator():
    centre = np.array([5.0])
    design = Design(schema_of(1, ()), centre, centre, np.array([2.0]), np.array([True]), 1, np.ones(3, bool))
    batch = random_rows(schema_of(1, ()), 2, gaps=0.0)
    batch.numeric[:, 0] = [9.0, np.nan]
    assert design_rows(design, batch).toarray().tolist() == [[1.0, 2.0, 0.0], [1.0, 0.0, 1.0]]
    assert cells_of(design, [9.0], []) == {"intercept": 1.0, "x0": 2.0, "x0 missing": 0.0}


@pytest.mark.parametrize(
    "changes",
    [
        {"degree": 3},
        {"degree": 0},
        {"centre": np.zeros(3)},
        {"scale": np.zeros(1)},
        {"scale": np.ones((2, 1))},
        {"has_missing": np.zeros(1, bool)},
        {"is_used": np.ones(3, bool)},
        {"is_used": np.zeros(11, bool)},
        {"is_used": np.ones(11)},
        {"mean": np.array([0.0, np.nan])},
        {"scale": np.array([1, 1])},
        {"scale": np.array([1.0, -1.0])},
    ],
    ids=str,
)
def test_a_design_that_does_not_fit_its_columns_is_refused(changes):
    schema = schema_of(2, (3, 2))
    design = Design(schema, np.zeros(2), np.zeros(2), np.ones(2), np.zeros(2, bool), 1, np.ones(10, bool))
    design.require_sound()
    with pytest.raises(ValueError, match=r"the degree is|are not \(\d+,\)|are not finite"):
        replace(design, **changes).require_sound()
