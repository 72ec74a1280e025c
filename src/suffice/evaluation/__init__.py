"""How good the models are: evaluation on held-out rows, cross-validation, and the comparison of all models."""

from suffice.evaluation.comparison.comparison import compare
from suffice.evaluation.comparison.comparison_result import Comparison
from suffice.evaluation.cross_validation.cross_validation import cross_validate
from suffice.evaluation.cross_validation.results import CrossValidation, RegressionCrossValidation
from suffice.evaluation.judging.classification_evaluation import Evaluation
from suffice.evaluation.judging.held_out import evaluate
from suffice.evaluation.judging.regression_evaluation import RegressionEvaluation
from suffice.evaluation.learning_curves.learning_curve import learning_curve
from suffice.evaluation.learning_curves.learning_curve_result import LearningCurve
from suffice.evaluation.models import MODELS, REGRESSION_MODELS, make_model

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
