"""Explanations: the derivation of one prediction, factor by factor or test by test."""

from suffice.explain.factors import Explanation, explain
from suffice.explain.path import PathExplanation, Step, explain_path

__all__ = ["Explanation", "PathExplanation", "Step", "explain", "explain_path"]
