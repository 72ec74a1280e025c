"""Pictures: the rows, the class densities and the decision boundaries of models over two numeric columns."""

from suffice.plot.picture import plot_boundary

__all__ = ["plot_boundary"]
