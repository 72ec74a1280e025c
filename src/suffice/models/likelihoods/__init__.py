"""Likelihoods P(column | class): the factors of naive Bayes."""
