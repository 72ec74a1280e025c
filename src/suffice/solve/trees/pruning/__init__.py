"""Pruning: C4.5's pessimistic, reduced error, cost complexity; the folds they need; the limit on leaves."""
