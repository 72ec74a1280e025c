// Small ways to make elements; text is always text, never markup.

// What cannot be seen, or would turn text around, is written out, as everywhere in suffice.
export function shown(text) {
  return String(text).replace(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, (letter) => letter === "\n" ? "\\n" : `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    if (name === "text") made.textContent = shown(value);
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = shown(value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// A probability as it is read: never 1 or 0 unless it is.
export function percentText(share) {
  const hundredths = 100 * share;
  if (share > 0 && hundredths < 0.05) return "<0.1\u202f%";
  if (share < 1 && hundredths > 99.95) return ">99.9\u202f%";
  return `${hundredths.toFixed(1)}\u202f%`;
}

export function signed(number) {
  if (number === Infinity || number === -Infinity) return number > 0 ? "+∞" : "−∞";
  const text = Math.abs(number).toFixed(3);
  return Number(text) === 0 ? "0.000" : (number > 0 ? "+" : "−") + text;
}

export function weightText(weight) {
  return weight.toLocaleString("en-US", { maximumFractionDigits: 1 });
}
