"""The level-by-level path: tables larger than memory, one pass for the histograms of all open nodes."""
