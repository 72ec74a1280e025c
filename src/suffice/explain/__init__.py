"""Explanations: the derivation of one prediction, factor by factor, test by test, or term by term."""
