"""Which models take part in a comparison or a learning curve, and about how long they take."""
