"""Kernel density likelihoods from the values of columns, with Silverman's bandwidth."""

from __future__ import annotations

import numpy as np

from suffice.models.likelihoods.kernel_density import KernelDensity, gathered
from suffice.solve.bandwidth import silverman_bandwidth
from suffice.statistics.moments.magnitudes import too_small
from suffice.statistics.tally import Tally
from suffice.statistics.value_counts import ValueCounts

LEAST_DEVIATION = 1e-290  # the numbers themselves lose digits not far below


def solve_kernel_density(counts: ValueCounts) -> KernelDensity:
    """A bandwidth per class; a class without known values takes the values of all classes."""
    columns = tuple(counts.tallies)
    tallies, widths, varies = [], [], []
    for name in columns:
        everything = Tally.empty()
        for tally in counts.tallies[name]:
            everything = everything.merge(tally)
        overall = everything.deviation or 1.0
        if overall < LEAST_DEVIATION:
            raise too_small(name)
        own = [tally if tally.total > 0 else everything for tally in counts.tallies[name]]
        bandwidths = [silverman_bandwidth(tally, overall) for tally in own]
        tallies.append(tuple(map(gathered, own, bandwidths)))
        widths.append(bandwidths)
        varies.append(len(everything.values) > 1)
    bandwidth = np.array(widths, dtype=np.float64).reshape(len(columns), -1).T
    return KernelDensity(counts.schema, columns, tuple(tallies), bandwidth, np.array(varies, dtype=bool))
