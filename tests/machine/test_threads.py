import threading

import numpy as np
import pytest
import scipy.linalg.blas  # its library counts too  # noqa: F401
from threadpoolctl import threadpool_info

import suffice as sf
from suffice.machine import threads
from suffice.machine.threads import (
    LITTLE,
    in_threads,
    one_blas_thread,
    over_hands,
    over_items,
    over_parts,
    processors,
    spread,
)


def blas_threads():
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_inside_the_block_blas_has_one_thread_and_afterwards_as_many_as_before():
    np.eye(2) @ np.eye(2)
    before = blas_threads()
    with one_blas_thread():
        assert set(blas_threads()) == {1}
    assert blas_threads() == before


def test_every_part_and_every_item_is_worked_on_once():
    for count in (0, 1, 2, 7, 1000):
        seen = np.zeros(count, dtype=np.int64)

        def part(begin, end, seen=seen):
            seen[begin:end] += 1

        def item(i, seen=seen):
            seen[i] += 1

        over_parts(part, count)
        over_items(item, count)
        over_parts(part, count, least=300)
        over_items(item, count, least=300)
        over_hands(item, np.arange(count))
        over_hands(item, np.arange(count), least=300)
        assert (seen == 6).all()


def test_an_error_in_a_thread_is_raised_in_the_caller():
    def fail(*_):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        over_parts(fail, 10)
    with pytest.raises(ValueError, match="no"):
        over_items(fail, 10)
    with pytest.raises(ValueError, match="no"):
        over_hands(fail, np.arange(10))


def test_results_come_in_order():
    assert list(in_threads(lambda i: i * i, range(50))) == [i * i for i in range(50)]


def test_blocks_of_several_threads_overlap_and_the_last_gives_the_threads_back():
    before = blas_threads()
    first, second = one_blas_thread(), one_blas_thread()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert set(blas_threads()) == {1}
    second.__exit__(None, None, None)
    assert blas_threads() == before


def test_little_work_is_done_in_the_thread_that_asks_and_much_in_others() -> None:
    def where(_: int) -> str:
        return threading.current_thread().name

    here = threading.current_thread().name
    assert set(spread(where, range(4), LITTLE)) == {here}
    if processors() > 1:
        assert here not in set(spread(where, range(4), LITTLE + 1))


def test_with_few_numbers_blas_is_not_looked_for():
    random = np.random.default_rng(0)
    x = random.random((60, 3))
    threads._blas.cache_clear()
    for model in (sf.LDA(), sf.LogisticRegression(), sf.cart()):
        model.fit(x, x[:, 0] > x[:, 1])
    assert threads._blas.cache_info().currsize == 0
    sf.LDA().fit(random.random((5_000, 3)), np.arange(5_000) % 2)
    assert threads._blas.cache_info().currsize == 1
