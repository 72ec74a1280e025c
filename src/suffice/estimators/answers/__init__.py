"""What a fitted model is asked: one stream of answers, and the forms they come in."""
