// Why a model predicts what it does: the factors of a Bayes model, what columns add to a linear score, the path in a tree.

import { make, percentText, signed } from "./elements.js";
import { alignedValues, conditionOf, shownValue } from "./tree.js";

const MOST_PARTS = 20;
const MOST_COLUMNS = 4;

export function explanation(page, name, found, values) {
  const model = page.models.get(name);
  const notes = [...(found.notes ?? [])];
  if (found.row.missing.length && found.kind === "factors" && model.type !== "JointBayesModel") notes.push(`Missing, so left out: ${listed(found.row.missing)}.`);
  if (found.row.missing.length && found.kind === "contributions") notes.push(`Missing: ${listed(found.row.missing)}. A number is put at its mean, a level at the average of all, unless missing has a weight of its own.`);
  if (found.row.unseen.length) notes.push(`Never seen in training, read as missing: ${listed(found.row.unseen)}.`);
  const body = found.kind === "path" ? pathTable(page, model, found, values) : partsTable(page, model, found, values);
  return [make("h4", { text: `Why ${name} predicts ${verdict(page, found)}` }), body, ...notes.map((note) => make("p", { class: "note", text: note }))];
}

function verdict(page, found) {
  return found.number === undefined ? page.classes[found.decision] : shownValue({ time: "" }, found.number);
}

function listed(names) {
  return names.length > 8 ? `${names.slice(0, 8).join(", ")} and ${names.length - 8} more` : names.join(", ");
}

// Two classes: one bar of evidence for each part. More: the numbers of the most probable classes.
function partsTable(page, model, found, values) {
  const isFactors = found.kind === "factors";
  const classes = isFactors ? mostProbable(found) : found.scores.map((_, k) => k).slice(0, MOST_COLUMNS);
  const isPair = isFactors ? found.scores.length === 2 : found.scores.length === 1;
  const evidence = (logs) => (isFactors ? difference(logs[1], logs[0]) : logs[0]);
  const parts = ordered(found.parts, isFactors);
  const widest = Math.max(1e-9, ...parts.map((part) => Math.abs(evidence(part.logs))).filter(Number.isFinite));
  const head = make("tr", {}, ...["", "value"].map((text) => make("th", { scope: "col", text })));
  const headings = classes.map((k) => (isFactors ? `ln P(· | ${page.classes[k]})` : scoreName(page, model, k)));
  head.append(...headings.map((text) => make("th", { scope: "col", class: "number", text })));
  if (isPair) head.append(make("th", { scope: "col", class: "evidence-head", text: `← ${page.classes[0]} | ${page.classes[1]} →` }));
  const body = make("tbody");
  for (const part of parts) {
    const line = make("tr", {}, make("th", { scope: "row", text: part.name }), make("td", { text: part.shown ?? valueText(model, part.name, values) }));
    for (const k of classes) line.append(make("td", { class: "number", text: signed(part.logs[k]), title: part.texts[k] }));
    if (isPair) line.append(make("td", { class: "evidence-cell" }, evidenceBar(page, evidence(part.logs), widest, model)));
    body.append(line);
  }
  const total = make("tr", { class: "total" }, make("th", { scope: "row", text: "sum" }), make("td"));
  for (const k of classes) total.append(make("td", { class: "number", text: signed(found.parts.reduce((sum, part) => sum + part.logs[k], 0)) }));
  const sum = signed(found.parts.reduce((sum, part) => sum + evidence(part.logs), 0));
  if (isPair) total.append(make("td", { class: "evidence-cell number", text: isFactors ? sum : "" })); // a score is its own evidence
  body.append(total);
  if (found.probabilities) {
    const last = make("tr", { class: "total" }, make("th", { scope: "row", text: "probability" }), make("td"));
    for (const k of classes) last.append(make("td", { class: "number", text: percentText(found.probabilities[isFactors ? k : classOfScore(model, k)]) }));
    if (isPair) last.append(make("td"));
    body.append(last);
  }
  return make("div", { class: "scroll" }, make("table", { class: "parts" }, make("thead", {}, head), body));
}

function difference(one, other) {
  return one === other ? 0 : one - other;
}

function mostProbable(found) {
  const shares = found.probabilities;
  const order = shares.map((_, k) => k);
  return shares.length <= MOST_COLUMNS ? order : order.sort((a, b) => shares[b] - shares[a]).slice(0, MOST_COLUMNS);
}

