import numpy as np
import pytest

from suffice.evaluation.metrics import METRICS
from suffice.evaluation.one_pass import _scores, all_but_one


@pytest.mark.parametrize("count", [2, 3, 5])
def test_all_but_one_leaves_exactly_one_out(count):
    class Names(frozenset):
        def merge(self, other):
            assert not self & other
            return Names(self | other)

    parts = [Names({k}) for k in range(count)]
    for k, rest in enumerate(all_but_one(parts)):
        assert rest == frozenset(range(count)) - {k}


def test_the_metrics_of_a_fold_are_those_of_its_rows():
    random = np.random.default_rng(0)
    share = random.random((200, 3))
    posterior, truth = share / share.sum(axis=1, keepdims=True), random.integers(0, 3, 200).astype(np.int32)
    fold, weights = random.choice([0, 1, 3], 200).astype(np.int32), random.random(200)
    scores = _scores(posterior, truth, fold, weights, 4)
    for name, metric in METRICS.items():
        own = [metric.of(posterior[fold == k], truth[fold == k], weights[fold == k]) for k in (0, 1, 3)]
        assert scores[name].tolist()[:2] + scores[name].tolist()[3:] == own
        assert np.isnan(scores[name][2])  # a fold without rows
