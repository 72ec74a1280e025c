"""Information: entropies of columns, what a column tells of another, the ranking of a table's columns, codes."""

from suffice.information.codes import Code, optimal_code
from suffice.information.columns import conditional_entropy, entropy, mutual_information
from suffice.information.features import FeatureRanking, gain_ratio, information_gain, rank_features

__all__ = [
    "Code",
    "FeatureRanking",
    "conditional_entropy",
    "entropy",
    "gain_ratio",
    "information_gain",
    "mutual_information",
    "optimal_code",
    "rank_features",
]
