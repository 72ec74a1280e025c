"""What is to be predicted: which column or array it is, what it holds, and the weights beside it."""
