"""A tree as text and as a picture."""
