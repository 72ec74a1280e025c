// The JSON of a model file as plain objects: arrays become (nested) lists, what several parts share is put in place.

export function decoded(value, shared) {
  if (Array.isArray(value)) return value.map((part) => decoded(part, shared));
  if (value === null || typeof value !== "object") return value;
  if ("shared" in value) return shared[value.shared];
  if ("float" in value) return { inf: Infinity, "-inf": -Infinity, nan: NaN }[value.float];
  if ("array" in value) return "values" in value ? value.values : inShape(decoded(value.flat, shared), value.shape);
  if ("map" in value) return value.map.map((pair) => decoded(pair, shared));
  const found = {};
  for (const [key, part] of Object.entries(value)) found[key] = decoded(part, shared);
  return found;
}

function inShape(flat, shape) {
  if (shape.length < 2) return flat;
  const step = shape.slice(1).reduce((product, size) => product * size, 1);
  return Array.from({ length: shape[0] }, (_, i) => inShape(flat.slice(i * step, (i + 1) * step), shape.slice(1)));
}

// Shared parts may refer to those before them.
export function decodedShared(parts) {
  const shared = [];
  for (const part of parts) shared.push(decoded(part, shared));
  return shared;
}
