"""What linear models measure: the model matrix, and the log-likelihood with its gradient and curvature."""
