"""How good the models are: `sf.evaluate(model, table, target)` judges one on rows it has not seen.

Here are also cross-validation, in one pass where that can be, and the comparison of all models. Python puts this
package where `sf.evaluate` looks, so that the package can be called: that is calling the function.
"""

import sys
from types import ModuleType
from typing import Any

from suffice.evaluate.comparison import Comparison, compare
from suffice.evaluate.cross_validation import cross_validate
from suffice.evaluate.evaluating import evaluate
from suffice.evaluate.evaluation import Evaluation
from suffice.evaluate.learning_curve import LearningCurve, learning_curve
from suffice.evaluate.models import MODELS, REGRESSION_MODELS, make_model
from suffice.evaluate.regression_evaluation import RegressionEvaluation
from suffice.evaluate.results import CrossValidation, RegressionCrossValidation

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


class _Callable(ModuleType):
    __wrapped__ = staticmethod(evaluate)  # whose signature it has

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return evaluate(*arguments, **named)


sys.modules[__name__].__class__ = _Callable
