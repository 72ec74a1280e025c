"""C4.5rules: paths that drop conditions without getting worse, rules in order, and a default for the rest."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import suffice as sf
from mixed_rows import mixed_rows
from suffice.errors import SettingError
from suffice.kernels.tree_pessimism import added_errors
from suffice.models.trees.rules import path_rules
from suffice.solve.trees.pruning.pessimistic_errors import quantile
from suffice.solve.trees.rules.c45rules import Evidence, simplified_rules, simplify
from suffice.sources import gathered

TENNIS = sf.datasets.load("play_tennis")
IRIS = sf.datasets.load("iris")


def table(seed, rows=120, gaps=0.0):
    random = np.random.default_rng(seed)
    frame = mixed_rows(random, rows, gaps, noise=0.5)
    frame["weight"] = random.integers(1, 4, rows).astype(float)
    return frame


def grown(make, frame, target, weight=None):
    """A tree and the rows it was grown from."""
    model = make(prune=None).fit(frame, target, sample_weight=weight)
    return model, model._rows(gathered(model._table(frame, target, weight)))


def cells_of(rows):
    """The columns as conditions read them: the same for every condition."""
    return Evidence(rows, 0.25, 0.0).cells


def covers(parts, rows, cells):
    is_covered = np.ones(rows.count, dtype=bool)
    for part in parts:
        is_covered &= part.holds(cells[part.column.name])
    return is_covered


def rate_and_weight(parts, label, rows, cells):
    """The pessimistic rate of errors, and the weight of the rows that are covered."""
    weight = rows.weight if len(rows.weight) else np.ones(rows.count)
    is_covered = covers(parts, rows, cells)
    covered, errors = weight[is_covered].sum(), weight[is_covered & (rows.outcome != label)].sum()
    if covered <= 0:
        return 1.0, 0.0
    return (errors + added_errors(covered, errors, 0.25, quantile(0.25))) / covered, covered


def simplified_step_by_step(parts, label, rows, cells):
    """The same search, every drop counted from the rows."""
    parts, rate = list(parts), rate_and_weight(parts, label, rows, cells)[0]
    while parts:
        shorter = [parts[:i] + parts[i + 1 :] for i in range(len(parts))]
        found = [rate_and_weight(rest, label, rows, cells) for rest in shorter]
        best = min(range(len(shorter)), key=lambda i: (found[i][0], -found[i][1]))
        if found[best][0] > rate:
            break
        parts, rate = shorter[best], found[best][0]
    return parts


# How they read ------------------------------------------------------------------------------------------------------


def test_the_tennis_tree_as_shorter_rules():
    model, rows = grown(sf.id3, TENNIS, "PlayTennis")
    assert str(simplified_rules(model.model_, rows)).splitlines() == [
        "IF Outlook = Sunny AND Humidity = High THEN No  (3.0 rows, 100 %)",
        "IF Outlook = Rain AND Wind = Strong THEN No  (2.0 rows, 100 %)",
        "IF Outlook = Overcast THEN Yes  (4.0 rows, 100 %)",
        "IF Humidity = Normal THEN Yes  (7.0 rows, 86 %)",
        "IF Outlook = Rain AND Wind = Weak THEN Yes  (3.0 rows, 100 %)",
        "OTHERWISE Yes",
    ]


def test_an_interval_can_lose_one_of_its_bounds():
    model, rows = grown(sf.c45, IRIS, "species")
    paths, rules = path_rules(model.model_), simplified_rules(model.model_, rows)
    assert len(rules) < len(paths)
    assert sum(len(rule.conditions) for rule in rules) < sum(len(rule.conditions) for rule in paths)
    assert np.count_nonzero(rules.answers(rows.batch) != rows.outcome) <= 5


def test_numbers_cannot_be_simplified():
    hours = sf.datasets.load("hours_played")
    with pytest.raises(SettingError, match="Only rules of classes can be simplified"):
        sf.DecisionTreeRegressor().fit(hours, "Hours Played").rules(hours, "Hours Played")


@pytest.mark.parametrize("confidence", [0.0, 0.6, "much"])
def test_a_confidence_that_cannot_be_is_an_error(confidence):
    model, rows = grown(sf.id3, TENNIS, "PlayTennis")
    with pytest.raises(SettingError, match="confidence"):
        simplified_rules(model.model_, rows, confidence)


# Dropping conditions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("make", [sf.id3, sf.c45, sf.cart])
@pytest.mark.parametrize("weight", [None, "weight"])
def test_simplifying_never_raises_the_pessimistic_rate_and_counts_what_it_covers(make, seed, gaps, weight):
    frame = table(seed, gaps=gaps)
    frame = frame if weight else frame.drop(columns="weight")
    model, rows = grown(make, frame, "y", weight)
    evidence, cells = Evidence(rows, 0.25, quantile(0.25)), cells_of(rows)
    for rule in path_rules(model.model_):
        label = model.model_.schema.classes.index(rule.answer)
        parts = [part for condition in rule.conditions for part in condition.parts()]
        found = simplify(parts, evidence.is_class(label), evidence)
        assert found.rate <= rate_and_weight(parts, label, rows, cells)[0] + 1e-12
        assert found.rate == pytest.approx(rate_and_weight(found.parts, label, rows, cells)[0])
        np.testing.assert_array_equal(found.rows, np.flatnonzero(covers(found.parts, rows, cells)))
        assert found.covered == pytest.approx(evidence.weight[found.rows].sum())
        assert list(found.parts) == simplified_step_by_step(parts, label, rows, cells)


# The whole list -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("gaps", [0.0, 0.3])
@pytest.mark.parametrize("make", [sf.id3, sf.c45, sf.cart])
def test_the_list_is_shorter_than_the_paths_without_twins_and_better_than_guessing(make, seed, gaps):
    model, rows = grown(make, table(seed, gaps=gaps).drop(columns="weight"), "y")
    paths, rules = path_rules(model.model_), simplified_rules(model.model_, rows)
    assert 0 < len(rules) <= len(paths)
    assert len({(frozenset(rule.conditions), rule.answer) for rule in rules}) == len(rules)
    assert all(rule.conditions for rule in rules)
    right = np.mean(rules.answers(rows.batch) == rows.outcome)
    assert right > np.bincount(rows.outcome.astype(int)).max() / rows.count + 0.1


@pytest.mark.parametrize("seed", range(4))
def test_the_rules_of_a_class_stand_together_the_fewest_false_positives_first(seed):
    model, rows = grown(sf.c45, table(seed).drop(columns="weight"), "y")
    rules = simplified_rules(model.model_, rows)
    classes = [rule.answer for rule in rules]
    blocks = [first for first, second in pairwise([*classes, None]) if first != second]
    assert len(blocks) == len(set(blocks))
    false, cells = {}, cells_of(rows)
    for label in blocks:
        is_covered = np.zeros(rows.count, dtype=bool)
        for rule in rules:
            if rule.answer == label:
                is_covered |= covers(rule.conditions, rows, cells)
        false[label] = np.count_nonzero(is_covered & (rows.outcome != rules.schema.classes.index(label)))
    assert false[blocks[0]] == min(false.values())


def test_the_default_is_the_largest_class_among_the_rows_no_rule_covers():
    model, rows = grown(sf.c45, table(2).drop(columns="weight"), "y")
    rules = simplified_rules(model.model_, rows)
    cells = cells_of(rows)
    is_left = ~np.any([covers(rule.conditions, rows, cells) for rule in rules], axis=0)
    counts = np.bincount(rows.outcome[is_left].astype(int), minlength=3)
    assert counts[rules.schema.classes.index(rules.default)] == counts.max()


def test_a_tie_for_the_default_goes_to_the_class_that_is_more_frequent():
    _, rows = grown(sf.id3, TENNIS, "PlayTennis")
    evidence = Evidence(rows, 0.25, quantile(0.25))
    assert evidence.most_frequent(np.empty(0, dtype=np.int64)) == 1
    assert evidence.most_frequent(np.flatnonzero(rows.outcome == 0)) == 0


def test_a_tree_without_tests_has_only_a_default():
    model = sf.id3(max_depth=0).fit(TENNIS, "PlayTennis")
    rules = model.rules(TENNIS, "PlayTennis")
    assert str(rules) == "OTHERWISE Yes"


def test_weights_count_as_repeated_rows():
    frame = table(3).drop(columns="mass")
    repeated = frame.loc[frame.index.repeat(frame["weight"].astype(int))].drop(columns="weight")
    weighted = grown(sf.cart, frame, "y", "weight")
    twice = grown(sf.cart, repeated, "y")
    assert str(simplified_rules(weighted[0].model_, weighted[1])) == str(simplified_rules(twice[0].model_, twice[1]))


def test_the_same_rows_give_the_same_list():
    model, rows = grown(sf.cart, table(4).drop(columns="weight"), "y")
    assert str(simplified_rules(model.model_, rows)) == str(simplified_rules(model.model_, rows))
