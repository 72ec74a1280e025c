"""Recentring: third and fourth moments around another centre than the mean."""

from __future__ import annotations

import numpy as np

from suffice.schema import Array


def recentred(weight: Array, shift: Array, products: Array, third: Array, fourth: Array) -> tuple[Array, Array]:
    """Shifted moments Σ w·u_j²·u_k and Σ w·u_j²·u_k², u = d + δ, from those of d = x − μ, whose sum vanishes.

    With S_jk = Σ w·d_j·d_k, T_jk = Σ w·d_j²·d_k, F_jk = Σ w·d_j²·d_k², of each of several matrices (matrix, j, k):
    T_jk + δ_k·S_jj + 2·δ_j·S_jk + w·δ_j²·δ_k, and
    F_jk + 2·δ_k·T_jk + 2·δ_j·T_kj + 4·δ_j·δ_k·S_jk + δ_k²·S_jj + δ_j²·S_kk + w·δ_j²·δ_k².

    A column alone is a matrix of one cell. Of the values 0 and 2 the sums are 2, 0 and 2 around 1; around 0:

    >>> around_one = np.array([2.0, 0.0, 2.0]).reshape(3, 1, 1, 1)
    >>> [part.item() for part in recentred(np.array([2.0]), np.ones((1, 1)), *around_one)]
    [8.0, 16.0]
    """
    whole, row, column = weight[:, None, None], shift[:, :, None], shift[:, None, :]
    squares = np.diagonal(products, axis1=1, axis2=2)
    down, across = squares[:, :, None], squares[:, None, :]
    moved_third = third + column * down + 2 * row * products + whole * row**2 * column
    moved_fourth = fourth + 2 * column * third + 2 * row * third.transpose(0, 2, 1) + 4 * row * column * products
    moved_fourth = moved_fourth + column**2 * down + row**2 * across + whole * row**2 * column**2
    return moved_third, moved_fourth
