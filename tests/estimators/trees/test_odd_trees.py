"""What a table may look like, and what trees then do: gaps, very many levels or classes, depth past a thousand."""

from __future__ import annotations

import copy
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import suffice as sf
from mixed_table import assert_sound, kept_model, mixed_table
from suffice.errors import SettingError, SufficeError, SufficeWarning, TableError

Make = Callable[..., Any]
TREES = [sf.id3, sf.c45, sf.cart]
every_tree = pytest.mark.parametrize("make", TREES, ids=lambda make: make.__name__)


# Missing values -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [sf.id3, sf.c45], ids=lambda make: make.__name__)
def test_a_row_of_which_nothing_is_known_gets_the_shares_of_the_classes(make: Make) -> None:
    """Its parts meet every leaf by the leaf's rows."""
    table = mixed_table(90)
    nothing = pd.DataFrame([[None] * 4], columns=["height", "weight", "city", "diet"])
    np.testing.assert_allclose(make(leaf_smoothing=0).fit(table, "y").predict_proba(nothing), [[0.5, 0.5]], rtol=1e-9)


@every_tree
def test_a_table_of_which_most_is_missing_is_learned(make: Make) -> None:
    table = mixed_table(300)
    random = np.random.default_rng(1)
    gaps = table.mask((random.random(table.shape) < 0.7) & (table.columns != "y"))
    model = make().fit(gaps, "y")
    assert_sound(model, gaps)
    assert_sound(model, table)


@every_tree
@pytest.mark.parametrize("column", [[None] * 120, [np.nan] * 120, ["same"] * 120, [3.0] * 120, ["same", None] * 60])
def test_a_column_without_variation_changes_nothing_and_is_not_asked_about(make: Make, column: list[Any]) -> None:
    """Whether it is known does not count here: every other row has it, of either class."""
    if column[1] is None and column[0] is not None and make is sf.cart:
        pytest.skip("where the direction of missing values is learned, whether there is a value is a test")
    table = mixed_table()
    table["y"] = np.where(np.arange(120) % 4 < 2, "no", "yes")
    expected = make().fit(table, "y")
    model = make().fit(table.assign(flat=column), "y")
    np.testing.assert_allclose(model.predict_proba(table.assign(flat=column)), expected.predict_proba(table))
    assert model.feature_importances_[-1] == 0.0


@every_tree
def test_a_table_in_which_nothing_varies_is_one_leaf(make: Make) -> None:
    table = pd.DataFrame({"a": [1.0] * 6, "b": ["x"] * 6, "c": [np.nan] * 6, "y": list("ppppqq")})
    model = make(leaf_smoothing=0).fit(table, "y")
    assert (model.node_count, model.leaf_count, model.depth) == (1, 1, 0)
    np.testing.assert_allclose(model.predict_proba(table), [[4 / 6, 2 / 6]] * 6, rtol=1e-12)
    assert model.explain(table[:1]).prediction == "p"
    assert model.rules().formula("p") == "true"
    assert model.rules().formula("q") == "false"
    assert model.plot().svg.startswith("<svg")
    assert model.decision_path(table).toarray().tolist() == [[1]] * 6
    assert model.apply(table).tolist() == [0] * 6
    assert not model.feature_importances_.any()


@every_tree
def test_a_level_never_seen_goes_where_missing_goes(make: Make) -> None:
    table = mixed_table()
    model = make(**({"prune": None} if make is sf.cart else {})).fit(table, "y")
    new = table.head(8).assign(city="Atlantis")
    with pytest.warns(SufficeWarning, match=r"read as missing: 'city' \(8 rows\)"):
        found = model.predict_proba(new)
    np.testing.assert_allclose(found, model.predict_proba(new.assign(city=None)), rtol=1e-12)
    with pytest.warns(SufficeWarning, match="read as missing"):
        model.apply(new)


