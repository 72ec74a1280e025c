"""The version of suffice."""

__version__ = "0.1.0"
