import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from suffice.schema.adjacent import concatenated

WHOLE = np.arange(20, dtype=np.int32)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=5))
def test_any_slices_are_put_in_one_array(bounds):
    parts = [WHOLE[low:high] for low, high in bounds]
    np.testing.assert_array_equal(concatenated(parts), np.concatenate(parts))


@pytest.mark.parametrize(
    "parts",
    [
        [WHOLE[::2], WHOLE[1::2]],
        [WHOLE[10:], WHOLE[:10]],
        [WHOLE[:5].view(np.float32), WHOLE[5:].view(np.float32)],
        [WHOLE.reshape(4, 5)[0], WHOLE.reshape(4, 5)[1]],
        [np.frombuffer(b"12345678", dtype=np.int32), WHOLE[:3]],
        [WHOLE[:3].copy(), WHOLE[3:].copy()],
        [WHOLE.reshape(10, 2)],
        [WHOLE.reshape(10, 2)[:4], WHOLE.reshape(10, 2)[4:]],
        [pickle.loads(pickle.dumps(np.ones((3, 2)), protocol=5))],
    ],
    ids=["strides", "order", "type", "rows", "buffers", "copies", "table", "tables", "pickled table"],
)
def test_whatever_they_are_parts_of(parts):
    np.testing.assert_array_equal(concatenated(parts), np.concatenate(parts))


def test_parts_that_follow_one_another_are_not_copied():
    found = concatenated([WHOLE[2:5], WHOLE[5:6], WHOLE[6:11]])
    assert found.base is WHOLE
    assert found.tolist() == list(range(2, 11))
