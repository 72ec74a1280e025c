"""Predictive quality of the defaults on raw tables, beside scikit-learn's defaults on the same folds.

`make bench-quality`, or `python -m benchmarks.quality sonar vote` for some tables. Scikit-learn gets what its users
write by hand: imputation, one-hot encoding and scaling. The tables are those that scikit-learn ships, and those of the
UCI repository that stand as CSV files in `../shared/data`. Goals were set on 46 tables of the repository. On the tables
at hand a goal is the same share of scikit-learn's errors, and of its log loss, as on those; a goal that is missed by no
more than the standard error of the difference is within the error.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

import suffice as sf

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data"
MOST_ROWS = 1_000  # of larger tables a sample
FOLDS = 10
BEST = "best of them"
LEAST_PROBABILITY = 1e-6  # so that one row does not decide a mean log loss

GOALS = {  # on 46 tables: accuracy and log loss that are asked for, and scikit-learn's
    "naive Bayes": (0.840, 0.55, 0.727, 2.53),
    "LDA": (0.860, 0.42, 0.845, 0.543),
    "QDA": (0.885, 0.38, 0.871, 0.467),
    "logistic": (0.875, 0.33, 0.871, 0.343),
    "c45": (0.855, 0.48, 0.842, 2.17),
    BEST: (0.902, 0.285, 0.891, 0.317),
}

SHIPPED: dict[str, Callable[..., Any]] = {
    "sklearn iris": load_iris,
    "sklearn wine": load_wine,
    "sklearn breast cancer": load_breast_cancer,
    "sklearn digits": load_digits,
}
FILES: dict[str, tuple[str, list[str]]] = {  # the target, and columns that are left out
    "anneal": ("class", []),
    "audiology": ("class", []),
    "autos": ("symboling", []),
    "breast-cancer-wisconsin": ("class", ["id"]),
    "heart-cleveland": ("disease", []),
    "hypothyroid": ("Class", []),
    "kr-vs-kp": ("class", []),
    "labor": ("class", []),
    "lymphography": ("class", []),
    "mushroom": ("class", []),
    "optdigits": ("class", []),
    "penguins": ("species", []),
    "pima-diabetes": ("class", []),
    "promoters": ("y", []),
    "sick": ("Class", []),
    "sonar": ("Class", []),
    "spambase": ("class", []),
    "tic-tac-toe": ("Class", []),
    "titanic3": ("survived", ["name", "ticket", "boat", "body", "home.dest", "cabin"]),
    "vehicle": ("Class", []),
    "vote": ("Class", []),
}


def prepared(model: Any) -> Any:
    """A pipeline as one writes it for a raw table: missing numbers are the mean, missing words a level."""
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    words = make_pipeline(
        SimpleImputer(strategy="constant", fill_value="missing"),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    columns = make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (words, make_column_selector(dtype_exclude="number")),
    )
    return make_pipeline(columns, model)


PAIRS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "naive Bayes": (sf.NaiveBayes, lambda: prepared(GaussianNB())),
    "LDA": (sf.LDA, lambda: prepared(LinearDiscriminantAnalysis())),
    "QDA": (sf.QDA, lambda: prepared(QuadraticDiscriminantAnalysis())),
    "logistic": (sf.LogisticRegression, lambda: prepared(LogisticRegression(max_iter=1_000))),
    "c45": (sf.c45, lambda: prepared(DecisionTreeClassifier(random_state=0))),
}


def tables() -> Iterator[tuple[str, pd.DataFrame, Any]]:
    """Each table at hand: its name, columns and classes."""
    for name, load in SHIPPED.items():
        yield name, *_some_rows(*load(return_X_y=True, as_frame=True))
    for name, (target, left_out) in FILES.items():
        path = FOLDER / f"{name}.csv"
        if path.exists():
            table = pd.read_csv(path, keep_default_na=False, na_values=[""]).drop(columns=left_out)
            table = table[table[target].notna()]
            yield name, *_some_rows(table.drop(columns=target).dropna(axis=1, how="all"), table[target])


def _some_rows(x: pd.DataFrame, y: pd.Series) -> tuple[pd.DataFrame, Any]:
    """At most so many rows, and only of classes that every fold can have."""
    chosen = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
    x, labels = x.iloc[chosen], y.iloc[chosen].astype(str)
    is_frequent = (labels.map(labels.value_counts()) >= FOLDS).to_numpy()
    return x[is_frequent].reset_index(drop=True), labels[is_frequent].to_numpy()


def judged(make: Callable[[], Any], x: pd.DataFrame, y: Any) -> tuple[float, float]:
    """Accuracy and log loss of ten-fold cross-validation; NaN where the model cannot be fitted."""
    classes, truth = np.unique(y, return_inverse=True)
    posterior = np.zeros((len(y), len(classes)))
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=7).split(x, y):
        try:
            model = make().fit(x.iloc[train], y[train])
            posterior[test] = model.predict_proba(x.iloc[test])
        except ValueError:  # scikit-learn's QDA of a singular covariance, among others
            return np.nan, np.nan
    posterior = np.clip(np.nan_to_num(posterior), LEAST_PROBABILITY, 1.0)
    posterior /= posterior.sum(axis=1, keepdims=True)
    loss = -np.log(posterior[np.arange(len(y)), truth]).mean()
    return float((posterior.argmax(axis=1) == truth).mean()), float(loss)


def lines(wanted: list[str]) -> Iterator[str]:
    """A line for every table, then the means of the tables on which both sides could be fitted."""
    yield "accuracy/log loss of suffice, of scikit-learn"
    yield f"{'':<24}" + "".join(f"{name:>24}" for name in PAIRS)
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in (*PAIRS, BEST)}
    for table, x, y in tables():
        if wanted and table not in wanted:
            continue
        cells = []
        for name, (mine, theirs) in PAIRS.items():
            scores = (*judged(mine, x, y), *judged(theirs, x, y))
            found[name].append(scores)
            cells.append(f"{_shown(*scores[:2])} {_shown(*scores[2:])}")
        found[BEST].append(_best([found[name][-1] for name in PAIRS]))
        yield f"{table:<24}" + "".join(f"{cell:>24}" for cell in cells)
    for name, rows in found.items():
        both = np.array([row for row in rows if not np.isnan(row).any()]).reshape(-1, 4)
        if len(both) > 1:
            gain = both[:, :2] - both[:, 2:]
            error = gain.std(axis=0, ddof=1) / np.sqrt(len(both))
            mean = both.mean(axis=0)
            goal = goal_here(name, mean[2], mean[3])
            met = met_by(mean[0] - goal[0], error[0]), met_by(goal[1] - mean[1], error[1])
            yield (
                f"{name:<12} {len(both):>3} tables   suffice {_shown(*mean[:2])}   scikit-learn {_shown(*mean[2:])}"
                f"   difference {gain[:, 0].mean():+.3f} ± {error[0]:.3f} / {gain[:, 1].mean():+.3f} ± {error[1]:.3f}"
                f"   goal {_shown(*goal)}: {' / '.join(met)}"
            )


def goal_here(name: str, accuracy: float, loss: float) -> tuple[float, float]:
    """A goal on tables on which scikit-learn has such an accuracy and log loss: the same shares of both."""
    goal, goal_loss, peer, peer_loss = GOALS[name]
    return 1.0 - (1.0 - accuracy) * (1.0 - goal) / (1.0 - peer), loss * goal_loss / peer_loss


def met_by(margin: float, error: float) -> str:
    """Whether a goal is met, by so much."""
    return "met" if margin >= 0 else "within the error" if margin >= -error else "missed"


def _best(scores: list[tuple[float, ...]]) -> tuple[float, ...]:
    """The highest accuracy and the lowest log loss of all models, on either side."""
    table = np.array(scores)
    pick = (np.nanmax, np.nanmin, np.nanmax, np.nanmin)
    return tuple(float(choose(column)) for choose, column in zip(pick, table.T, strict=True))


def _shown(accuracy: float, loss: float) -> str:
    return "cannot" if np.isnan(accuracy) else f"{accuracy:.3f}/{loss:.3f}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(f"{FOLDS} folds; of larger tables {MOST_ROWS:,} rows")
    for line in lines(sys.argv[1:]):
        print(line, flush=True)
