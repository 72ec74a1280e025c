import copy

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.base import clone

import suffice as sf
from suffice.errors import ForgetError, MergeError, QueryError, SettingError, SufficeWarning, TableError

NAMES = ["a", "b", "c"]
STATED = {(True, True): 0.09, (True, False): 0.01, (False, True): 0.1, (False, False): 0.8}

records = st.lists(st.tuples(*[st.sampled_from(["u", "v", "w", None])] * 3), min_size=1, max_size=60)


def frame(rows: list) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=NAMES, dtype=object)


def learned(rows: list) -> sf.JointDistribution:
    return sf.JointDistribution(nominal=NAMES, keep=NAMES).fit(frame(rows))


def share(rows: list, event: dict) -> float:
    """Matching records / records, counted one by one."""
    matching = [row for row in rows if all(row[NAMES.index(name)] == value for name, value in event.items())]
    return len(matching) / len(rows)


@settings(max_examples=40, deadline=None)
@given(records, st.data())
def test_probabilities_are_shares_of_records(rows, data):
    p = learned(rows)
    row = data.draw(st.sampled_from(rows))
    for names in (NAMES, ["a"], ["c", "b"]):
        event = {name: row[NAMES.index(name)] for name in names}
        assert p.probability(event) == pytest.approx(share(rows, event), abs=1e-12)
        assert p.marginal(names).probability(event) == pytest.approx(share(rows, event), abs=1e-12)
    assert p.probability({}) == pytest.approx(1.0)


