"""How good the models are: evaluation on held-out rows, cross-validation, and the comparison of all models."""

from suffice.evaluation.classification_evaluation import Evaluation
from suffice.evaluation.comparison import compare
from suffice.evaluation.comparison_result import Comparison
from suffice.evaluation.cross_validation import cross_validate
from suffice.evaluation.held_out import evaluate
from suffice.evaluation.learning_curve import learning_curve
from suffice.evaluation.learning_curve_result import LearningCurve
from suffice.evaluation.models import MODELS, REGRESSION_MODELS, make_model
from suffice.evaluation.regression_evaluation import RegressionEvaluation
from suffice.evaluation.results import CrossValidation, RegressionCrossValidation

__all__ = [
    "MODELS",
    "REGRESSION_MODELS",
    "Comparison",
    "CrossValidation",
    "Evaluation",
    "LearningCurve",
    "RegressionCrossValidation",
    "RegressionEvaluation",
    "compare",
    "cross_validate",
    "evaluate",
    "learning_curve",
    "make_model",
]
