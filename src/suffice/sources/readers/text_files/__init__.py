"""Files of text: CSV and JSON, packed or not, in whatever encoding."""
