"""Estimation: how merged statistics become parameters; smoothing, shrinkage, priors arrive here."""
