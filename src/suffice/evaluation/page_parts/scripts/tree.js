// Decision trees: the way of a row from the root; where a value is missing it may go down every branch by its share.

export function decisionTree(model, row) {
  const tree = model.tree ?? (model.tree = prepareTree(model));
  const answer = new Array(tree.answers[0].length).fill(0);
  const steps = [];
  const waiting = [{ node: 0, share: 1 }];
  while (waiting.length) {
    const { node, share } = waiting.pop();
    steps.push({ node, share });
    if (!model.nodes.branch_count[node]) {
      tree.answers[node].forEach((part, k) => (answer[k] += share * part));
      continue;
    }
    const first = model.nodes.first_branch[node];
    const branch = branchOf(model, node, row);
    if (branch >= 0) waiting.push({ node: first + branch, share });
    else
      for (let child = first + model.nodes.branch_count[node] - 1; child >= first; child--)
        if (tree.share[child] > 0) waiting.push({ node: child, share: share * tree.share[child] });
  }
  const isNumber = model.type === "RegressionTree";
  return { probabilities: isNumber ? null : answer, number: isNumber ? answer[0] : undefined, steps, kind: "path" };
}

function prepareTree(model) {
  const { nodes } = model;
  const isNumber = model.type === "RegressionTree";
  const count = nodes.column.length;
  const weight = nodes.statistic.map((own) => (isNumber ? own[0] : own.reduce((sum, part) => sum + part, 0)));
  const parent = new Array(count).fill(-1);
  const share = new Array(count).fill(1);
  for (let node = 0; node < count; node++) {
    const children = childrenOf(nodes, node);
    const total = children.reduce((sum, child) => sum + weight[child], 0);
    for (const child of children) {
      parent[child] = node;
      share[child] = weight[child] / (total > 0 ? total : 1);
    }
  }
  const source = weight.map((_, node) => {
    while (weight[node] <= 0 && node > 0) node = parent[node];
    return node; // the nearest node, itself or above, that has rows
  });
  const mean = (node) => [nodes.statistic[node][1]];
  const classShares = (node, added) => nodes.statistic[node].map((part, _, { length }) => (part + added / length) / (weight[node] + added));
  const counted = source.map((node) => (isNumber ? mean(node) : classShares(node, 0)));
  const answers = source.map((node) => (isNumber ? mean(node) : classShares(node, model.leaf_smoothing))); // m rows, spread evenly, join each leaf
  return { weight, parent, share, source, counted, answers };
}

export function childrenOf(nodes, node) {
  return Array.from({ length: nodes.branch_count[node] }, (_, i) => nodes.first_branch[node] + i);
}

// The branch a row takes at a node; -1: every one.
function branchOf(model, node, row) {
  const { nodes } = model;
  const column = model.schema.columns[nodes.column[node]];
  const value = row.value[column.name];
  if (column.type === "Numeric") return Number.isNaN(value) ? nodes.missing_branch[node] : value <= nodes.threshold[node] ? 0 : 1;
  if (value < 0) return nodes.missing_branch[node];
  return nodes.subset[node] < 0 ? value : nodes.takes_first[nodes.subset[node] + value] ? 0 : 1;
}

// What a row must fulfil to take a branch.
export function conditionOf(model, node, branch) {
  const { nodes } = model;
  const column = model.schema.columns[nodes.column[node]];
  if (column.type === "Numeric") {
    const threshold = nodes.threshold[node];
    if (threshold === Infinity) return `${column.name} is ${branch === 0 ? "known" : "missing"}`;
    return `${column.name} ${branch === 0 ? "≤" : ">"} ${shownValue(column, threshold)}`;
  }
  const begin = nodes.subset[node];
  const levels = begin < 0 ? [column.levels[branch]] : column.levels.filter((_, i) => nodes.takes_first[begin + i] === (branch === 0));
  if (!levels.length || (begin >= 0 && levels.length === column.levels.length && levels.length > 1)) return `${column.name} is ${levels.length ? "known" : "missing"}`;
  if (levels.length === 1) return `${column.name} = ${levels[0]}`;
  const named = levels.slice(0, 12).join(", ");
  return `${column.name} in {${named}${levels.length > 12 ? `, … ${levels.length - 12} more` : ""}}`;
}

// Numbers below one another, each with as many decimals as the one that has most.
export function alignedValues(values) {
  const texts = values.map((value) => shownValue({ time: "" }, value));
  if (texts.some((text) => text.includes("e"))) return texts;
  const decimals = Math.max(...texts.map((text) => (text.split(".")[1] ?? "").length));
  return values.map((value) => value.toFixed(decimals).replace("-", "−"));
}

// Six digits; a time as people write it.
export function shownValue(column, value) {
  if (column.time === "moment") return new Date(value * 1000).toISOString().replace("T", " ").replace(/( 00:00:00)?\.000Z$/, "");
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(6)));
}
