import numpy as np
import pytest

from suffice.statistics.moments.patterns import rows_by_pattern


def slow_patterns(is_missing):
    groups = {}
    for row, pattern in enumerate(is_missing.tolist()):
        groups.setdefault(tuple(pattern), []).append(row)
    return groups


@pytest.mark.parametrize("columns", [0, 1, 7, 8, 9, 64, 65, 200])
@pytest.mark.parametrize("rows", [0, 1, 300])
@pytest.mark.parametrize("gaps", [0.0, 0.02, 0.5])
def test_rows_are_grouped_by_the_cells_they_lack(columns, rows, gaps):
    is_missing = np.random.default_rng(columns).random((rows, columns)) < gaps
    found = {tuple(pattern.tolist()): chosen.tolist() for pattern, chosen in rows_by_pattern(is_missing)}
    assert found == slow_patterns(is_missing)
