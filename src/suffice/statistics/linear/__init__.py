"""Statistics of linear models: the model matrix, and the log-likelihood with its gradient and Hessian."""
