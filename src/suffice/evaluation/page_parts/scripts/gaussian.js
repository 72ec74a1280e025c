// Gaussian discriminant analysis: x given c is N(μ_c, Σ_c); missing values are integrated out, which for a Gaussian means
// to leave out their rows and columns.

import { plain } from "./likelihoods.js";
import { sharesOf, summed } from "./shares.js";

const LOG_TWO_PI_EACH = Math.log(2 * Math.PI);
const FARTHEST = 1e150;

export function gaussianDiscriminant(model, row) {
  const { prepared } = model.ready ?? (model.ready = { prepared: prepare(model) });
  const x = expanded(model, row);
  const chosen = prepared.every.filter((place) => !Number.isNaN(x[place]));
  const z = chosen.map((place) => (x[place] - prepared.centre[place]) / prepared.scale[place]);
  const steps = whitened(model, prepared, chosen, z);
  const parts = [priorPart(model), ...columnParts(model, prepared, chosen, steps)];
  const scores = model.covariance.length === 1 ? linearScores(model, prepared, chosen, z) : summed(parts.map((part) => part.logs), model.priors.length);
  return { probabilities: sharesOf(scores, model.priors), parts, scores, kind: "factors" };
}

function priorPart(model) {
  return { name: "prior", shown: "", logs: model.priors.map(Math.log), texts: model.priors.map(plain) };
}

// Means measured from their centre, in units of the standard deviations.
function prepare(model) {
  const size = model.dimensions.length;
  const every = Array.from({ length: size }, (_, i) => i);
  const centre = every.map((i) => model.priors.reduce((sum, prior, k) => sum + prior * model.mean[k][i], 0));
  const scale = every.map((i) => Math.sqrt(model.covariance.reduce((sum, matrix) => sum + matrix[i][i], 0) / model.covariance.length));
  return { every, centre, scale, lowers: new Map(), columns: sourceColumns(model) };
}

// For every used dimension the name of its column.
function sourceColumns(model) {
  const names = model.schema.columns.filter((column) => column.type === "Numeric").map((column) => column.name);
  model.schema.columns.filter((column) => column.type === "Nominal").forEach((column, q) => {
    for (let i = 0; i < model.indicators.kept[q].length; i++) names.push(column.name);
  });
  const nominal = model.schema.columns.filter((column) => column.type === "Nominal");
  for (const q of model.indicators.gaps) names.push(nominal[q].name);
  return model.dimensions.map((dimension) => names[dimension]);
}

// The used dimensions of a row: its numbers, an indicator for each level that has one, last those of missing values.
function expanded(model, row) {
  const all = [...row.numbers];
  const gaps = model.indicators.gaps;
  model.schema.columns.filter((column) => column.type === "Nominal").forEach((column, q) => {
    const code = row.codes[q];
    const missing = gaps.includes(q) ? 0 : NaN;
    for (const level of model.indicators.kept[q]) all.push(code < 0 ? missing : level === column.levels[code] ? 1 : 0);
  });
  for (const q of gaps) all.push(row.codes[q] < 0 ? 1 : 0);
  return model.dimensions.map((dimension) => all[dimension]);
}

// The Cholesky factors of the chosen dimensions in standard units, worked out once for each pattern of missing values.
function lowersOf(model, prepared, chosen) {
  const key = chosen.join(",");
  if (!prepared.lowers.has(key)) {
    const lowers = model.covariance.map((matrix) =>
      cholesky(chosen.map((i) => chosen.map((j) => matrix[i][j] / (prepared.scale[i] * prepared.scale[j])))));
    prepared.lowers.set(key, lowers);
  }
  return prepared.lowers.get(key);
}

export function cholesky(matrix) {
  const lower = matrix.map((line) => line.map(() => 0));
  for (let i = 0; i < matrix.length; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i][j];
      for (let k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k];
      lower[i][j] = i === j ? Math.sqrt(sum) : sum / lower[j][j];
    }
  }
  return lower;
}

function solveLower(lower, right) {
  const found = [];
  for (let i = 0; i < lower.length; i++) {
    let sum = right[i];
    for (let k = 0; k < i; k++) sum -= lower[i][k] * found[k];
    found.push(sum / lower[i][i]);
  }
  return found;
}

// By the chain rule ln of the density of each dimension given the ones before it, (class, dimension).
function whitened(model, prepared, chosen, z) {
  const lowers = lowersOf(model, prepared, chosen);
  return model.priors.map((_, k) => {
    const lower = lowers[lowers.length > 1 ? k : 0];
    const deviation = chosen.map((i, place) => z[place] - (model.mean[k][i] - prepared.centre[i]) / prepared.scale[i]);
    return solveLower(lower, deviation).map(
      (step, place) => -0.5 * (LOG_TWO_PI_EACH + step * step) - Math.log(lower[place][place]) - Math.log(prepared.scale[chosen[place]]));
  });
}

function columnParts(model, prepared, chosen, logs) {
  const found = new Map();
  chosen.forEach((i, place) => {
    const name = prepared.columns[i];
    if (!found.has(name)) found.set(name, { name, logs: model.priors.map(() => 0), texts: model.priors.map(() => "") });
    for (let k = 0; k < model.priors.length; k++) found.get(name).logs[k] += logs[k][place];
  });
  return [...found.values()];
}

// With a shared covariance the square of the row is the same in every class: scores are linear, and lose no digits.
function linearScores(model, prepared, chosen, z) {
  const [lower] = lowersOf(model, prepared, chosen);
  const row = solveLower(lower, z);
  const scores = model.priors.map((prior, k) => {
    const mean = solveLower(lower, chosen.map((i) => (model.mean[k][i] - prepared.centre[i]) / prepared.scale[i]));
    const score = mean.reduce((sum, part, i) => sum + part * row[i], 0);
    return Math.abs(score) > FARTHEST ? NaN : score - 0.5 * mean.reduce((sum, part) => sum + part * part, 0) + Math.log(prior);
  });
  return scores;
}
