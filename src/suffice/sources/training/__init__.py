"""Reading a table to train on: its schema is found, in the pass that measures where that is possible."""
