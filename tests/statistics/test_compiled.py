import numpy as np

from suffice.statistics.compiled import compiled, compiled_sum


def ratio(first: float, second: float) -> float:
    """A plain Python function."""
    return first / second


def total(values: np.ndarray) -> float:
    """A plain Python sum."""
    result = 0.0
    for value in values:
        result += value
    return result


def test_a_compiled_kernel_does_what_the_plain_function_does():
    values = np.random.default_rng(0).normal(size=1001)
    assert compiled(total)(values) == total(values)
    np.testing.assert_allclose(compiled_sum(total)(values), total(values), rtol=1e-12)


def test_division_by_zero_gives_infinity_as_in_numpy():
    assert compiled(ratio)(1.0, 0.0) == np.inf


def test_a_sum_in_another_order_still_sees_missing_and_infinite_values():
    assert np.isnan(compiled_sum(total)(np.array([1.0, np.nan, 2.0])))
    assert compiled_sum(total)(np.array([1.0, np.inf, 2.0])) == np.inf
