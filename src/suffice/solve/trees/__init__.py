"""Decision trees: how they are grown, exactly and fast, and how they are pruned."""
