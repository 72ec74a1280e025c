// ln P(column | class) of naive Bayes, one function for each kind of likelihood. Each gives a part for every column that
// is known: its name, what is shown of it, and a logarithm for each class.

const LOG_TWO_PI = Math.log(2 * Math.PI);

export const LIKELIHOODS = { Categorical: categorical, Gaussian: gaussian, Binned: binned, Poisson: poisson, KernelDensity: kernelDensity, BagOfWords: bagOfWords };

function categorical(part, row) {
  const columns = part.schema.columns.filter((column) => column.type === "Nominal");
  return columns.flatMap((column, j) => {
    const code = row.value[column.name];
    const { numerator, denominator } = part.tables[j];
    if (!part.varies[j] || code < 0) return [];
    const logs = denominator.map((below, k) => Math.log(below > 0 ? numerator[code][k] / below : 0));
    return [{ name: column.name, logs, texts: denominator.map((below, k) => `${plain(numerator[code][k])}/${plain(below)}`) }];
  });
}

function gaussian(part, row) {
  return part.columns.flatMap((name, j) => {
    const x = row.value[name];
    if (!part.varies[j] || Number.isNaN(x)) return [];
    const logs = part.mean.map((mean, k) => logNormal(x, mean[j], part.variance[k][j]));
    return [{ name, logs, texts: part.mean.map((mean, k) => `N(${plain(mean[j])}, ${plain(part.variance[k][j])})`) }];
  });
}

// An interval ends at its cut, inclusive.
function binned(part, row) {
  return part.columns.flatMap((name, j) => {
    const x = row.value[name];
    if (Number.isNaN(x)) return [];
    const { numerator, denominator } = part.tables[j];
    const above = part.cuts[j].findIndex((cut) => x <= cut);
    const counts = numerator[above < 0 ? part.cuts[j].length : above];
    const logs = denominator.map((below, k) => Math.log(counts[k] / below));
    return [{ name, logs, texts: denominator.map((below, k) => `${plain(counts[k])}/${plain(below)}`) }];
  });
}

export function logNormal(x, mean, variance) {
  return -0.5 * (LOG_TWO_PI + Math.log(variance)) - (0.5 * (x - mean) * (x - mean)) / variance;
}

function poisson(part, row) {
  return part.columns.flatMap((name, j) => {
    const x = row.value[name];
    if (Number.isNaN(x) || !part.rate.some((rate) => rate[j] > 0)) return [];
    const logs = part.rate.map((rate) => x * Math.log(rate[j]) - rate[j] - logFactorial(x));
    return [{ name, logs, texts: part.rate.map((rate) => `Pois(${plain(rate[j])})`) }];
  });
}

// ln x!, which is the same in every class.
function logFactorial(x) {
  if (x < 256) {
    let sum = 0;
    for (let i = 2; i <= x; i++) sum += Math.log(i);
    return sum;
  }
  return (x + 0.5) * Math.log(x) - x + 0.5 * LOG_TWO_PI + 1 / (12 * x) - 1 / (360 * x ** 3);
}

function kernelDensity(part, row) {
  return part.columns.flatMap((name, j) => {
    const x = row.value[name];
    if (!part.varies[j] || Number.isNaN(x)) return [];
    const logs = part.tallies[j].map((tally, k) => logBumps(x, tally, part.bandwidth[k][j]));
    return [{ name, logs, texts: part.tallies[j].map((_, k) => `kernels, h = ${plain(part.bandwidth[k][j])}`) }];
  });
}

// ln of the mean of Gaussian bumps; those e^-45 below the nearest add nothing.
export function logBumps(x, tally, bandwidth) {
  const exponents = tally.values.map((value) => -0.5 * ((x - value) / bandwidth) ** 2);
  const largest = exponents.reduce((most, exponent) => Math.max(most, exponent), -Infinity);
  let total = 0;
  let weight = 0;
  for (let i = 0; i < exponents.length; i++) {
    weight += tally.weight[i];
    if (exponents[i] >= largest - 45) total += tally.weight[i] * Math.exp(exponents[i] - largest);
  }
  return Math.log(total) + largest - 0.5 * LOG_TWO_PI - Math.log(bandwidth) - Math.log(weight);
}

function bagOfWords(part, row) {
  const bag = row.value[part.column];
  if (bag === null) return [];
  part.placeOf ??= new Map(part.vocabulary.map((word, place) => [word, place]));
  const classes = part.denominator.length;
  const probability = (place, k) => (part.denominator[k] > 0 ? part.numerator[place][k] / part.denominator[k] : 0);
  const perClass = (work) => Array.from({ length: classes }, (_, k) => work(k));
  const present = new Set();
  const parts = [];
  for (const [word, times] of bag) {
    const place = part.placeOf.get(word);
    if (place === undefined) continue;
    present.add(place);
    const power = part.kind === "multinomial" ? times : 1;
    const texts = perClass((k) => `${plain(part.numerator[place][k])}/${plain(part.denominator[k])}`);
    const shown = power === 1 ? word : `${word} ×${power}`;
    parts.push({ name: part.column, shown, logs: perClass((k) => power * Math.log(probability(place, k))), texts });
  }
  if (part.kind === "bernoulli" && part.vocabulary.length) {
    const logs = perClass((k) => {
      let sum = 0;
      for (let place = 0; place < part.vocabulary.length; place++) if (!present.has(place)) sum += Math.log1p(-probability(place, k));
      return sum;
    });
    parts.push({ name: part.column, shown: `${part.vocabulary.length - present.size} words absent`, logs, texts: perClass(() => "Π(1−p)") });
  }
  return parts;
}

export function plain(number) {
  return Number.isInteger(number) && Math.abs(number) < 1e15 ? String(number) : String(Number(number.toPrecision(4)));
}
