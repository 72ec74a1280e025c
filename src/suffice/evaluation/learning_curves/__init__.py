"""How good models become with more rows."""