// Of many parts those that set the classes apart most, and the sum of the others.
function ordered(parts, isFactors) {
  if (parts.length <= MOST_PARTS) return parts;
  const spread = (logs) => (isFactors || logs.length > 1 ? Math.max(...logs) - Math.min(...logs) : Math.abs(logs[0]));
  const [first, ...rest] = parts;
  rest.sort((a, b) => spread(b.logs) - spread(a.logs));
  const others = rest.slice(MOST_PARTS);
  const sum = others.reduce((total, part) => total.map((log, k) => log + part.logs[k]), first.logs.map(() => 0));
  return [first, ...rest.slice(0, MOST_PARTS), { name: `${others.length} others`, shown: "", logs: sum, texts: sum.map(() => "") }];
}

function classOfScore(model, k) {
  return model.type === "LogisticModel" && k >= model.reference ? k + 1 : k;
}

function scoreName(page, model, k) {
  if (model.type === "LogisticModel") return `ln P(${page.classes[classOfScore(model, k)]}) / P(${page.classes[model.reference]})`;
  return `score of ${page.classes[model.weights.length === 1 ? 1 : k]}`;
}

function valueText(model, name, values) {
  const columns = model.schema.columns.filter((column) => name.split(" × ").includes(column.name) || column.name === name);
  return columns.map((column) => {
    const value = values[column.name] ?? null;
    return value === null ? "missing" : column.type === "Numeric" ? shownValue(column, value) : String(value);
  }).join(" × ");
}

function evidenceBar(page, evidence, widest, model) {
  const isFlipped = model.type === "LogisticModel" && model.reference === 1; // then the score speaks for the first class
  const towards = isFlipped ? -evidence : evidence;
  const made = make("span", { class: "evidence", title: signed(evidence) });
  const part = make("span", { class: towards < 0 ? "left" : "right" });
  part.style.width = `${50 * Math.min(1, Math.abs(towards) / widest)}%`;
  part.style.background = page.colours[towards < 0 ? 0 : 1];
  made.append(part);
  return made;
}

function classesText(page, shares) {
  const present = shares.map((share, k) => [share, k]).filter(([share]) => share > 0);
  present.sort((a, b) => b[0] - a[0]);
  return present.slice(0, 3).map(([share, k]) => `${page.classes[k]} ${percentText(share)}`).join(", ");
}

// Every node the row comes to, with its share of the row where a missing value parts it.
function pathTable(page, model, found, values) {
  const isNumber = found.number !== undefined;
  const isParted = found.steps.some(({ share }) => share < 1);
  const means = isNumber ? alignedValues(found.steps.map(({ node }) => model.tree.counted[node][0])) : [];
  const body = make("tbody");
  for (const [place, { node, share }] of found.steps.entries()) {
    const parent = model.tree.parent[node];
    const condition = parent < 0 ? "all training rows" : conditionOf(model, parent, node - model.nodes.first_branch[parent]);
    const column = parent < 0 ? null : model.schema.columns[model.nodes.column[parent]];
    const isLeaf = !model.nodes.branch_count[node];
    const counted = model.tree.counted[node];
    const told = isNumber ? means[place] : classesText(page, counted);
    body.append(make("tr", { class: isLeaf ? "total" : "" },
      make("th", { scope: "row", text: condition }),
      make("td", { text: column ? valueText(model, column.name, values) : "" }),
      make("td", { class: "number", text: model.tree.weight[node].toLocaleString("en-US", { maximumFractionDigits: 1 }) }),
      ...(isParted ? [make("td", { class: "number", text: share < 1 ? percentText(share) : "" })] : []),
      make("td", { class: isNumber ? "number" : told.length < 60 ? "whole" : "", text: told })));
  }
  if (!isNumber) body.append(make("tr", { class: "total" }, make("th", { scope: "row", text: "probability" }), make("td"), make("td"), ...(isParted ? [make("td")] : []), make("td", { class: "whole", text: classesText(page, found.probabilities) })));
  const head = make("tr", {}, ...["test", "value", "training rows", ...(isParted ? ["share of the row"] : []), isNumber ? "mean" : "classes there"].map((text) => make("th", { scope: "col", class: /rows|share|mean/.test(text) ? "number" : "", text })));
  return make("div", { class: "scroll" }, make("table", { class: "parts" }, make("thead", {}, head), body));
}
