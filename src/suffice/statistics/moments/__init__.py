"""Moments: weights, means and centred sums of squares and products, which merge by Chan's rule."""
