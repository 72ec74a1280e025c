// Naive Bayes: ln P(c) + Σ_j ln P(x_j | c); a missing x_j contributes nothing.

import { LIKELIHOODS, plain } from "./likelihoods.js";
import { sharesOf, summed } from "./shares.js";

export function naiveBayes(model, row) {
  const prior = { name: "prior", shown: "", logs: model.priors.map(Math.log), texts: model.priors.map(plain) };
  const found = model.likelihoods.flatMap((part) => LIKELIHOODS[part.type](part, row));
  const place = new Map(model.schema.columns.map((column, position) => [column.name, position]));
  found.sort((one, other) => place.get(one.name) - place.get(other.name));
  const parts = [prior, ...found];
  const scores = summed(parts.map((part) => part.logs), model.priors.length);
  return { probabilities: sharesOf(scores, model.priors), parts, scores, kind: "factors" };
}
