"""How good the models are: cross-validation in one pass where that can be, and the comparison of all of them."""

from suffice.evaluate.comparison import Comparison, compare
from suffice.evaluate.cross_validation import cross_validate
from suffice.evaluate.models import MODELS, REGRESSION_MODELS, make_model
from suffice.evaluate.results import CrossValidation, RegressionCrossValidation

__all__ = [
    "MODELS",
    "REGRESSION_MODELS",
    "Comparison",
    "CrossValidation",
    "RegressionCrossValidation",
    "compare",
    "cross_validate",
    "make_model",
]
