"""Whether values look Gaussian: Jarque and Bera's statistic of skewness and kurtosis."""

from __future__ import annotations

import cython
from cython.cimports.libc.math import NAN, sqrt
from cython.cimports.suffice.kernels.arrays import Numbers, OutNumbers, Places


def jarque_bera(values: Numbers, weight: Numbers, ends: Places, statistic: OutNumbers) -> None:
    """n/6·(S² + K²/4) of skewness S and excess kurtosis K for groups of values, which follow each other; else NaN."""
    if weight.shape[0] != values.shape[0] or ends.shape[0] != statistic.shape[0]:
        raise ValueError("values, weights, groups and statistic do not fit together")
    begin: cython.Py_ssize_t = 0
    with cython.nogil:
        for group in range(ends.shape[0]):
            end = ends[group]
            total: cython.double = 0.0
            mean: cython.double = 0.0
            second: cython.double = 0.0
            third: cython.double = 0.0
            fourth: cython.double = 0.0
            for i in range(begin, end):
                total += weight[i]
            for i in range(begin, end):
                mean += weight[i] / total * values[i]
            for i in range(begin, end):
                away = values[i] - mean
                moment = weight[i] / total * away * away
                second += moment
                third += moment * away
                fourth += moment * away * away
            statistic[group] = NAN
            if second * second > 0:
                skewness = third / (second * sqrt(second))
                kurtosis = fourth / (second * second) - 3.0
                statistic[group] = total / 6.0 * (skewness * skewness + kurtosis * kurtosis / 4.0)
            begin = end
