import pandas as pd
import pytest

import suffice as sf
from suffice.errors import TableError


@pytest.mark.parametrize(("table", "size"), [({}, "0 rows, 0 columns"), ({"a": []}, "0 rows, 1 column")])
def test_a_table_of_nothing_has_an_overview(table, size):
    found = str(sf.overview(pd.DataFrame(table)))
    assert found.startswith(size)
    assert found.endswith("the table has no rows")


def test_columns_to_read_as_levels_are_named_as_everywhere():
    table = pd.DataFrame({"zip": [10115, 20095], "sold": [1.5, 2.5]})
    assert [column.kind for column in sf.overview(table, nominal="zip").columns] == ["nominal", "numeric"]
    assert [column.kind for column in sf.overview(table.to_numpy(), nominal=[1]).columns] == ["numeric", "nominal"]
    with pytest.raises(TableError, match=r"named in `nominal`\) 'zap' in the table\. Did you mean 'zip'\?"):
        sf.overview(table, nominal=["zap"])


def test_a_single_further_spelling_of_missing_need_not_stand_in_a_list():
    assert sf.overview(pd.DataFrame({"x": ["1", "?", "2"]}), missing_values="?").columns[0].missing == 1
