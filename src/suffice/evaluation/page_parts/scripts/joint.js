// Joint Bayes: P(x | c) counted for whole combinations of values, (n + s) / (N + s·cells).

import { plain } from "./likelihoods.js";
import { sharesOf, summed } from "./shares.js";

export function jointBayes(model, row) {
  const { cells, table, cuts } = model.counts;
  const own = combination(model.schema, cuts, row);
  const place = cells.findIndex((cell) => cell.every((code, j) => code === own[j]));
  const counted = model.priors.map((_, k) => summed(table, model.priors.length)[k]);
  const below = counted.map((weight) => weight + (model.smoothing ? model.smoothing * cellCount(model) : 0));
  const above = model.priors.map((_, k) => (place < 0 ? 0 : table[place][k]) + model.smoothing);
  const parts = [
    { name: "prior", shown: "", logs: model.priors.map(Math.log), texts: model.priors.map(plain) },
    {
      name: "combination",
      shown: place < 0 ? "never seen in training" : `row ${place + 1} of the table`,
      logs: above.map((n, k) => (below[k] > 0 ? Math.log(n) - Math.log(below[k]) : -Infinity)),
      texts: above.map((n, k) => `${plain(n)}/${plain(below[k])}`),
    },
  ];
  const scores = summed(parts.map((part) => part.logs), model.priors.length);
  const notes = place < 0 && !model.smoothing ? ["No training row has this combination; the class priors are used."] : [];
  return { probabilities: sharesOf(scores, model.priors), parts, scores, notes, kind: "factors" };
}

// The code of every column: of its level, or of the interval between its cuts; -1 is missing.
function combination(schema, cuts, row) {
  let numeric = 0;
  return schema.columns.map((column) => {
    const value = row.value[column.name];
    if (column.type === "Nominal") return value;
    const own = cuts[numeric++];
    return Number.isNaN(value) ? -1 : own.filter((cut) => cut < value).length;
  });
}

// How many combinations there could be; missing is one more value where training rows had it.
function cellCount(model) {
  let numeric = 0;
  return model.schema.columns.reduce((product, column, j) => {
    const values = column.type === "Nominal" ? column.levels.length : model.counts.cuts[numeric++].length + 1;
    return product * Math.max(values + (model.counts.cells.some((cell) => cell[j] < 0) ? 1 : 0), 1);
  }, 1);
}
