"""What kernels take from C's mathematics, as Python sees it: NumPy's, which gives inf and nan where Python raises."""

from __future__ import annotations

from numpy import exp, fabs, isfinite, isnan, log, log1p, log2, sqrt
from numpy import inf as INFINITY
from numpy import nan as NAN
from numpy import power as pow

__all__ = ["INFINITY", "NAN", "exp", "fabs", "isfinite", "isnan", "log", "log1p", "log2", "pow", "sqrt"]
