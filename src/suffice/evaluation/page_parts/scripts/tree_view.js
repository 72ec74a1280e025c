// The tree as an outline that folds; branches are made when they are first unfolded, so that large trees stay light.

import { bar, swatch } from "./bars.js";
import { make, percentText, weightText } from "./elements.js";
import { childrenOf, conditionOf, decisionTree, shownValue } from "./tree.js";

const OPEN_LEVELS = 3;
const MOST_UNFOLDED = 2000; // lines of a tree at once
const MOST_BRANCHES = 24; // of a node: the lighter ones wait behind a line of their own

export function drawTree(page, name, place) {
  const model = page.models.get(name);
  if (!model) return null;
  if (!model.tree) decisionTree(model, emptyRow(model));
  const view = { page, model, items: new Map(), lighter: new Map() };
  place.replaceChildren(nodeItem(view, 0, "all rows", 0));
  return (found) => markPath(view, found);
}

function emptyRow(model) {
  const value = Object.create(null);
  for (const column of model.schema.columns) value[column.name] = column.type === "Numeric" ? NaN : -1;
  return { value };
}

function nodeItem(view, node, condition, level) {
  const { model } = view;
  const isLeaf = !model.nodes.branch_count[node];
  const label = [make("span", { class: "condition", text: condition }), ...answerOf(view, node, isLeaf)];
  const title = countsOf(view, node);
  if (isLeaf) {
    const item = make("div", { class: "node leaf", title }, ...label);
    view.items.set(node, item);
    return item;
  }
  const children = childrenOf(model.nodes, node);
  const item = folder("node", make("summary", { title }, ...label), () => branchesOf(view, node, children, level));
  view.items.set(node, item);
  if (level < OPEN_LEVELS) unfold(item);
  return item;
}

// Something that is filled when it is first unfolded.
function folder(kind, summary, fillWith) {
  const item = make("details", { class: kind }, summary);
  item.fill = () => {
    if (item.dataset.filled) return;
    item.dataset.filled = "yes";
    item.append(make("div", { class: "branches" }, ...fillWith()));
  };
  item.addEventListener("toggle", () => item.open && item.fill());
  return item;
}

function unfold(item) {
  item.fill();
  item.open = true;
}

function branchesOf(view, node, children, level) {
  const { model } = view;
  const itemsOf = (chosen) => chosen.map((child) => nodeItem(view, child, conditionOf(model, node, child - model.nodes.first_branch[node]), level + 1));
  if (children.length <= MOST_BRANCHES) return itemsOf(children);
  const heaviest = new Set([...children].sort((a, b) => model.tree.weight[b] - model.tree.weight[a]).slice(0, MOST_BRANCHES));
  const rest = children.filter((child) => !heaviest.has(child));
  const rows = rest.reduce((sum, child) => sum + model.tree.weight[child], 0);
  const line = make("summary", {}, make("span", { class: "count", text: `${rest.length} more branches, n = ${weightText(rows)} together` }));
  const lighter = folder("node lighter", line, () => itemsOf(rest));
  view.lighter.set(node, { lighter, rest: new Set(rest) });
  return [...itemsOf(children.filter((child) => heaviest.has(child))), lighter];
}

function answerOf(view, node, isLeaf) {
  const { page, model } = view;
  const answer = model.tree.counted[node];
  const weight = weightText(model.tree.weight[node]);
  if (model.type === "RegressionTree") return [make("span", { class: "answer", text: shownValue({ time: "" }, answer[0]) }), make("span", { class: "count", text: `n = ${weight}` })];
  const decision = answer.indexOf(Math.max(...answer));
  const named = isLeaf ? [swatch(page.colours[decision]), make("span", { class: "answer", text: page.classes[decision] })] : [];
  return [...named, bar(page, answer), make("span", { class: "count", text: `n = ${weight}` })];
}

function countsOf(view, node) {
  const { page, model } = view;
  const own = model.nodes.statistic[node];
  if (model.type === "RegressionTree") return `n = ${weightText(own[0])}, mean ${shownValue({ time: "" }, own[1])}, standard deviation ${shownValue({ time: "" }, own[0] > 0 ? Math.sqrt(own[2] / own[0]) : 0)}`;
  const total = model.tree.weight[node];
  if (!(total > 0)) return "no training row came here; it answers as the node above";
  const parts = own.map((count, k) => [count, k]).filter(([count]) => count > 0).sort((a, b) => b[0] - a[0]);
  const lines = parts.slice(0, 12).map(([count, k]) => `${page.classes[k]}: ${weightText(count)} (${percentText(count / total)})`);
  return [`n = ${weightText(total)}`, ...lines, ...(parts.length > 12 ? [`… and ${parts.length - 12} more classes`] : [])].join("\n");
}

// Unfold the way of a row and mark it.
function markPath(view, found) {
  for (const item of view.items.values()) item.classList.remove("on-path");
  for (const { node } of found.steps) {
    const parent = view.model.tree.parent[node];
    const above = parent < 0 ? null : view.items.get(parent);
    if (above?.fill && view.page.isWatched?.()) {
      unfold(above);
      const { lighter, rest } = view.lighter.get(parent) ?? {};
      if (rest?.has(node)) unfold(lighter);
    }
    view.items.get(node)?.classList.add("on-path");
  }
}

// Fold or unfold a tree, from the root down, until so many lines are to be seen.
export function foldAll(place, isOpen, most = MOST_UNFOLDED) {
  let left = most;
  const waiting = [...place.querySelectorAll(":scope > details")];
  while (waiting.length && left > 0) {
    const item = waiting.shift();
    if (isOpen) item.fill();
    const lines = item.querySelectorAll(":scope > .branches > .node").length;
    item.open = isOpen && lines <= left;
    if (isOpen && !item.open) continue;
    left -= lines;
    waiting.push(...item.querySelectorAll(":scope > .branches > details"));
  }
}
