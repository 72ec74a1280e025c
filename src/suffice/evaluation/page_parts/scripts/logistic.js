// Logistic regression: ln P(k | x) / P(reference | x) = w_k·x.

import { contributions } from "./design.js";
import { sharesOf, summed } from "./shares.js";

export function logisticRegression(model, row) {
  const parts = contributions(model, row);
  const logOdds = summed(parts.map((part) => part.logs), model.weights.length);
  const scores = [...logOdds];
  scores.splice(model.reference, 0, 0);
  return { probabilities: sharesOf(scores), parts, scores: logOdds, kind: "contributions", reference: model.reference };
}
