"""Readers: whatever holds rows, recognised and read as chunks of raw columns."""
