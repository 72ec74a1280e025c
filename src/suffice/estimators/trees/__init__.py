"""Decision trees: the classic three, of classes and of numbers, in memory or in passes."""
