"""A model judged on rows whose answers are known: metrics, intervals, confusion, curves and costs."""