@every_tree
def test_a_declared_level_without_rows_may_come_in_prediction(make: Make) -> None:
    table = mixed_table()
    table["city"] = pd.Categorical(table["city"], ["Oslo", "Rome", "Bonn"])
    model = make(**({"prune": None} if make is sf.cart else {})).fit(table, "y")
    assert_sound(model, table.head(5).assign(city=pd.Categorical(["Rome"] * 5, ["Oslo", "Rome", "Bonn"])))


# Values that cannot be used -----------------------------------------------------------------------------------------


@every_tree
@pytest.mark.parametrize("infinite", [np.inf, -np.inf])
def test_an_infinite_value_is_an_error_in_training_and_in_prediction(make: Make, infinite: float) -> None:
    model, bad = kept_model(make, 30), mixed_table(30)
    bad.loc[7, "weight"] = infinite
    for ask in (model.predict, model.predict_proba, model.apply, model.decision_path):
        with pytest.raises(TableError, match="infinity"):
            ask(bad)
    with pytest.raises(TableError, match="infinity"):
        model.explain(bad[7:8])
    with pytest.raises(TableError, match=r"Column 'weight' contains infinity"):
        make().fit(bad, "y")
    with pytest.raises(ValueError, match="infinity"):
        make().fit(bad[["height", "weight"]].to_numpy(), bad["y"])


def test_an_infinite_number_to_predict_is_an_error() -> None:
    with pytest.raises(TableError, match="infinity"):
        sf.DecisionTreeRegressor().fit(pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [1.0, np.inf, 2.0]}), "y")


@every_tree
def test_numbers_as_large_as_can_be_are_cut_between(make: Make) -> None:
    big = np.finfo(float).max
    table = pd.DataFrame({"x": [-big, -big / 2, 5e-324, 0.0, big / 2, big] * 4, "y": list("ppqqrr") * 4})
    model = make(**({"prune": None} if make is sf.cart else {})).fit(table, "y")
    assert np.isfinite(model.model_.nodes.threshold[~model.model_.nodes.is_leaf]).all()
    assert_sound(model, table)
    assert model.score(table, "y") == 1.0


@every_tree
def test_neighbouring_numbers_are_told_apart(make: Make) -> None:
    low = 1e15
    values = [low, np.nextafter(low, 2e15), np.nextafter(np.nextafter(low, 2e15), 2e15)]
    table = pd.DataFrame({"x": values * 6, "y": list("pqp") * 6})
    model = make(**({"prune": None} if make is sf.cart else {})).fit(table, "y")
    if make is not sf.c45:  # its correction for the number of cuts may leave nothing
        assert model.score(table, "y") == 1.0
    assert_sound(model, table)


def test_numbers_with_a_large_offset_lose_no_digits() -> None:
    random = np.random.default_rng(2)
    x, y = random.normal(size=(300, 2)), random.normal(size=300)
    near, far = sf.DecisionTreeRegressor(max_depth=5).fit(x, y), sf.DecisionTreeRegressor(max_depth=5).fit(x, y + 1e9)
    np.testing.assert_array_equal(near.model_.nodes.column, far.model_.nodes.column)
    np.testing.assert_allclose(far.predict(x) - 1e9, near.predict(x), atol=1e-5)


@pytest.mark.parametrize("weights", [None, np.tile([1.0, 2.0], 10_000)])
def test_numbers_in_groups_far_apart_are_cut_exactly_within_them(weights: np.ndarray | None) -> None:
    """So many rows are counted, around the mean of all of them: half a million from that of a group."""
    random = np.random.default_rng(3)
    group, x = random.integers(0, 2, 20_000), random.normal(size=20_000)
    y = 1e6 * group + np.where(x > 0.3, 2.0, 0.0) + 0.1 * random.normal(size=len(x))
    tree = sf.DecisionTreeRegressor(max_depth=2).fit(np.stack([group, x], axis=1), y, sample_weight=weights).model_
    assert tree.nodes.column.tolist() == [0, 1, 1, -1, -1, -1, -1]
    for node in (1, 2):
        own = x[group == node - 1]
        assert own[own <= 0.3].max() < tree.nodes.threshold[node] < own[own > 0.3].min()
    np.testing.assert_allclose(tree.deviation[3:], 0.1, rtol=0.05)


def test_groups_further_apart_than_digits_reach_keep_their_own_deviation() -> None:
    random = np.random.default_rng(4)
    group, noise = np.repeat([0.0, 1.0], 10_000), random.normal(size=20_000)
    tree = sf.DecisionTreeRegressor(max_depth=1).fit(group[:, None], 1e9 * group + noise).model_
    np.testing.assert_allclose(tree.deviation[1:], [noise[:10_000].std(), noise[10_000:].std()], rtol=1e-6)


def test_whole_numbers_past_those_that_floats_hold_are_predicted_as_the_nearest_floats(tmp_path: Path) -> None:
    table = pd.DataFrame({"x": range(30), "y": [2**60 + 2**50 * row + 1 for row in range(30)]})
    table.to_csv(tmp_path / "table.csv", index=False)
    of_array = sf.DecisionTreeRegressor(max_depth=2).fit(table[["x"]], table["y"].to_numpy())
    for source in (table, tmp_path / "table.csv", pa.Table.from_pandas(table)):
        model = sf.DecisionTreeRegressor(max_depth=2).fit(source, "y")
        np.testing.assert_array_equal(model.predict(table), of_array.predict(table[["x"]]))
        assert model.score(source, "y") == of_array.score(table[["x"]], table["y"])


# Weights and classes ------------------------------------------------------------------------------------------------


@every_tree
def test_classes_and_levels_that_only_rows_of_weight_zero_have_do_no_harm(make: Make) -> None:
    table = mixed_table(60)
    idle = mixed_table(20, seed=3).assign(y="maybe", city="Rome", height=1e6)
    both = pd.concat([idle, table], ignore_index=True)
    model = make().fit(both, "y", sample_weight=np.r_[np.zeros(20), np.ones(60)])
    assert_sound(model, table)
    assert model.classes_.tolist() == ["no", "yes"]
    assert "Rome" not in model.describe()


@every_tree
def test_some_rows_of_weight_zero_in_every_fold(make: Make) -> None:
    table = mixed_table(40)[["height", "weight", "y"]]
    weights = np.where(np.arange(40) < 36, 0.0, 1.0)
    assert_sound(make().fit(table, "y", sample_weight=weights), table)


@every_tree
@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1e12, 1e60])
def test_weights_of_any_size_give_a_sound_tree(make: Make, scale: float) -> None:
    table = mixed_table(60)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, 60) * scale
    assert_sound(make().fit(table, "y", sample_weight=weights), table)


@every_tree
def test_a_target_with_a_level_per_row(make: Make) -> None:
    random = np.random.default_rng(4)
    table = pd.DataFrame({"x": random.normal(size=25), "n": random.choice(list("abc"), 25)})
    labels = [f"class {k:02}" for k in range(25)]
    model = make(keep=["class"]).fit(table, labels)
    assert len(model.classes_) == 25
    assert_sound(model, table)
    if make is sf.id3:
        assert model.score(table, labels) == 1.0


