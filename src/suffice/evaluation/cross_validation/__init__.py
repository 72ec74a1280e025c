"""Models judged on folds of a table, each by a model of the other folds: in one pass, or by refitting."""
