"""The presorted path: nodes of few rows, every column sorted once and divided in order."""
