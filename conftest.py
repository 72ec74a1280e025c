"""Property tests try the same examples in every run, whatever a worker has imported before."""

from __future__ import annotations

from hypothesis.internal.conjecture import providers

# Hypothesis also draws numbers and words that stand in the modules imported so far, and these differ with the files
# that a worker happened to take first: a seed alone would not make two runs alike.
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants
