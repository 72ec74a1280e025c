"""Decision trees against scikit-learn's, YDF's and LightGBM's, at equal settings, on drawn numbers and real tables."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import ydf
from sklearn.compose import make_column_transformer
from sklearn.metrics import accuracy_score, r2_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import suffice as sf
from benchmarks.timing import Ratio, side_by_side

COLUMNS = 20
DEPTH = 8
THREADS = 2
MANY_ROWS = 1_000_000
TARGET = "target"
TABLES = Path(__file__).resolve().parents[2] / "shared" / "data"

ydf.verbose(0)
logging.getLogger("absl").setLevel(logging.ERROR)  # YDF warns at every training on a prepared dataset


@dataclass(frozen=True)
class Data:
    """Features (an array or a frame) and what to predict from them, with the name it has beside them."""

    X: Any
    y: Any
    target: str = TARGET

    def rows(self, chosen: Any) -> Data:
        if isinstance(self.X, pd.DataFrame):
            return Data(self.X.iloc[chosen], self.y.iloc[chosen], self.target)
        return Data(self.X[chosen], self.y[chosen], self.target)

    def split(self) -> tuple[Data, Data]:
        """Four fifths to learn from and one fifth held out, in shuffled order."""
        order = np.random.default_rng(0).permutation(len(self.y))
        cut = len(order) * 4 // 5
        return self.rows(order[:cut]), self.rows(order[cut:])

    def frame(self) -> pd.DataFrame:
        return self.X.assign(**{self.target: self.y})

    def named_columns(self) -> dict[str, Any]:
        return {f"x{j}": self.X[:, j] for j in range(self.X.shape[1])} | {self.target: self.y}


@dataclass(frozen=True)
class Side:
    """One library's way to a tree: `prepare` is not timed, `fit` is, at most `runs` times as a peer."""

    name: str
    goal: float
    prepare: Callable[[Data], Any]
    fit: Callable[[Any], Any]
    predict: Callable[[Any, Data], Any]
    runs: int | None = None


@dataclass(frozen=True)
class Case:
    """One table and one setting: our side, and the peers at the same setting."""

    name: str
    data: Callable[[], Data]
    ours: Side
    peers: tuple[Side, ...]
    runs: int = 5
    score: Callable[[Any, Any], float] = accuracy_score
    score_name: str = "accuracy"

    def ratios(self) -> Iterator[Ratio]:
        data = self.data()
        mine = self.ours.prepare(data)
        for peer in self.peers:
            theirs = peer.prepare(data)
            yield side_by_side(
                self.name,
                peer.name,
                peer.goal,
                lambda: self.ours.fit(mine),
                lambda peer=peer, theirs=theirs: peer.fit(theirs),
                runs=self.runs,
                peer_runs=peer.runs,
            )

    def held_out_score(self, side: Side, learn: Data, held_out: Data) -> float:
        model = side.fit(side.prepare(learn))
        return float(self.score(held_out.y, side.predict(model, held_out)))

    def accuracy_line(self) -> str:
        learn, held_out = self.data().split()
        scores = [f"{side.name} {self.held_out_score(side, learn, held_out):.4f}" for side in (self.ours, *self.peers)]
        return f"{self.name}: {self.score_name} on {len(held_out.y):,} rows held out: {'; '.join(scores)}"


def numbers(rows: int, seed: int = 0) -> Any:
    """Normal numbers that 32 bits hold exactly, so that no side sees different values for keeping fewer bits."""
    return np.random.default_rng(seed).normal(size=(rows, COLUMNS)).astype(np.float32).astype(np.float64)


def two_classes(rows: int, seed: int = 0) -> Data:
    X = numbers(rows, seed)
    signal = np.where(X[:, 0] > 0, X[:, 1] + X[:, 2], X[:, 3] - X[:, 1]) + X[:, 4] * X[:, 5]
    flipped = np.random.default_rng(seed + 1).random(rows) < 0.2
    return Data(X, ((signal > 0) ^ flipped).astype(np.int64))


def one_number(rows: int) -> Data:
    X = numbers(rows)
    smooth = 2 * np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] ** 2 + X[:, 4]
    return Data(X, smooth + np.random.default_rng(1).normal(size=rows))


def product_and_noise(rows: int) -> Any:
    """What no column tells alone: x₀·x₁ and as much noise."""
    X = numbers(rows)
    return X, X[:, 0] * X[:, 1] + np.random.default_rng(3).normal(size=rows)


def product(rows: int) -> Data:
    return Data(*product_and_noise(rows))


def exclusive_or(rows: int) -> Data:
    X, number = product_and_noise(rows)
    return Data(X, (number > 0).astype(np.int64))


def only_noise(rows: int) -> Data:
    return Data(numbers(rows), np.random.default_rng(4).normal(size=rows))


def raw_table(file: str, target: str) -> Data:
    frame = pd.read_csv(TABLES / file, keep_default_na=False, na_values=[""])
    return Data(frame.drop(columns=target), frame[target], target)


def array_pair(data: Data) -> tuple[Any, Any]:
    return data.X, data.y


def array_side(name: str, goal: float, build: Callable[[], Any], runs: int | None = None) -> Side:
    """An estimator with `fit(X, y)` and `predict(X)`."""
    return Side(name, goal, array_pair, lambda pair: build().fit(*pair), predict_features, runs)


def predict_features(model: Any, data: Data) -> Any:
    return np.asarray(model.predict(data.X))


def our_tree(criterion: str, max_depth: int | None) -> Any:
    return sf.cart(criterion=criterion, prune=None, max_depth=max_depth, min_leaf=1)


def ours(criterion: str, max_depth: int | None) -> Side:
    return array_side("suffice", 1, lambda: our_tree(criterion, max_depth))


def ours_on_a_frame() -> Side:
    return Side(
        "suffice",
        1,
        lambda data: (data.frame(), data.target),
        lambda pair: our_tree("gini", DEPTH).fit(*pair),
        predict_features,
    )


def scikit_learn_classifier(goal: float, max_depth: int | None, runs: int | None = None) -> Side:
    return array_side(
        "scikit-learn DecisionTreeClassifier",
        goal,
        lambda: DecisionTreeClassifier(criterion="entropy", max_depth=max_depth, random_state=0),
        runs,
    )


def scikit_learn_regressor(goal: float, runs: int | None = None) -> Side:
    return array_side(
        "scikit-learn DecisionTreeRegressor", goal, lambda: DecisionTreeRegressor(max_depth=DEPTH, random_state=0), runs
    )


def scikit_learn_pipeline(goal: float) -> Side:
    """Text columns one-hot (a missing value is a category of its own), numbers as they are."""

    def fit(data: Data) -> Any:
        texts = list(data.X.select_dtypes(exclude="number").columns)
        encode = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), texts), remainder="passthrough")
        tree = DecisionTreeClassifier(max_depth=DEPTH, random_state=0)
        return make_pipeline(encode, tree).fit(data.X, data.y)

    return Side("scikit-learn one-hot pipeline", goal, lambda data: data, fit, predict_features, 3)


def ydf_learner(target: str, **reading: Any) -> Any:
    """The same tree as the others': YDF counts the root as depth 1, and prunes unless `validation_ratio` is 0.

    It always splits by information gain, and grows a single tree in one thread however many it is given.
    """
    return ydf.CartLearner(
        label=target, max_depth=DEPTH + 1, min_examples=1, validation_ratio=0.0, num_threads=THREADS, **reading
    )


def ydf_prepared(data: Data) -> tuple[Any, str]:
    dataset = ydf.create_vertical_dataset(
        data.named_columns(),
        columns=[(data.target, ydf.Semantic.CATEGORICAL)],
        include_all_columns=True,
        min_vocab_frequency=1,
    )
    return dataset, data.target


def ydf_classes(model: Any, table: Any, like: Any) -> Any:
    """YDF predicts the classes as text."""
    return np.asarray(model.predict_class(table)).astype(np.asarray(like).dtype)


def ydf_on_numbers(goal: float) -> Side:
    return Side(
        "YDF CartLearner, dataset prepared beforehand",
        goal,
        ydf_prepared,
        lambda pair: ydf_learner(pair[1]).train(pair[0]),
        lambda model, data: ydf_classes(model, data.named_columns(), data.y),
    )


def ydf_on_a_frame(goal: float) -> Side:
    return Side(
        "YDF CartLearner on the raw frame, by information gain",
        goal,
        lambda data: (data.frame(), data.target),
        lambda pair: ydf_learner(pair[1], min_vocab_frequency=1).train(pair[0]),
        lambda model, data: ydf_classes(model, data.frame(), data.y),
    )


def lightgbm_one_tree(goal: float) -> Side:
    settings = {
        "objective": "binary",
        "max_bin": 255,
        "max_depth": DEPTH,
        "num_leaves": 2**DEPTH,
        "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0,
        "learning_rate": 1.0,
        "num_threads": THREADS,
        "verbose": -1,
    }
    return Side(
        "LightGBM, one tree, 255 bins, dataset included",
        goal,
        array_pair,
        lambda pair: lightgbm.train(settings, lightgbm.Dataset(*pair), num_boost_round=1),
        lambda model, data: (model.predict(data.X) > 0.5).astype(np.int64),
    )


def number_cases(rows: int, runs: int = 5, scikit_learn_runs: int = 3) -> Iterator[Case]:
    size = f"{rows:,}×{COLUMNS}"
    yield Case(
        f"tree, depth {DEPTH}, {size}, fit",
        lambda: two_classes(rows),
        ours("information_gain", DEPTH),
        (scikit_learn_classifier(12, DEPTH, scikit_learn_runs), ydf_on_numbers(3), lightgbm_one_tree(1)),
        runs,
    )
    yield Case(
        f"tree, full depth, {size}, fit",
        lambda: two_classes(rows),
        ours("information_gain", None),
        (scikit_learn_classifier(5, None, scikit_learn_runs),),
        runs,
    )
    yield Case(
        f"regression tree, depth {DEPTH}, {size}, fit",
        lambda: one_number(rows),
        ours("variance", DEPTH),
        (scikit_learn_regressor(10, scikit_learn_runs),),
        runs,
        r2_score,
        "R²",
    )


def unfriendly_cases(rows: int) -> Iterator[Case]:
    """Where no column helps alone, bounds are hardly below what is found."""
    for name, data, runs in (("x₀·x₁ + noise", product, 5), ("noise alone", only_noise, 5)):
        peers = (scikit_learn_regressor(10, 3),)
        title = f"regression tree, {name}, {rows:,}×{COLUMNS}"
        yield Case(title, lambda data=data: data(rows), ours("variance", DEPTH), peers, runs, r2_score, "R²")
    peers = (scikit_learn_classifier(10, DEPTH, 3),)
    title = f"tree, sign of x₀·x₁ + noise, {rows:,}×{COLUMNS}"
    yield Case(title, lambda: exclusive_or(rows), ours("information_gain", DEPTH), peers, 5)


def table_cases() -> Iterator[Case]:
    for file, target, runs in (("adult.csv.gz", "income", 15), ("covtype.csv.gz", "Cover_Type", 5)):
        name = f"tree, depth {DEPTH}, {file.removesuffix('.csv.gz')} as read, fit"
        if not (TABLES / file).exists():
            print(f"{name}: skipped, there is no {TABLES / file}")
            continue
        yield Case(
            name,
            lambda file=file, target=target: raw_table(file, target),
            ours_on_a_frame(),
            (scikit_learn_pipeline(10), ydf_on_a_frame(2)),
            runs,
        )


def cases() -> Iterator[Case]:
    yield from number_cases(100_000)
    yield from unfriendly_cases(100_000)
    yield from number_cases(MANY_ROWS, runs=3, scikit_learn_runs=1)
    yield from table_cases()


def fitted_for_prediction() -> tuple[Any, Any]:
    data = two_classes(100_000)
    return tuple(
        side.fit(side.prepare(data)) for side in (ours("information_gain", DEPTH), scikit_learn_classifier(2, DEPTH))
    )


def prediction_ratio() -> Ratio:
    mine, theirs = fitted_for_prediction()
    X = numbers(MANY_ROWS, seed=2)
    return side_by_side(
        f"tree, depth {DEPTH}, {MANY_ROWS:,} rows, predict",
        "scikit-learn DecisionTreeClassifier",
        2,
        lambda: mine.predict(X),
        lambda: theirs.predict(X),
    )


def prediction_accuracy() -> str:
    mine, theirs = fitted_for_prediction()
    new = two_classes(MANY_ROWS, seed=2)
    scores = [accuracy_score(new.y, np.asarray(model.predict(new.X))) for model in (mine, theirs)]
    return f"predict {MANY_ROWS:,} new rows: accuracy: suffice {scores[0]:.4f}; scikit-learn {scores[1]:.4f}"


def ratios() -> Iterator[Ratio]:
    for case in cases():
        yield from case.ratios()
    yield prediction_ratio()


def accuracies() -> Iterator[str]:
    for case in cases():
        yield case.accuracy_line()
    yield prediction_accuracy()
