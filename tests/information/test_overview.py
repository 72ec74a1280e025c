import pandas as pd
import pytest

import suffice as sf
from suffice.errors import TableError


@pytest.mark.parametrize(("table", "size"), [({}, "0 rows, 0 columns"), ({"a": []}, "0 rows, 1 column")])
def test_a_table_of_nothing_has_an_overview(table, size):
    found = str(sf.overview(pd.DataFrame(table)))
    assert found.startswith(size)
    assert found.endswith("the table has no rows")


def test_columns_to_read_as_levels_are_named_as_elsewhere():
    table = pd.DataFrame({"size": [1, 2, 2], "age": [30, -9, 40]})
    assert "2 levels: 1, 2" in str(sf.overview(table, "size"))
    assert "1 (33 %)" in str(sf.overview(table, missing_values=-9))
    assert "2 levels: 1, 2" in str(sf.overview(table[["size"]].to_numpy(), [0]))
    with pytest.raises(TableError, match=r"no column \(named in `nominal`\) 'sise' .* Did you mean 'size'"):
        sf.overview(table, ["sise"])
