// From scores to probabilities, and to a decision.

const TIE = 1e-10; // numbers that differ by less, relative to the largest, are equal

// e^score / sum of e^score; `instead` where no class is possible.
export function sharesOf(scores, instead) {
  const largest = Math.max(...scores);
  if (!Number.isFinite(largest) || scores.some(Number.isNaN)) return instead ?? scores.map(() => 1 / scores.length);
  const shares = scores.map((score) => Math.exp(score - largest));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

// Where the largest number stands, the first of equals.
export function firstOfEquals(numbers) {
  const largest = Math.max(...numbers);
  const found = numbers.findIndex((number) => number >= largest - TIE * Math.abs(largest));
  return Math.max(found, 0);
}

export function summed(parts, width) {
  const total = new Array(width).fill(0);
  for (const part of parts) for (let k = 0; k < width; k++) total[k] += part[k];
  return total;
}
