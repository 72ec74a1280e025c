"""What trees of classes and trees of numbers share: training, reading, pruning."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_matrix

from suffice.errors import SettingError
from suffice.estimators.feature_names import feature_names
from suffice.estimators.foreign_settings import require_own_value
from suffice.estimators.refitted import Refitted
from suffice.estimators.trees.beyond_memory import (
    facts_and_edges,
    fits,
    warn_of_close_edges,
    without_columns_like_identifiers,
)
from suffice.estimators.trees.near_identifiers import without_near_identifiers
from suffice.estimators.trees.rules import Rules
from suffice.explain.path import PathExplanation, explain_path
from suffice.models.trees.nodes import Nodes
from suffice.models.trees.routing import SEVERAL
from suffice.models.trees.rules import path_rules
from suffice.models.trees.tree import TreeModel
from suffice.report.split_work import SplitWork, split_work
from suffice.report.tree.picture import TreePicture, tree_picture
from suffice.schema import AnyArray, Array, Batch, Codes, Schema
from suffice.settings import is_number, is_whole
from suffice.solve.trees.by_level.budget import Budget
from suffice.solve.trees.by_level.learn_by_level import TreeByLevel
from suffice.solve.trees.candidate_splits import candidate_splits, rows_at
from suffice.solve.trees.close_values import warn_of_close_values
from suffice.solve.trees.learn import (
    TreeSettings,
    gain_of_splits,
    learn,
    learn_without_folds,
    require_settings,
    with_other_pruning,
)
from suffice.solve.trees.row_facts import RowFacts
from suffice.solve.trees.training_rows import RowReading, TrainingRows
from suffice.sources import Rows, column_names, gathered
from suffice.sources.keeping.kept import encoded_there
from suffice.sources.keeping.memory_setting import bytes_asked_for
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.moments.column_moments import require_no_infinity

CONFIDENCE = 0.25


class DecisionTree(Refitted):
    """A tree: its settings and, once fitted, its nodes."""

    _work = "growing the tree"
    criterion: str
    splits: str
    missing: str
    prune: str | None
    confidence: float = CONFIDENCE  # a setting of trees of classes only: numbers have no errors to count
    max_depth: int | None
    min_leaf: float
    min_split: float
    max_leaves: int | None
    min_weight_fraction_leaf: float
    random_state: Any
    memory: Any
    model_: TreeModel
    feature_position_: Codes

    _classifies: bool

    @abstractmethod
    def _row_reading(self, measure: Callable[[type[ClassWeights]], ClassWeights], schema: Schema) -> RowReading:
        """How rows are taken; `measure` finds the weight of every class, where that matters."""

    @abstractmethod
    def _model(self, schema: Schema, nodes: Nodes) -> TreeModel:
        """The model of a grown tree."""

    def _require_outcomes(self, rows: RowFacts) -> None:
        """What is asked of the outcomes of all rows."""

    def _rows(self, batch: Batch) -> TrainingRows:
        """The rows of a batch with their outcomes and weights."""
        rows = self._row_reading(lambda statistic: statistic.of(batch), batch.schema).of(batch)
        self._require_outcomes(rows)
        return rows

    def _rows_of(self, X: Any, y: Any, sample_weight: Any) -> TrainingRows:
        """The rows of a table that is read as the training table was."""
        return self._rows(gathered(self._table(X, self._labels(y), sample_weight)))

    def _settings(self) -> TreeSettings:
        require_own_value("criterion", self.criterion)
        settings = TreeSettings(
            self.criterion,
            self.splits,
            self.missing,
            self.prune,
            self.confidence,
            self.max_depth,
            self.min_leaf,
            self.min_split,
            self.max_leaves,
            self.min_weight_fraction_leaf,
            _seed(self.random_state),
        )
        require_settings(settings, self._classifies)
        return settings

    # Training ---------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Train on a table. y is an array, or the name of the table's target column.

        X may be an array, a data frame, the path or glob of files, a DuckDB relation, or rows elsewhere. Where they do
        not fit into `memory`, the tree is grown in passes over them. `sample_weight` is an array or the name of a
        column. A fit that fails leaves the estimator as it was.

        >>> import suffice as sf
        >>> sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis").leaf_count
        5
        """
        with self._learning(X, y, sample_weight) as table:
            budget = Budget(bytes_asked_for(self.memory))
            if fits(table, budget):
                self._accept(self._fold_model(self._training_batch(table)))
            else:
                self._accept(self._model_by_level(table, budget))
        return self

    def _require_own_settings(self) -> None:
        self._settings()

    def _model_by_level(self, table: Rows, budget: Budget) -> TreeModel:
        """The model of a table whose rows do not fit into memory."""
        settings = self._settings()
        keep = column_names(self.keep) if self.splits == "binary" else None
        usable = encoded_there(without_columns_like_identifiers(table, keep))
        reading = self._row_reading(usable.measure, usable.schema)
        facts, edges = facts_and_edges(usable, reading)
        self._require_outcomes(facts)
        if settings.is_ratio:
            warn_of_close_edges(edges, usable.schema)
        return self._model(usable.schema, TreeByLevel(usable, reading, settings, budget).learn(facts, edges))

    def _fold_model(self, batch: Batch) -> TreeModel:
        """The model of the rows of a batch."""
        return self._model(batch.schema, learn(self._rows(batch), self._settings()))

    def _models_without_folds(self, batch: Batch, fold: Codes, count: int) -> Iterator[TreeModel] | None:
        """The models of all folds, where their trees share work; not where weights of classes depend on the rows."""
        reading = self._row_reading(lambda statistic: statistic.of(batch), batch.schema)
        if len(reading.factors):
            return None
        nodes = learn_without_folds(reading.of(batch), fold, count, self._settings())
        return None if nodes is None else (self._model(batch.schema, tree) for tree in nodes)

    def _training_batch(self, table: Rows) -> Batch:
        """All rows, without columns that a split in two could fit to anything."""
        batch = gathered(table, by_column=True, memory=self.memory)
        require_no_infinity(batch)
        if self.criterion == "gain_ratio":
            warn_of_close_values(batch)
        return without_near_identifiers(batch, column_names(self.keep)) if self.splits == "binary" else batch

    def _numbers(self, table: Rows) -> float:
        """The weight of every class in every node, of which a class has one at least to be predicted."""
        return float(table.schema.class_count**2)

    # Reading ----------------------------------------------------------------------------------------------------

    @property
    def node_count(self) -> int:
        """How many nodes the tree has, leaves included."""
        return self._fitted().nodes.count

    @property
    def leaf_count(self) -> int:
        """How many leaves the tree has."""
        return self._fitted().nodes.leaf_count

    @property
    def depth(self) -> int:
        """How many tests the longest path has."""
        return self._fitted().nodes.depth

    def explain(self, row: Any, top: int | None = None) -> PathExplanation:
        """The path of one row: every test, the training rows at each node, the answer.

        `row` is a mapping of names to values, a sequence, or a table of one row; names that are not given are
        missing. A path is shown whole, whatever `top` says.

        >>> import suffice as sf
        >>> tree = sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis")
        >>> tree.explain({"Outlook": "Sunny", "Humidity": "High"}).prediction
        'No'
        """
        return explain_path(self._fitted(), self._one_row(row))

    def rules(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Rules:
        """The tree as if-then rules, one for every path.

        >>> import suffice as sf
        >>> tree = sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis")
        >>> print(tree.rules().formula("No"))
        (Outlook = Rain ∧ Wind = Strong) ∨ (Outlook = Sunny ∧ Humidity = High)
        """
        if X is not None:
            raise SettingError("Only rules of classes can be simplified; call rules() without rows.")
        return Rules.of(path_rules(self._fitted()))

    def best_splits(self, X: Any, y: Any, node: int = 0, sample_weight: Any = None) -> SplitWork:
        """Candidate splits at a node: what every column would gain there, of the given rows, and which is chosen.

        >>> import suffice as sf
        >>> tennis = sf.datasets.load("play_tennis")
        >>> work = sf.id3().fit(tennis, "PlayTennis").best_splits(tennis, "PlayTennis")
        >>> work.best, round(work["Humidity"].gain, 3)
        ('Outlook', 0.152)
        """
        tree, settings = self._fitted(), self._settings()
        if not is_whole(node) or node >= tree.nodes.count:
            raise SettingError(f"The tree has the nodes 0 to {tree.nodes.count - 1}; there is no node {node!r}.")
        every_row = self._rows_of(X, y, sample_weight)
        rows = rows_at(tree.nodes, every_row, int(node), self._classifies)
        if not rows.count:
            raise SettingError(f"None of these rows comes to node {node}. Give the rows the tree was trained on.")
        impurity, work = candidate_splits(rows, every_row, settings.rule(every_row), int(tree.nodes.level[node]))
        return split_work(tree.schema, int(node), rows.total_weight, settings.criterion, impurity, work)

    def plot(self, depth: int | None = None) -> TreePicture:
        """The tree as a picture (SVG), drawn down to `depth`, by default as deep as stays legible.

        >>> import suffice as sf
        >>> picture = sf.id3().fit(sf.datasets.load("play_tennis"), "PlayTennis").plot()
        >>> picture.svg.startswith("<svg")
        True
        """
        return tree_picture(self._fitted(), depth)

    def _repr_html_(self) -> str:
        """The picture in a notebook, once the tree is fitted."""
        if not hasattr(self, "model_"):
            html: str = super()._repr_html_inner()
            return html
        return self.plot()._repr_html_()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_()}

    # Pruning ----------------------------------------------------------------------------------------------------

    def pruned(
        self,
        prune: str | None = None,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        confidence: float | None = None,
        alpha: float | None = None,
        max_leaves: int | None = None,
    ) -> Self:
        """A smaller tree, in a new estimator; this one stays as it is.

        "pessimistic" prunes by the tree's own counts, and raises subtrees where the training rows are given too;
        "reduced_error" needs rows the tree has not seen; "cost_complexity" needs `alpha` (errors per row that a leaf
        must save), or the training rows to choose it by cross-validation. `max_leaves` keeps the most gainful splits.

        >>> import suffice as sf
        >>> tree = sf.c45(prune=None).fit(sf.datasets.load("iris"), "species")
        >>> tree.leaf_count, tree.pruned("pessimistic").leaf_count, tree.pruned(max_leaves=3).leaf_count
        (7, 5, 3)
        """
        tree = self._fitted()
        settings = replace(self._settings(), prune=prune, max_leaves=max_leaves)
        settings = settings if confidence is None else replace(settings, confidence=confidence)
        require_settings(settings, self._classifies)
        if alpha is not None and not (is_number(alpha) and alpha >= 0):
            raise SettingError(f"alpha must be a number of at least 0, not {alpha!r}.")
        rows = None if X is None else self._rows_of(X, y, sample_weight)
        nodes = with_other_pruning(tree.nodes, rows, settings, alpha, float(tree.weight[0]))
        return self._with_model(replace(tree, nodes=nodes))

    # As scikit-learn's users expect -----------------------------------------------------------------------------

    @property
    def feature_importances_(self) -> Array:
        """Mean decrease in impurity: by how much each column's tests lower it, as shares; 0 for columns left out."""
        tree = self._fitted()
        gain = np.maximum(gain_of_splits(tree.nodes, self.criterion), 0.0)
        total = np.zeros(len(tree.schema.columns))
        inner = tree.nodes.column >= 0
        np.add.at(total, tree.nodes.column[inner], gain[inner])
        importances = np.zeros(self.n_features_in_)
        importances[self.feature_position_] = total
        return importances / total.sum() if total.sum() > 0 else importances

    def get_depth(self) -> int:
        """How many tests the longest path has, as `depth`."""
        return self.depth

    def get_n_leaves(self) -> int:
        """How many leaves the tree has, as `leaf_count`."""
        return self.leaf_count

    def apply(self, X: Any) -> AnyArray:
        """The leaf every row reaches: of several, the one with the largest share."""
        leaves: AnyArray = self._beside(X, self._leaves, (0,), "leaf", np.int64)
        return leaves

    def _leaves(self, batch: Batch) -> AnyArray:
        leaves = self._fitted().leaves(batch).astype(np.int64)
        for row in np.flatnonzero(leaves == SEVERAL):
            found, share = self._fitted().leaf_shares(batch, int(row))
            leaves[row] = found[share.argmax()]
        return leaves

    def decision_path(self, X: Any) -> csr_matrix:
        """Which nodes every row comes by: a sparse matrix (row, node) of ones."""
        paths = self._of_rows(X, self._paths, (0, 0), object)
        counts = np.array([len(path) for path in paths], dtype=np.int64)
        indices = np.concatenate([np.empty(0, dtype=np.int64), *paths]).astype(np.int64)
        pointers = np.concatenate([[0], np.cumsum(counts)])
        return csr_matrix((np.ones(len(indices), dtype=np.int64), indices, pointers), (len(counts), self.node_count))

    def _paths(self, batch: Batch) -> AnyArray:
        tree = self._fitted()
        leaves = tree.leaves(batch)
        above = {leaf: _with_ancestors(tree.nodes, [leaf]) for leaf in np.unique(leaves).tolist() if leaf != SEVERAL}
        paths = np.empty(batch.rows, dtype=object)
        for row, leaf in enumerate(leaves.tolist()):
            if leaf == SEVERAL:
                paths[row] = _with_ancestors(tree.nodes, tree.leaf_shares(batch, row)[0].tolist())
            else:
                paths[row] = above[leaf]
        return paths

    def _remember(self, X: Any, y: Any, table: Rows) -> None:
        super()._remember(X, y, table)
        self.feature_position_ = _positions(self._fitted(), table.names)

    @classmethod
    def _restored(cls, content: Any) -> Self:
        estimator = super()._restored(content)
        estimator._settings()
        estimator.feature_position_ = _positions(estimator._fitted(), feature_names(estimator))
        return estimator


def _positions(tree: TreeModel, features: tuple[str, ...]) -> Codes:
    where = {name: position for position, name in enumerate(features)}
    return np.array([where[name] for name in tree.schema.names], dtype=np.int32)


def _with_ancestors(nodes: Nodes, leaves: list[int]) -> AnyArray:
    return np.array(sorted({node for leaf in leaves for node in nodes.path(leaf)}), dtype=np.int64)


def _seed(random_state: Any) -> int:
    """A seed for the folds that pruning may need; nothing else is random."""
    if random_state is None:
        return 0
    if is_whole(random_state):
        return int(random_state)
    if isinstance(random_state, (np.random.RandomState, np.random.Generator)):
        draw = random_state.integers if isinstance(random_state, np.random.Generator) else random_state.randint
        return int(draw(0, 2**31 - 1))
    raise SettingError(f"random_state must be None or a whole number of at least 0, not {random_state!r}.")
