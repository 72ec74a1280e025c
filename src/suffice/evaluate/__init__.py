"""How good the models are: cross-validation in one pass, and the comparison of all of them."""

from suffice.evaluate.comparison import Comparison, compare
from suffice.evaluate.cross_validation import CrossValidation, cross_validate
from suffice.evaluate.models import MODELS, make_model

__all__ = ["MODELS", "Comparison", "CrossValidation", "compare", "cross_validate", "make_model"]
