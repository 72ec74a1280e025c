"""Pictures: rows, class densities and decision boundaries over two columns; and convergence of logistic regressions."""

from suffice.plot.climb import plot_climb
from suffice.plot.picture import plot_boundary

__all__ = ["plot_boundary", "plot_climb"]
