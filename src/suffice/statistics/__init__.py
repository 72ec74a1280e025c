"""Sufficient statistics: frozen summaries of rows, all that a solver needs; those of parts merge to the whole's."""
