import numpy as np
import pandas as pd
import pytest

import suffice as sf
from suffice.models.side_by_side import SideBySide
from suffice.sources.known_schema import read_as

ROWS, PARTS = 240, 3


def frame(gaps):
    random = np.random.default_rng(5)
    found = pd.DataFrame(
        {
            "x": random.normal(size=ROWS),
            "flat_at_first": np.where(np.arange(ROWS) < ROWS // PARTS, 1.5, random.normal(size=ROWS)),
            "empty": np.full(ROWS, np.nan),
            "wind": pd.Categorical.from_codes(random.integers(0, 3, ROWS), ["calm", "fresh", "storm"]),
            "y": random.choice(["a", "b", "c"], ROWS),
        }
    )
    found.loc[random.random(ROWS) < gaps, "x"] = np.nan
    found.loc[random.random(ROWS) < gaps, "wind"] = np.nan
    return found


def models_of_parts(table, **settings):
    """The schema of all rows, and one model for every third of them."""
    size = ROWS // PARTS
    whole = sf.NaiveBayes(**settings).fit(table, "y")
    parts = [sf.NaiveBayes(**settings).fit(table[i * size : (i + 1) * size], "y").model_ for i in range(PARTS)]
    return whole.model_.schema, parts


@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("left_out", [[], ["wind"], ["x", "flat_at_first", "empty"]])
def test_every_row_is_scored_by_the_model_chosen_for_it(gaps, left_out):
    table = frame(gaps).drop(columns=left_out)
    schema, models = models_of_parts(table)
    (batch,) = read_as(schema, table, "y").batches()
    chosen = np.random.default_rng(0).integers(0, PARTS, ROWS).astype(np.int32)
    together = SideBySide.of(models)
    assert together is not None
    every = np.array([model.log_joint(batch) for model in models])
    np.testing.assert_allclose(together.log_joint(batch, chosen), every[chosen, np.arange(ROWS)], rtol=1e-13)


@pytest.mark.parametrize("kind", ["kde", "poisson"])
def test_other_likelihoods_are_not_put_side_by_side(kind):
    table = frame(0.0).assign(x=np.arange(ROWS) % 5.0)
    assert SideBySide.of(models_of_parts(table, likelihoods={"x": kind})[1]) is None


def test_other_models_are_not_put_side_by_side():
    table = frame(0.0)[["x", "y"]]
    assert SideBySide.of([sf.LDA().fit(table, "y").model_]) is None
