"""Logistic regression: what is maximised, how it is climbed, and what the summit says."""
