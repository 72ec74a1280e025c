"""ARFF files: Weka's tables, whose headers declare the columns; their cells, dates and attributes."""
