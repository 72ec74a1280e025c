"""Rows that are kept in memory, and how many may be."""
