"""The counted path: nodes of many rows are split by histograms of coded columns, no row is sorted."""