@settings(max_examples=40, deadline=None)
@given(records, st.data())
def test_the_product_rule_and_bayes_rule(rows, data):
    p = learned(rows)
    row = data.draw(st.sampled_from(rows))
    a, b, c = ({name: value} for name, value in zip(NAMES, row, strict=True))
    product = p.probability(a) * p.probability(b, given=a) * p.probability(c, given={**a, **b})
    assert p.probability({**a, **b, **c}) == pytest.approx(product, abs=1e-12)
    bayes = p.probability(b, given=a) * p.probability(a) / p.probability(b)
    assert p.probability(a, given=b) == pytest.approx(bayes, abs=1e-12)
    assert p.given(b).probability(a) == pytest.approx(p.probability(a, given=b), abs=1e-12)
    assert sum(p.conditional("a", given=["b"])[row[1]].values()) == pytest.approx(1.0)
    assert p.conditional("a", given=["b"])[row[1]][row[0]] == pytest.approx(p.probability(a, given=b), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(records)
def test_information_is_that_of_the_columns(rows):
    p = learned(rows)
    columns = [[str(value) for value in column] for column in zip(*rows, strict=True)]
    assert p.entropy("a") == pytest.approx(sf.entropy(columns[0]), abs=1e-10)
    assert p.entropy("a", given="b") == pytest.approx(sf.conditional_entropy(columns[0], columns[1]), abs=1e-10)
    assert p.mutual_information("a", "b") == pytest.approx(sf.mutual_information(*columns[:2]), abs=1e-10)
    assert p.mutual_information("a", "b") == pytest.approx(p.mutual_information("b", "a"), abs=1e-10)
    chain = p.mutual_information("a", ["b", "c"])
    assert chain == pytest.approx(p.mutual_information("a", "b") + p.mutual_information("a", "c", given="b"), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(records, records)
def test_merged_updated_and_forgotten_as_if_counted_at_once(first, second):
    whole, part, rest = learned(first + second), learned(first), frame(second)
    expected, before = str(whole), str(part)
    assert str(copy.copy(part).update(rest)) == expected
    assert str(part.merge(learned(second))) == expected
    assert str(whole.forget(rest)) == before


def test_a_weight_is_a_number_of_records():
    rows = [("u", "v", "w"), ("v", "v", "w"), ("u", "u", "u")]
    weighted = sf.JointDistribution().fit(frame(rows).assign(n=[1, 2, 3]), sample_weight="n")
    assert str(weighted) == str(learned([rows[0], *[rows[1]] * 2, *[rows[2]] * 3]))


def test_numbers_are_cut_at_the_edges_inclusive():
    table = pd.DataFrame({"hours": np.arange(25, 75), "sex": ["F", "M"] * 25})
    p = sf.JointDistribution(edges={"hours": [40, 60]}).fit(table)
    assert str(p.marginal("hours")).splitlines()[2:] == ["≤ 40      0.32", "(40, 60]   0.4", "> 60      0.28"]
    assert p.probability({"hours": 40}) == p.probability({"hours": "≤ 40"}) == 16 / 50
    assert p.probability({"hours": [41, 61]}) == pytest.approx(34 / 50)
    drawn = p.sample(1000, random_state=0)
    assert list(drawn.columns) == ["hours", "sex"]
    assert np.mean(drawn["hours"] <= 40) == pytest.approx(0.32, abs=0.05)


def test_quantiles_count_the_value_they_are_named_by():
    iris = sf.datasets.load("iris")
    p = sf.JointDistribution(edges=3).fit(iris)
    assert p.probability({"species": "setosa"}, given={"petal_length": "≤ 1.9"}) == 1.0
    assert p.probability({"petal_length": "≤ 1.9"}, given={"species": "setosa"}) == 1.0


def test_few_different_numbers_are_values_and_many_ask_for_edges():
    table = pd.DataFrame({"dice": [1, 2, 3, 4, 5, 6] * 5, "x": np.arange(30.0)})
    with pytest.raises(TableError, match=r"'x' has 30 different numbers.*edges=\{'x': \[7, 14, 22\]\}"):
        sf.JointDistribution().fit(table)
    p = sf.JointDistribution(edges={"x": [9.5]}).fit(table)
    assert p.probability({"dice": 3}) == pytest.approx(1 / 6)
    with pytest.raises(SettingError, match="ascending"):
        sf.JointDistribution(edges={"x": [3, 1]}).fit(table)
    with pytest.raises(SettingError, match="edges must be"):
        sf.JointDistribution(edges=1).fit(table)
    with pytest.raises(TableError, match="Did you mean 'dice'"):
        sf.JointDistribution(edges={"dize": [3]}).fit(table)


def test_the_test_of_independence_is_the_g_test():
    random = np.random.default_rng(0)
    a = random.integers(0, 3, 500)
    table = pd.DataFrame({"a": a, "b": (a + random.integers(0, 2, 500)) % 3, "c": random.integers(0, 4, 500)})
    p = sf.JointDistribution().fit(table)
    for other in "bc":
        expected = chi2_contingency(pd.crosstab(table["a"], table[other]), lambda_="log-likelihood", correction=False)
        found = p.independent("a", other)
        assert found.statistic == pytest.approx(expected.statistic)
        assert found.p_value == pytest.approx(expected.pvalue)
        assert found.degrees_of_freedom == expected.dof
        assert bool(found) == (expected.pvalue >= 0.05)
    assert "are not independent" in str(p.independent("a", "b"))


def test_a_common_cause_makes_dependent_variables_independent_given_it():
    table = {
        (c, a, b): (0.3 if c else 0.7) * (0.9 if a == c else 0.1) * (0.8 if b == c else 0.2)
        for c in (True, False)
        for a in (True, False)
        for b in (True, False)
    }
    p = sf.JointDistribution.from_table(table, ["cause", "a", "b"])
    assert not p.independent("a", "b")
    assert p.independent("a", "b", given=["cause"])
    assert p.independent("a", "b", given="cause").p_value is None


def test_the_most_probable():
    p = sf.JointDistribution.from_table(STATED, ["theft", "alarm"])
    assert p.most_probable() == ({"theft": False, "alarm": False}, 0.8)
    values, probability = p.most_probable(given={"alarm": True})
    assert values == {"theft": False}
    assert probability == pytest.approx(0.1 / 0.19)
    assert p.most_probable(names="theft").values == {"theft": False}


def test_a_stated_distribution_may_be_a_table():
    table = pd.DataFrame(
        {"theft": [True, True, False, False], "alarm": [True, False] * 2, "probability": [0.09, 0.01, 0.1, 0.8]}
    )
    expected = str(sf.JointDistribution.from_table(STATED, ["theft", "alarm"]))
    for kind in (table, pl.from_pandas(table), pa.Table.from_pandas(table), table.to_dict("list")):
        assert str(sf.JointDistribution.from_table(kind)) == expected
    renamed = table.rename(columns={"probability": "p"})
    assert str(sf.JointDistribution.from_table(renamed, probability="p")) == expected


def test_a_sample_gives_the_distribution_back():
    p = sf.JointDistribution.from_table(STATED, ["theft", "alarm"])
    again = sf.JointDistribution().fit(p.sample(100_000, random_state=1))
    for theft, alarm in STATED:
        event = {"theft": theft, "alarm": alarm}
        assert again.probability(event) == pytest.approx(p.probability(event), abs=0.005)
    assert isinstance(learned([("u", "v", "w")] * 3).sample(2), pd.DataFrame)


def test_twenty_columns_of_many_rows_stay_sparse():
    random = np.random.default_rng(0)
    table = pa.table({f"x{j}": pa.array([f"v{code}" for code in random.integers(0, 30, 20_000)]) for j in range(20)})
    p = sf.JointDistribution().fit(table)
    assert len(p.table_.cells) == 20_000
    assert p.entropy() == pytest.approx(np.log2(20_000))
    assert "and 19,960 combinations less probable" in str(p)


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        ({("a",): 0.5, ("b",): 0.6}, "sum to 1.1, 0.1 more than 1"),
        ({("a",): 0.5, ("b",): 0.3}, "0.2 less than 1"),
        ({("a",): 1.5, ("b",): -0.5}, r"\('b',\) is -0.5"),
        ({("a",): float("nan"), ("b",): 1.0}, r"\('a',\) is nan"),
        ({("a", "b"): 1.0}, "2 values for 1 variables"),
        ({}, "at least one combination"),
        ({"x": ["a", "a"], "probability": [0.5, 0.5]}, "stated twice"),
        ({"x": ["a", None], "probability": [0.5, 0.5]}, "empty cells"),
        ({"x": ["a", "b"], "q": [0.5, 0.5]}, "no column of probabilities"),
    ],
)
def test_what_cannot_be_stated(stated, words):
    with pytest.raises(TableError, match=words):
        sf.JointDistribution.from_table(stated, ["x"])


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda p: p.probability({"thief": True}), "no variable 'thief'. Did you mean 'theft'"),
        (lambda p: p.probability({"theft": "yes"}), "'theft' is never 'yes'. It is 'True', 'False'"),
        (lambda p: p.probability({"theft": True}, given={"alarm": None}), "alarm = None has probability 0"),
        (lambda p: p.given({"alarm": []}), "probability 0"),
        (lambda p: p.marginal(["thief"]), "no variable"),
        (lambda p: p.conditional("theft", given=["bell"]), "no variable 'bell'"),
        (lambda p: p.independent("theft", "theft"), "two different variables"),
    ],
)
def test_what_cannot_be_asked(ask, words):
    with pytest.raises(QueryError, match=words):
        ask(sf.JointDistribution.from_table(STATED, ["theft", "alarm"]))