def test_hundreds_of_classes() -> None:
    random = np.random.default_rng(5)
    x = random.normal(size=(1000, 3))
    y = (np.argsort(np.argsort(x[:, 0])) // 5).astype(int)
    cart = sf.cart(prune=None)
    for tree in (sf.id3(), cart, sf.c45()):
        assert_sound(tree.fit(x, y), x[:100])
    assert cart.score(x, y) == 1.0


@every_tree
@pytest.mark.parametrize("rows", [2, 3, 4, 5, 7])
def test_a_handful_of_rows(make: Make, rows: int) -> None:
    table = mixed_table(rows)
    assert_sound(make().fit(table, "y"), table)


@pytest.mark.parametrize("prune", [None, "reduced_error", "cost_complexity"])
@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_a_handful_of_numbers(prune: str | None, rows: int) -> None:
    x, y = np.arange(rows, dtype=float)[:, None], np.arange(rows, dtype=float) ** 2
    assert np.isfinite(sf.DecisionTreeRegressor(prune=prune).fit(x, y).predict(x)).all()


def test_a_number_to_predict_that_does_not_vary() -> None:
    x = np.arange(30, dtype=float)[:, None]
    for prune in (None, "reduced_error", "cost_complexity"):
        model = sf.DecisionTreeRegressor(prune=prune).fit(x, np.full(30, 0.1))
        assert model.node_count == 1
        np.testing.assert_allclose(model.predict(x), 0.1, rtol=1e-12)


# Nothing breaks halfway ---------------------------------------------------------------------------------------------


@every_tree
@pytest.mark.parametrize(
    "break_it",
    [
        lambda model, table: model.fit(table.assign(y="no"), "y"),
        lambda model, table: model.fit(table, "z"),
        lambda model, table: model.fit(table.assign(city=[[1]] * len(table)), "y"),
        lambda model, table: model.fit(table, "y", sample_weight=np.zeros(len(table))),
        lambda model, table: model.fit(table.assign(height=np.inf), "y"),
    ],
    ids=["one class", "no such target", "nested", "weights", "infinite"],
)
def test_a_failed_fit_leaves_the_tree_as_it_was(make: Make, break_it: Callable[[Any, pd.DataFrame], Any]) -> None:
    table = mixed_table()
    model = copy.copy(kept_model(make))
    before, expected = dict(vars(model)), model.predict_proba(table)
    with pytest.raises(SufficeError):
        break_it(model, table)
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[key] is before[key] for key in before)
    np.testing.assert_array_equal(model.predict_proba(table), expected)


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("criterion", "entropy"),
        ("criterion", "variance"),
        ("splits", "binry"),
        ("missing", "drop"),
        ("prune", "pessimist"),
        ("confidence", 0),
        ("confidence", 0.7),
        ("max_depth", -1),
        ("max_depth", 2.5),
        ("min_leaf", -1),
        ("min_leaf", np.nan),
        ("min_split", "2"),
        ("max_leaves", 0),
        ("min_weight_fraction_leaf", 0.6),
        ("min_weight_fraction_leaf", -0.1),
        ("min_weight_fraction_leaf", "a tenth"),
        ("class_weight", {"maybe": 2.0}),
        ("class_weight", "equal"),
        ("random_state", -1),
    ],
)
def test_a_wrong_setting_is_an_error_that_names_it(setting: str, value: Any) -> None:
    with pytest.raises(SettingError, match=setting):
        sf.DecisionTreeClassifier(**{setting: value}).fit(mixed_table(), "y")


@pytest.mark.parametrize("setting", ["max_depth", "max_leaves"])
def test_a_limit_beyond_all_trees_is_none(setting: str) -> None:
    table = mixed_table()
    limited = sf.DecisionTreeClassifier(**{setting: 10**30}).fit(table, "y")
    assert limited.describe() == sf.DecisionTreeClassifier().fit(table, "y").describe()


def test_pruning_by_pessimism_is_not_for_numbers() -> None:
    with pytest.raises(SettingError, match="pessimistic"):
        sf.DecisionTreeRegressor(prune="pessimistic").fit(np.eye(4), np.arange(4.0))


# Depth past a thousand ----------------------------------------------------------------------------------------------

STEPS = 1100  # more than Python recurses


@pytest.fixture(scope="module", params=["id3", "cart"])
def staircase(request: pytest.FixtureRequest) -> sf.DecisionTreeClassifier:
    """Classes that take turns: the best cut is always at the end, so the tree is a chain."""
    make = sf.id3 if request.param == "id3" else lambda: sf.cart(prune=None)
    return make().fit(*steps())


def steps() -> tuple[np.ndarray, np.ndarray]:
    return np.arange(STEPS, dtype=float)[:, None], np.arange(STEPS) % 2


