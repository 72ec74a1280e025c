// A class's colour beside its name, and probabilities as a bar.

import { make, percentText } from "./elements.js";

export function swatch(colour) {
  const made = make("span", { class: "swatch", "aria-hidden": "true" });
  made.style.background = colour;
  return made;
}

export function bar(page, shares) {
  const made = make("span", { class: "bar", role: "img", "aria-label": shares.map((share, k) => `${page.classes[k]} ${percentText(share)}`).slice(0, 12).join(", ") });
  shares.forEach((share, k) => {
    if (share < 0.001) return;
    const part = make("span", { title: `${page.classes[k]}: ${percentText(share)}` });
    part.style.width = `${100 * share}%`;
    part.style.background = page.colours[k];
    made.append(part);
  });
  return made;
}
