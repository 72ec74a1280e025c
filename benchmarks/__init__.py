"""Speed, as ratios to scikit-learn measured side by side in one run."""
