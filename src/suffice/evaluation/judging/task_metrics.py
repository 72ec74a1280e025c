"""The metrics of each task: of classes, and of numbers."""

from __future__ import annotations

from collections.abc import Mapping

from suffice.evaluation.judging.metric import Metric
from suffice.evaluation.judging.metrics import METRICS
from suffice.evaluation.judging.regression_metrics import REGRESSION_METRICS
from suffice.sources.targets.task import CLASSIFICATION, REGRESSION

METRICS_OF: dict[str, Mapping[str, Metric]] = {CLASSIFICATION: METRICS, REGRESSION: REGRESSION_METRICS}
