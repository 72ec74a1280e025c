"""Distributions of records without a target: joint tables and densities."""
