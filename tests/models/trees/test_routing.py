import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.kernels.tree_routing import find_leaves
from suffice.models.trees.numbers import Numbers
from suffice.models.trees.routing import SEVERAL
from suffice.sources.known_schema import read_as

ABREAST = 16  # rows that the kernel sends down together


def table(rows, kinds, gaps):
    random = np.random.default_rng(7)
    columns = {
        "a": random.normal(size=rows),
        "b": random.integers(0, 5, rows).astype(float),
        "c": pd.Categorical.from_codes(random.integers(0, 4, rows), list("pqrs")),
    }
    frame = pd.DataFrame({name: columns[name] for name in kinds})
    for name in kinds:
        frame.loc[random.random(rows) < gaps, name] = np.nan
    signal = random.normal(size=rows) + (frame["a"].fillna(0.3) if "a" in kinds else 0)
    return frame.assign(y=np.where(signal > 0.2, "yes", "no"))


def slow_leaf(nodes, schema, batch, row):
    """The leaf of one row, read off the nodes; SEVERAL where a missing value takes every branch."""
    node = 0
    while nodes.branch_count[node]:
        name = schema.columns[nodes.column[node]].name
        if name in schema.numeric_position:
            value = batch.numeric[row, schema.numeric_position[name]]
            branch = nodes.missing_branch[node] if np.isnan(value) else int(value > nodes.threshold[node])
        else:
            code, subset = batch.codes[schema.nominal_position[name], row], nodes.subset[node]
            branch = code if subset < 0 else 1 - nodes.takes_first[subset + code]
            branch = nodes.missing_branch[node] if code < 0 else branch
        if branch < 0:
            return SEVERAL
        node = nodes.first_branch[node] + branch
    return node


@pytest.mark.parametrize("rows", [1, ABREAST - 1, ABREAST, 5 * ABREAST + 3])
@pytest.mark.parametrize("gaps", [0.0, 0.2])
@pytest.mark.parametrize("kinds", ["a", "ab", "abc", "c"])
@pytest.mark.parametrize("missing", ["fractional", "direction"])
def test_every_row_finds_the_leaf_that_the_nodes_lead_to(rows, gaps, kinds, missing):
    tree = sf.DecisionTreeClassifier(missing=missing, prune=None, min_leaf=1).fit(table(300, kinds, gaps), "y")
    model = tree.model_
    assert model.nodes.count > 1
    (batch,) = read_as(model.schema, table(rows, kinds, gaps).drop(columns="y")).batches()
    expected = [slow_leaf(model.nodes, model.schema, batch, row) for row in range(rows)]
    found = np.full(rows, 77, dtype=np.int32)
    several = find_leaves(model.routes, Numbers.of(batch.numeric), batch.codes, found)
    assert found.tolist() == expected
    assert several == expected.count(SEVERAL)


def test_a_tree_of_one_leaf_needs_no_columns_of_numbers():
    frame = pd.DataFrame({"c": pd.Categorical(["p", "q"] * 30), "y": ["yes", "yes", "yes", "no"] * 15})
    tree = sf.DecisionTreeClassifier(max_depth=0).fit(frame, "y")
    assert tree.predict(frame).tolist() == ["yes"] * 60