def test_what_cannot_be_changed():
    p = sf.JointDistribution.from_table(STATED, ["theft", "alarm"])
    with pytest.raises(MergeError, match="was stated"):
        p.merge(p)
    q = learned([("u", "v", "w")])
    before = str(q)
    with pytest.raises(ForgetError):
        q.forget(frame([("v", "v", "v")]))
    assert str(q) == before


def test_levels_of_which_no_record_is_left_are_gone():
    q = learned([("u", "v", "w"), ("u", "v", "w"), ("t", "v", "z")])
    q.forget(frame([("t", "v", "z")]))
    assert q.schema_ == learned([("u", "v", "w"), ("u", "v", "w")]).schema_
    assert [column.levels for column in q.schema_.nominal] == [("u",), ("v",), ("w",)]


def test_not_all_records_can_be_forgotten():
    q = learned([("u", "v", "w"), ("t", "v", "z")])
    before = str(q)
    with pytest.raises(ForgetError, match=r"Without these records none would be left\. Fit a new distribution"):
        q.forget(frame([("u", "v", "w"), ("t", "v", "z")]))
    assert str(q) == before


@pytest.mark.filterwarnings("ignore:Column 'said'")
def test_other_records_are_read_as_the_first_were():
    prices = pd.DataFrame({"price": ["1,5", "1,234", "2,75"] * 10, "kind": ["a", "b", "b"] * 10})
    texts = [f"{number} words that are said of this one alone" for number in range(30)]
    table = prices.assign(said=texts)
    q = sf.JointDistribution(edges={"price": [1.4]}).fit(table)
    assert q.variables_ == ("price", "kind")
    more = table.iloc[[1]]  # 1,234 alone would be a thousand and more, and one text alone a level
    q.update(more).update(more[["kind", "price"]])
    assert q.statistic_.table.sum() == 32
    assert q.probability({"price": 1.234, "kind": "b"}) == 12 / 32
    q.forget(more).forget(more)
    assert str(q) == str(sf.JointDistribution(edges={"price": [1.4]}).fit(table))


def test_settings_are_scikit_learns():
    p = sf.JointDistribution(edges={"x": [1.0]}, nominal=["y"])
    assert clone(p).get_params() == p.get_params()
    assert "JointDistribution(" in repr(p)
    assert "<table>" in learned([("u", "v", "w")])._repr_html_()


def test_identifiers_are_left_out_with_a_warning():
    table = pd.DataFrame({"id": [f"r{k}" for k in range(40)], "x": ["a", "b"] * 20})
    with pytest.warns(SufficeWarning, match="'id' is left out"):
        assert sf.JointDistribution().fit(table).variables_ == ("x",)


def test_an_empty_table():
    with pytest.raises(TableError, match="no rows"):
        sf.JointDistribution().fit(pd.DataFrame({"x": []}))
