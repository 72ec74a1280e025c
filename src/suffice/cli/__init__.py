"""The command line: the library's verbs on files, globs and built-in tables."""

from suffice.cli.app import app, main

__all__ = ["app", "main"]
