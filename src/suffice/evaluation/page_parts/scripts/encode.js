// A row as a model reads it: numbers, codes of levels, bags of words. Missing is NaN, -1 and null.

const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+/gu;

// `values` holds a number, a level, a text or null for the name of each column; a name that is not there is missing.
export function encoded(schema, values) {
  const row = { numbers: [], codes: [], texts: [], value: Object.create(null), missing: [], unseen: [] };
  for (const column of schema.columns) {
    const value = Object.hasOwn(values, column.name) ? (values[column.name] ?? null) : null;
    if (column.type === "Numeric") {
      const number = value === null ? NaN : Number(value);
      row.value[column.name] = Number.isFinite(number) ? number : NaN;
      row.numbers.push(row.value[column.name]);
    } else if (column.type === "Nominal") {
      const code = value === null ? -1 : column.levels.indexOf(value);
      if (value !== null && code < 0) row.unseen.push(column.name);
      row.value[column.name] = code;
      row.codes.push(code);
    } else {
      row.value[column.name] = value === null ? null : bagOf(String(value));
      row.texts.push(row.value[column.name]);
    }
    if (isMissing(row.value[column.name]) && !row.unseen.includes(column.name)) row.missing.push(column.name);
  }
  return row;
}

function isMissing(value) {
  return value === null || value === -1 || Number.isNaN(value);
}

// How often each word is there: two letters or more, in lower case; pairs of letters where words have no spaces.
export function bagOf(text) {
  const spaced = text.replace(UNSPACED, (run) => {
    const letters = Array.from(run);
    return letters.length < 2 ? run : ` ${letters.slice(1).map((letter, i) => letters[i] + letter).join(" ")} `;
  });
  const bag = new Map();
  for (const word of spaced.toLowerCase().match(/[\p{L}\p{N}_]{2,}/gu) ?? []) bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
}
