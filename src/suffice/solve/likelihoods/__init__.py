"""Likelihoods of naive Bayes, each solved from its statistic."""
