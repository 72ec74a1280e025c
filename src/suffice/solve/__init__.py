"""How merged statistics become parameters: smoothing, shrinkage, priors arrive here."""
