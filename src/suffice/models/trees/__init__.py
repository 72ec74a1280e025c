"""Fitted trees: their nodes, the way rows take through them, the rules they are read as."""
