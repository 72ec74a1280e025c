// All models of the page, by name; `predict(name, values)` is what Python's predict_proba computes.

import { decoded, decodedShared } from "./decode.js";
import { encoded } from "./encode.js";
import { gaussianDiscriminant } from "./gaussian.js";
import { jointBayes } from "./joint.js";
import { logisticRegression } from "./logistic.js";
import { naiveBayes } from "./naive_bayes.js";
import { perceptron } from "./perceptron.js";
import { firstOfEquals } from "./shares.js";
import { decisionTree } from "./tree.js";

const PREDICTORS = {
  NaiveBayesModel: naiveBayes,
  JointBayesModel: jointBayes,
  GaussianDiscriminantModel: gaussianDiscriminant,
  LogisticModel: logisticRegression,
  PerceptronModel: perceptron,
  ClassificationTree: decisionTree,
  RegressionTree: decisionTree,
};

export function readModels(document) {
  const shared = decodedShared(document.shared);
  return new Map(Object.entries(document.models).map(([name, model]) => [name, decoded(model, shared)]));
}

// `values` maps the names of columns to numbers, levels, texts or null.
export function predict(model, values) {
  const row = encoded(model.schema, values);
  const found = PREDICTORS[model.type](model, row);
  const decided = found.probabilities ?? found.classScores;
  return { ...found, row, decision: decided ? firstOfEquals(decided) : undefined };
}
