// The perceptron: the class whose score θ_k·x is largest; it has no probabilities.

import { contributions } from "./design.js";
import { summed } from "./shares.js";

export function perceptron(model, row) {
  const parts = contributions(model, row);
  const found = summed(parts.map((part) => part.logs), model.weights.length);
  const scores = found.length === 1 ? [-found[0], found[0]] : found;
  return { probabilities: null, parts, scores: found, classScores: scores, kind: "contributions" };
}
