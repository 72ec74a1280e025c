"""Naive Bayes for tables as they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from suffice.estimators.generative_classifier import GenerativeClassifier, require_same_parts
from suffice.estimators.inputs import require_vocabulary
from suffice.estimators.likelihood_setting import CHOSEN, KERNELS, likelihood_kinds, of_kind, reading_for
from suffice.models.generative import GenerativeModel
from suffice.models.likelihoods import bag_of_words
from suffice.models.likelihoods.gaussian import Gaussian
from suffice.models.likelihoods.likelihood import Likelihood
from suffice.models.logistic_form import logistic_weights
from suffice.models.logistic_weights import LogisticWeights
from suffice.models.naive_bayes import NaiveBayesModel
from suffice.schema import Array, Level, Schema, Text
from suffice.solve.likelihoods.bag_of_words import solve_bag_of_words
from suffice.solve.likelihoods.binned import solve_binned
from suffice.solve.likelihoods.categorical import solve_categorical
from suffice.solve.likelihoods.few_values import solve_few_values
from suffice.solve.likelihoods.gaussian import solve_gaussian
from suffice.solve.likelihoods.kernel_density import solve_kernel_density
from suffice.solve.likelihoods.poisson import solve_poisson
from suffice.solve.probabilities import class_priors, require_smoothing
from suffice.sources import Reading, Rows
from suffice.sources.reading import column_names
from suffice.statistics.chosen_columns import OfChosenColumns
from suffice.statistics.class_weights import ClassWeights
from suffice.statistics.counts import Counts
from suffice.statistics.moments.column_moments import MeasureMoments
from suffice.statistics.shapes import MeasureShapes, look_at_shapes, of_common_columns
from suffice.statistics.statistic import MeasureTogether, Together, under_one_schema
from suffice.statistics.totals import MeasureTotals
from suffice.statistics.value_counts import MeasureValueCounts, ValueCounts
from suffice.statistics.word_counts import MeasureWords

TALLY = 50  # numbers: what an empty tally takes
SHAPES = "shapes"
FEW_ROWS = 20_000  # up to which all numeric columns may have bins


class NaiveBayes(GenerativeClassifier):
    """Naive Bayes: per column a likelihood chosen by its type, all in one model.

    P(y | x) ∝ P(y)·Π_j P(x_j | y). Nominal columns are categorical, numeric ones Gaussian or cut into bins, whichever
    tells more of the class (leaving one row out), texts bags of words; `likelihoods` chooses otherwise, for all columns
    ("gaussian") or by name ({"visits": "poisson"}); there are categorical, bernoulli, gaussian, poisson, kde,
    binned_or_gaussian and binned_or_kde, and for text words, multinomial and bernoulli. `smoothing` also keeps a
    variance from vanishing in a class in which a number hardly varies; without it (0) numeric columns are Gaussian, by
    maximum likelihood. `class_weight` maps classes to what their rows count for, or is "balanced".

    Columns that look like text are read as such, and those named in `text`: the `vocabulary` most frequent words (None
    for all), their counts smoothed by `word_smoothing`.

    >>> import suffice as sf
    >>> model = sf.NaiveBayes(smoothing=0).fit(sf.datasets.load("play_tennis"), "PlayTennis")
    >>> print(model.explain({"Outlook": "Sunny", "Temperature": "Cool", "Humidity": "High", "Wind": "Strong"}))
                                    No            Yes
    -----------  ------  -------------  -------------
    prior                5/14 = 0.3571  9/14 = 0.6429
    Outlook      Sunny       3/5 = 0.6   2/9 = 0.2222
    Temperature  Cool        1/5 = 0.2   3/9 = 0.3333
    Humidity     High        4/5 = 0.8   3/9 = 0.3333
    Wind         Strong      3/5 = 0.6   3/9 = 0.3333
    -----------  ------  -------------  -------------
    = joint                    0.02057       0.005291
    posterior                   0.7954         0.2046
    <BLANKLINE>
    prediction: No
    """

    _family = "naive Bayes"
    model_: NaiveBayesModel
    _looks = (look_at_shapes,)
    _holds = NaiveBayesModel

    def __init__(
        self,
        likelihoods: Any = None,
        smoothing: float = 1.0,
        smoothing_prior: str = "uniform",
        shared_variance: bool = False,
        priors: Any = None,
        class_weight: Any = None,
        nominal: Any = None,
        missing_values: Any = None,
        keep: Any = None,
        drop: Any = None,
        text: Any = None,
        vocabulary: int | None = 10_000,
        word_smoothing: float = 0.1,
    ) -> None:
        self.likelihoods = likelihoods
        self.smoothing = smoothing
        self.smoothing_prior = smoothing_prior
        self.shared_variance = shared_variance
        self.priors = priors
        self.class_weight = class_weight
        self.nominal = nominal
        self.missing_values = missing_values
        self.keep = keep
        self.drop = drop
        self.text = text
        self.vocabulary = vocabulary
        self.word_smoothing = word_smoothing

    def logistic_weights(self, reference: Level | None = None) -> LogisticWeights:
        """The weights of the logistic function that the posterior is.

        Exact for shared-variance Gaussian, Bernoulli, categorical and Poisson columns, on rows without missing values.
        """
        return logistic_weights(self._fitted(), reference)

    @property
    def class_count_(self) -> Array:
        """The weight of the rows of each class."""
        return self._fitted().class_weight

    @property
    def theta_(self) -> Array:
        """The mean of each class (row) and Gaussian column, in the order of the table."""
        return self._gaussian().mean

    @property
    def var_(self) -> Array:
        """The variance of each class (row) and Gaussian column: pulled up where a class hardly varies."""
        return self._gaussian().variance

    def _gaussian(self) -> Gaussian:
        for part in self._fitted().likelihoods:
            if isinstance(part, Gaussian):
                return part
        raise AttributeError("No column of this model is Gaussian, so that there are no means and variances.")

    def _reading(self) -> Reading:
        reading = replace(super()._reading(), reads_text=True, text=column_names(self.text))
        return reading_for(self.likelihoods, reading)

    def _kinds(self, schema: Schema) -> dict[str, str]:
        """The likelihood of every column that is used."""
        return likelihood_kinds(self.likelihoods, schema)

    def _numbers(self, table: Rows) -> float:
        """A count per class and level; a weight, mean and sum of squares per class and number; or a tally."""
        schema = table.schema
        of_number = {"gaussian": 3, CHOSEN: 3 + TALLY, "poisson": 2, **dict.fromkeys(KERNELS, TALLY)}
        kinds = (of_number[kind] for kind in self._kinds(schema).values() if kind in of_number)
        words = sum(column.width or 10_000 for column in schema.text)
        return schema.class_count * (schema.level_offsets[-1] + sum(kinds) + words)

    def _measurement(self, table: Rows) -> MeasureTogether:
        return self._measure(table.schema, self._columns_with_shapes(table))

    def _columns_with_shapes(self, table: Rows) -> tuple[str, ...]:
        """Of a large table only columns whose first rows do not look Gaussian are worth tallying."""
        chosen = of_kind(self._kinds(table.schema), CHOSEN)
        rows = table.rows
        if not chosen or (rows is not None and rows <= FEW_ROWS):
            return chosen
        look = table.first(look_at_shapes)
        if look is None or (rows is None and look.rows <= FEW_ROWS):
            return chosen
        return tuple(name for name in chosen if name in look.far_from_gaussian)

    def _remeasurement(self, schema: Schema) -> MeasureTogether:
        shapes = self.statistic_.parts.get(SHAPES)
        if shapes is None:
            return self._measure(schema, None)
        return self._measure(schema, tuple(name for name in shapes.columns if name in schema.numeric_position))

    def _merged(self, added: Together) -> Self:
        """Shapes are kept where both have them."""
        mine, added = map(self._with_columns, under_one_schema(self.statistic_, added))
        if SHAPES in mine.parts and SHAPES in added.parts:
            one, two = of_common_columns(mine.parts[SHAPES], added.parts[SHAPES])
            mine, added = (Together({**part.parts, SHAPES: own}) for part, own in ((mine, one), (added, two)))
        require_same_parts(mine, added)
        return self._replace(mine.merge(added))

    def _with_columns(self, statistic: Together) -> Together:
        """Without the parts that lost all of their columns: those were empty, and turned out to have levels."""
        needed = self._measure(statistic.schema, ()).parts
        parts = statistic.parts.items()
        return Together({name: part for name, part in parts if name in needed or not _is_empty(part)})

    def _measure(self, schema: Schema, shapes: tuple[str, ...] | None) -> MeasureTogether:
        require_smoothing(self.smoothing, self.smoothing_prior)
        kinds = self._kinds(schema)
        parts: dict[str, Any] = {"classes": ClassWeights, "counts": Counts}
        parts["moments"] = MeasureMoments((*of_kind(kinds, "gaussian"), *of_kind(kinds, CHOSEN)))
        if shapes is not None and of_kind(kinds, CHOSEN):
            parts[SHAPES] = MeasureShapes(shapes)
        if of_kind(kinds, "poisson"):
            parts["totals"] = MeasureTotals(of_kind(kinds, "poisson"))
        if of_kind(kinds, *KERNELS):
            parts["values"] = MeasureValueCounts(of_kind(kinds, *KERNELS))
        if schema.text:
            require_smoothing(self.word_smoothing, self.smoothing_prior, "word_smoothing")
            require_vocabulary(self.vocabulary)
            parts["words"] = MeasureWords(of_kind(kinds, bag_of_words.MULTINOMIAL), may_be_negative=False)
        return MeasureTogether(parts)

    def _solve(self, statistic: Together) -> GenerativeModel:
        parts, schema = statistic.parts, statistic.schema
        kinds = self._kinds(schema)
        weight = parts["classes"].weight
        likelihoods: list[Likelihood] = []
        if schema.nominal:
            likelihoods.append(solve_categorical(parts["counts"], self.smoothing, self.smoothing_prior))
        likelihoods += self._numeric(parts, kinds)
        if of_kind(kinds, "poisson"):
            likelihoods.append(solve_poisson(parts["totals"]))
        if of_kind(kinds, *KERNELS):
            likelihoods += self._kernels(parts["values"], kinds)
        likelihoods += [self._bag_of_words(schema, column, kinds, parts) for column in schema.text]
        priors = class_priors(weight, schema.classes, self.priors)
        return NaiveBayesModel(schema, priors, tuple(likelihoods), weight)

    def _numeric(self, parts: Mapping[str, Any], kinds: Mapping[str, str]) -> list[Likelihood]:
        """Bins for columns that are better off with them, Gaussians for the others; without smoothing for all."""
        has_bins = self.smoothing > 0 and not self.shared_variance and SHAPES in parts
        binned = solve_binned(parts[SHAPES], self.smoothing, self.smoothing_prior) if has_bins else None
        gone = () if binned is None else binned.columns
        names = tuple(n for n, kind in kinds.items() if kind in ("gaussian", CHOSEN) and n not in gone)
        found: list[Likelihood] = []
        if names:
            found.append(solve_gaussian(parts["moments"], names, self.shared_variance, self.smoothing))
        return [*found, binned] if binned is not None and gone else found

    def _kernels(self, values: ValueCounts, kinds: Mapping[str, str]) -> list[Likelihood]:
        """Bins for columns of few values that are better off with them, kernels for others; unsmoothed, for all."""
        asked = values.chosen(of_kind(kinds, KERNELS[1]) if self.smoothing > 0 else ())
        binned = solve_few_values(asked, self.smoothing, self.smoothing_prior)
        others = values.chosen(tuple(name for name in values.tallies if name not in binned.columns))
        found: list[Likelihood] = [solve_kernel_density(others)] if others.tallies else []
        return [*found, binned] if binned.columns else found

    def _bag_of_words(
        self, schema: Schema, column: Text, kinds: Mapping[str, str], parts: Mapping[str, Any]
    ) -> Likelihood:
        table, kind = parts["words"].tables[column.name], kinds[column.name]
        smoothing, prior = self.word_smoothing, self.smoothing_prior
        return solve_bag_of_words(schema, column, table, kind, self.vocabulary, smoothing, prior)


def _is_empty(part: Any) -> bool:
    return isinstance(part, OfChosenColumns) and not part.columns
