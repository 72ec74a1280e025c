// The terms of a linear model: a constant, standardised numbers, indicators of missing ones, a weight for every level,
// with degree 2 squares, products and pairs, and a weight for every word of a text.

// Where every cell's weight stands, and how the cells are laid out.
export function layoutOf(model) {
  const { design, schema } = model;
  const numeric = schema.columns.filter((column) => column.type === "Numeric");
  const nominal = schema.columns.filter((column) => column.type === "Nominal");
  const texts = schema.columns.filter((column) => column.type === "Text");
  const missing = numeric.map((_, j) => j).filter((j) => design.has_missing[j]);
  const base = [...numeric.map((_, j) => j), ...missing]; // the numeric column of every dense term but the constant
  const products = design.degree < 2 ? [] : [...numeric.map((_, j) => [j + 1, j + 1]), ...pairs(base.length).filter(([a, b]) => base[a] !== base[b]).map(([a, b]) => [a + 1, b + 1])];
  const coded = nominal.map((_, q) => ({ first: q, second: -1, factor: 0 }));
  if (design.degree >= 2) {
    nominal.forEach((_, q) => base.forEach((_, a) => coded.push({ first: q, second: -1, factor: a + 1 })));
    for (const [first, second] of pairs(nominal.length)) coded.push({ first, second, factor: 0 });
  }
  let start = 1 + base.length + products.length;
  for (const term of coded) {
    term.start = start;
    term.stride = term.second < 0 ? 0 : nominal[term.second].levels.length + 1;
    start += (nominal[term.first].levels.length + 1) * (term.stride || 1);
  }
  const textStarts = texts.map((_, t) => {
    const own = start;
    start += 1 + design.vocabularies[t].length;
    return own;
  });
  let place = 0;
  const places = design.is_used.map((isUsed) => (isUsed ? place++ : -1));
  const words = texts.map((_, t) => new Map(design.vocabularies[t].map((word, i) => [word, places[textStarts[t] + 1 + i]])));
  return { numeric, nominal, texts, missing, base, products, coded, textStarts, places, words, averages: averagesOf(model, nominal, coded, places) };
}

function pairs(count) {
  const found = [];
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) found.push([a, b]);
  return found;
}

// The average weight of each nominal column's levels, which a missing value has where no training row lacked one.
function averagesOf(model, nominal, coded, places) {
  let offset = 0;
  return nominal.map((column, q) => {
    const own = model.weights.map((weights) => column.levels.reduce((sum, _, level) => {
      const place = places[coded[q].start + 1 + level];
      return place < 0 ? sum : sum + weights[place] * model.level_shares[offset + level];
    }, 0));
    offset += column.levels.length;
    return own;
  });
}

// What each column, or product of two, adds to every score; the sums of these are the scores.
export function contributions(model, row) {
  const layout = model.layout ?? (model.layout = layoutOf(model));
  const { design } = model;
  const { numeric, nominal, missing, base, products, coded, places } = layout;
  const found = new Map();
  const add = (name, logs, shown) => {
    const own = found.get(name) ?? { name, shown, logs: model.weights.map(() => 0), texts: model.weights.map(() => "") };
    logs.forEach((log, k) => (own.logs[k] += log));
    found.set(name, own);
  };
  const weigh = (name, place, value, shown) => {
    if (place >= 0) add(name, model.weights.map((weights) => weights[place] * value), shown);
  };
  const dense = [1];
  numeric.forEach((_, j) => {
    const factor = design.scale[j] > 0 ? 1 / design.scale[j] : 0;
    const x = Number.isNaN(row.numbers[j]) ? design.mean[j] : row.numbers[j];
    dense.push((x - design.centre[j]) * factor);
  });
  for (const j of missing) dense.push(Number.isNaN(row.numbers[j]) ? 1 : 0);
  for (const [a, b] of products) dense.push(dense[a] * dense[b]);
  const denseName = (term) => (term === 0 ? "intercept" : numeric[base[term - 1]].name);
  const joined = (one, other) => (one === other ? one : `${one} × ${other}`);
  dense.forEach((value, term) => {
    const product = products[term - 1 - base.length];
    weigh(product ? joined(denseName(product[0]), denseName(product[1])) : denseName(term), places[term], value);
  });
  coded.forEach((term, position) => {
    let cell = row.codes[term.first] + 1;
    if (term.second >= 0) cell = cell * term.stride + row.codes[term.second] + 1;
    const place = places[term.start + cell];
    const name = nominal[term.first].name;
    const isAverage = position < nominal.length && cell === 0 && place < 0;
    if (isAverage && layout.averages[position].some((weight) => weight !== 0)) add(name, layout.averages[position]);
    else if (term.second >= 0) weigh(`${name} × ${nominal[term.second].name}`, place, 1);
    else weigh(term.factor ? `${denseName(term.factor)} × ${name}` : name, place, dense[term.factor]);
  });
  const parts = [...found.values()];
  layout.texts.forEach((column, t) => {
    const bag = row.texts[t];
    if (bag === null) {
      const place = places[layout.textStarts[t]];
      if (place >= 0) parts.push({ name: column.name, shown: "missing", logs: model.weights.map((weights) => weights[place]), texts: model.weights.map(() => "") });
      return;
    }
    for (const word of bag.keys()) {
      const place = layout.words[t].get(word) ?? -1;
      if (place >= 0) parts.push({ name: column.name, shown: word, logs: model.weights.map((weights) => weights[place]), texts: model.weights.map(() => "") });
    }
  });
  return parts;
}
