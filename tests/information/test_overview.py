import pandas as pd
import pytest

import suffice as sf


@pytest.mark.parametrize(("table", "size"), [({}, "0 rows, 0 columns"), ({"a": []}, "0 rows, 1 column")])
def test_a_table_of_nothing_has_an_overview(table, size):
    found = str(sf.overview(pd.DataFrame(table)))
    assert found.startswith(size)
    assert found.endswith("the table has no rows")
