"""Logistic regression: the penalised likelihood, the ways to maximise it, and the inference at its maximum."""