def test_a_tree_may_be_deeper_than_python_recurses(staircase: sf.DecisionTreeClassifier) -> None:
    x, y = steps()
    assert staircase.depth > sys.getrecursionlimit()
    assert staircase.leaf_count == STEPS
    np.testing.assert_array_equal(staircase.predict(x), y)
    assert staircase.apply(x).shape == (STEPS,)
    path = staircase.decision_path(x[[0, STEPS - 1]])
    assert path.shape == (2, staircase.node_count)
    assert path.sum(axis=1).max() == staircase.depth + 1
    assert staircase.feature_importances_.tolist() == [1.0]


def test_a_deep_tree_is_read_without_recursion(staircase: sf.DecisionTreeClassifier) -> None:
    text, rules = staircase.describe(), staircase.rules()
    assert f"{STEPS:,} leaves" in text
    assert len(text) < 5_000_000
    assert len(rules) == STEPS
    assert "THEN" in str(rules)
    assert staircase.plot().svg.startswith("<svg")
    assert staircase.plot(depth=50).svg.startswith("<svg")
    deepest = staircase.explain([STEPS - 1.0])
    assert len(deepest.steps) == staircase.depth + 1
    assert str(deepest).count("\n") > staircase.depth
    assert deepest._repr_html_()
    x, y = steps()
    assert staircase.best_splits(x, y, staircase.node_count - 3).weight == 2


def test_a_deep_tree_is_saved_and_loaded(staircase: sf.DecisionTreeClassifier, tmp_path: Path) -> None:
    x, _ = steps()
    staircase.save(tmp_path / "deep")
    loaded = sf.load(tmp_path / "deep")
    np.testing.assert_array_equal(loaded.predict_proba(x + 0.25), staircase.predict_proba(x + 0.25))


def test_a_deep_tree_is_pruned_in_every_way(staircase: sf.DecisionTreeClassifier) -> None:
    x, y = steps()
    assert staircase.pruned("pessimistic").leaf_count < 10
    assert staircase.pruned("pessimistic", x, y).leaf_count < 10
    assert staircase.pruned("reduced_error", x, 1 - y).leaf_count < 10
    assert staircase.pruned("reduced_error", x, y).leaf_count == STEPS
    assert staircase.pruned("cost_complexity", alpha=0.5).leaf_count == 1
    assert staircase.pruned(max_leaves=12).leaf_count == 12


def test_a_deep_tree_of_numbers() -> None:
    x, y = steps()
    model = sf.DecisionTreeRegressor().fit(x, y.astype(float))
    assert model.depth > sys.getrecursionlimit()
    np.testing.assert_allclose(model.predict(x), y, atol=1e-9)
    assert f"{STEPS:,} leaves" in model.describe()


# Very many levels ---------------------------------------------------------------------------------------------------

