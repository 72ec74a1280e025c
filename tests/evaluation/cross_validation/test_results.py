import numpy as np

from suffice.evaluation.cross_validation.results import fold_scores
from suffice.evaluation.judging.metrics import METRICS


def test_the_metrics_of_a_fold_are_those_of_its_rows():
    random = np.random.default_rng(0)
    share = random.random((200, 3))
    posterior, truth = share / share.sum(axis=1, keepdims=True), random.integers(0, 3, 200).astype(np.int32)
    fold, weights = random.choice([0, 1, 3], 200).astype(np.int32), random.random(200)
    scores = fold_scores(METRICS, posterior, truth, weights, fold, 4)
    for name, metric in METRICS.items():
        own = [metric.of(posterior[fold == k], truth[fold == k], weights[fold == k]) for k in (0, 1, 3)]
        assert scores[name].tolist()[:2] + scores[name].tolist()[3:] == own
        assert np.isnan(scores[name][2])  # a fold without rows
