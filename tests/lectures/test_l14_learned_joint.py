"""L14, deck 003: a joint distribution learned from records."""

from __future__ import annotations

from pathlib import Path

import pytest

import suffice as sf

ADULT = Path(__file__).parents[3] / "shared" / "data" / "adult.csv.gz"
CELLS = """\
Female  ≤ 40.5          <=50K   0.253122
Female  ≤ 40.5          >50K   0.0245895
Female  > 40.5          <=50K  0.0421768
Female  > 40.5          >50K   0.0116293
Male    ≤ 40.5          <=50K   0.331313
Male    ≤ 40.5          >50K   0.0971295
Male    > 40.5          <=50K   0.134106
Male    > 40.5          >50K    0.105933"""


def test_p_of_a_row_is_matching_records_out_of_all() -> None:
    tennis = sf.datasets.load("play_tennis")
    p = sf.JointDistribution().fit(tennis)
    assert p.probability({"Outlook": "Sunny", "PlayTennis": "No"}) == pytest.approx(3 / 14)
    assert p.probability({"PlayTennis": "Yes"}, given={"Outlook": "Overcast"}) == 1.0
    assert p.marginal("Wind").probability({"Wind": "Weak"}) == pytest.approx(8 / 14)


@pytest.mark.skipif(not ADULT.exists(), reason="the shared data sets are not here")
def test_the_eight_cells_of_adult() -> None:
    import pandas as pd

    columns = [name for name in pd.read_csv(ADULT, nrows=1).columns if name.replace("-", "_") in WANTED]
    adult = pd.read_csv(ADULT, usecols=columns)[columns]
    p = sf.JointDistribution(edges={columns[1]: [40.5]}).fit(adult)
    cells = [line.split() for line in str(p).splitlines()[2:]]
    assert cells == [line.split() for line in CELLS.splitlines()]
    female, long, rich = {columns[0]: "Female"}, {columns[1]: "> 40.5"}, {columns[2]: ">50K"}
    bayes = p.probability(female, given=rich) * p.probability(rich) / p.probability(female)
    assert p.probability(rich, given=female) == pytest.approx(bayes)
    assert not p.independent(columns[0], columns[2])
    assert p.probability(rich, given=long) > p.probability(rich)


WANTED = ("sex", "hours_per_week", "income")
