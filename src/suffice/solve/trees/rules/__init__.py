"""Rules from trees, as C4.5rules learns them."""
