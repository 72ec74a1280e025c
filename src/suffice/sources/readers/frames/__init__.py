"""Tables in memory: arrays, data frames, sparse matrices, and single columns."""
