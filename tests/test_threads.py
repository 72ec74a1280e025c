import numpy as np
from threadpoolctl import threadpool_info

from suffice.threads import one_blas_thread


def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_inside_the_block_blas_has_one_thread_and_afterwards_as_many_as_before():
    np.eye(2) @ np.eye(2)
    before = blas_threads()
    with one_blas_thread():
        assert set(blas_threads()) == {1}
    assert blas_threads() == before