MANY_LEVELS = """
    import resource, sys
    import numpy as np, pyarrow as pa
    import suffice as sf

    rows = 10_000
    random = np.random.default_rng(0)
    x = random.normal(size=rows)
    names = pa.array(np.char.add("id", np.arange(rows).astype(str)))
    table = pa.table({"id": names, "x": x, "y": np.where(x + random.normal(size=rows) > 0, "p", "q")})
    sf.c45().fit(table.slice(0, 50).drop_columns("id"), "y").plot()  # what is imported for it takes memory too
    for make in (lambda: sf.c45(keep=["id"]), lambda: sf.cart(prune=None, keep=["id"]), lambda: sf.id3(keep=["id"])):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        tree = make().fit(table, "y")
        tree.predict(table)
        text = tree.describe()
        tree.explain({"id": "id77", "x": 0.3})
        tree.plot()
        tree.save(sys.argv[1])
        sf.load(sys.argv[1])
        print(tree.leaf_count, len(text), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_very_many_levels_do_not_explode(tmp_path: Path) -> None:
    """In a process of its own, whose memory can be measured: at most four kilobytes for every level."""
    pytest.importorskip("resource")
    command = [sys.executable, "-c", textwrap.dedent(MANY_LEVELS), str(tmp_path / "tree")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    leaves, characters, kilobytes = np.array([list(map(int, line.split())) for line in done.stdout.splitlines()]).T
    assert leaves.tolist() == [2, 2, 10_000]
    assert (characters < 200_000).all()
    assert (kilobytes < 40_000).all()


def test_a_million_levels_are_left_out_unless_kept() -> None:
    rows = 50_000
    table = pd.DataFrame({"id": [f"id{k}" for k in range(rows)], "x": np.arange(rows) % 7, "y": np.arange(rows) % 2})
    with pytest.warns(SufficeWarning, match=r"'id' is left out.*keep=\['id'\]"):
        assert "id" not in sf.c45().fit(table, "y").schema_.names


def test_columns_of_very_many_levels_are_named_in_one_warning() -> None:
    table = pd.DataFrame({"a": [f"a{k // 2}" for k in range(60)], "b": [f"b{k // 2}" for k in range(60)]})
    table["x"], table["y"] = np.arange(60) % 7, np.arange(60) % 2
    with pytest.warns(SufficeWarning) as found:
        sf.cart().fit(table, "y")
    [said] = [str(each.message) for each in found]
    assert said.startswith(
        "'a' (30 levels in 60 rows), 'b' (30 levels in 60 rows) are left out of trees that split in two"
    )
    assert said.endswith("keep=['a', 'b'] uses them after all.")


def test_subsets_of_many_levels_and_classes_are_found_in_time() -> None:
    """Past ten levels the division of many classes is a search along one direction, not of all subsets."""
    random = np.random.default_rng(6)
    place = random.integers(0, 400, 20_000)
    y = (place % 5 + (random.random(20_000) < 0.1)) % 5
    table = pd.DataFrame({"place": [f"p{k}" for k in place]})
    model = sf.cart(prune=None, max_leaves=30).fit(table, y)
    assert model.score(table, y) > 0.85


def test_the_share_of_variance_by_name_is_that_of_arrays_and_needs_numbers_that_vary() -> None:
    random = np.random.default_rng(0)
    table = pa.table({"a": random.normal(size=50), "y": 0.1 + random.normal(size=50)})
    model = sf.DecisionTreeRegressor(max_depth=2).fit(table, "y")
    others, y = table.select(["a"]), table["y"].to_numpy()
    assert model.score(table, "y", y**2) == pytest.approx(model.score(others, y, y**2))
    with pytest.raises(TableError, match="does not vary"):
        model.score(others.append_column("y", pa.array(np.full(50, 0.1))), "y")
    assert model.score(others, np.full(50, 0.25)) == 0.0  # as scikit-learn has it


def test_the_share_of_variance_of_times_is_that_of_their_seconds_and_of_nothing_else() -> None:
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(range(50), "D")
    table = pd.DataFrame({"x": np.arange(50) % 9 + 0.1 * np.arange(50), "when": days})
    model = sf.cart(criterion="variance", prune=None).fit(table, "when")
    x, numbers = table[["x"]], table.assign(when=np.arange(50.0))
    for scored in (
        lambda: model.score(table, "when"),
        lambda: model.score(x, table["when"]),
        lambda: model.score(x, days),
    ):
        assert scored() == pytest.approx(1.0)
    for scored in (
        lambda: model.score(numbers, "when"),
        lambda: model.score(x, np.arange(50.0)),
        lambda: sf.evaluate(model, numbers),
        lambda: sf.cart(criterion="variance").fit(numbers, "when").score(table, "when"),
    ):
        with pytest.raises(TableError, match=r"'when' holds .*, but here it holds"):
            scored()


@pytest.mark.parametrize("make", [sf.cart, sf.NaiveBayes, lambda: sf.cart(criterion="variance")])
def test_a_score_without_a_target_is_an_error_that_asks_for_one(make: Any) -> None:
    x, y = np.arange(20.0)[:, None], np.arange(20) % 2
    with pytest.raises(TableError, match="name of the target column"):
        make().fit(x, y).score(x)
