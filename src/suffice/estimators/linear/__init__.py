"""Logistic regression, the perceptron, and whether a hyperplane separates classes."""
