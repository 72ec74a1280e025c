"""The fitted models: immutable, each with a log-joint."""
