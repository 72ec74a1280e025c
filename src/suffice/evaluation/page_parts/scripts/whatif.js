// The what-if panel: a field for every column; every model's prediction, and the explanation of one of them.

import { bar, swatch } from "./bars.js";
import { make, percentText } from "./elements.js";
import { explanation } from "./explanation.js";
import { predict } from "./models.js";
import { alignedValues, shownValue } from "./tree.js";

const FIRST_FIELDS = 8;
const MOST_SHOWN = 4; // classes with a column of their own

export function startPanel(page, onChange) {
  const panel = document.getElementById("whatif-panel");
  if (!panel) return;
  const values = Object.create(null);
  const fields = page.fields.map((field) => fieldOf(field, values, changed));
  const form = document.getElementById("whatif-form");
  const starts = make("select", { id: "whatif-start", onchange: () => begin(starts.selectedIndex) },
    ...page.starts.map((start) => make("option", { text: start.name })));
  form.append(make("div", { class: "field" }, make("label", { for: "whatif-start", text: "Start from" }), starts));
  form.append(...fields.slice(0, FIRST_FIELDS).map((field) => field.element));
  if (fields.length > FIRST_FIELDS) {
    const rest = make("details", {}, make("summary", { text: `${fields.length - FIRST_FIELDS} more columns` }));
    rest.append(...fields.slice(FIRST_FIELDS).map((field) => field.element));
    form.append(rest);
  }
  let chosen = [page.best, ...page.names].find((name) => page.models.has(name));
  const choose = (name) => {
    chosen = name;
    changed();
  };

  function begin(position) {
    for (const name of Object.keys(values)) delete values[name];
    for (const [name, value] of Object.entries(page.starts[position].values)) values[name] = value;
    for (const field of fields) field.show();
    changed();
  }

  function changed() {
    const found = new Map([...page.models].map(([name, model]) => [name, predict(model, values)]));
    document.getElementById("whatif-results").replaceChildren(resultsTable(page, found, chosen, choose));
    document.getElementById("whatif-explanation").replaceChildren(...explanation(page, chosen, found.get(chosen), values));
    onChange(values, found);
  }

  begin(0);
  panel.hidden = false;
}

// One field: its label, a control, and how to say that the value is missing.
function fieldOf(field, values, changed) {
  const id = `whatif-${field.name}`;
  const label = make("label", { for: id, text: field.name });
  const set = (value) => {
    values[field.name] = value;
    changed();
  };
  if (field.kind === "nominal") {
    const control = make("select", { id, onchange: () => set(control.selectedIndex === field.levels.length ? null : field.levels[control.selectedIndex]) },
      ...field.levels.map((level) => make("option", { text: level })), make("option", { text: "missing", class: "missing" }));
    const show = () => {
      const place = field.levels.indexOf(values[field.name]);
      control.selectedIndex = place < 0 ? field.levels.length : place;
    };
    return { element: make("div", { class: "field" }, label, control), show };
  }
  const gap = make("input", { type: "checkbox", id: `${id} missing` });
  const missing = make("label", { class: "missing" }, gap, " missing");
  if (field.kind === "text") {
    const control = make("textarea", { id, rows: 2, oninput: () => set(control.value) });
    gap.addEventListener("change", () => set(gap.checked ? null : control.value));
    const show = () => {
      gap.checked = (values[field.name] ?? null) === null;
      control.value = values[field.name] ?? "";
    };
    return { element: make("div", { class: "field wide" }, label, control, missing), show };
  }
  const number = make("input", { id, type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false" });
  const slider = make("input", { type: "range", min: field.low, max: field.high, step: "any", "aria-label": field.name });
  const time = field.time === "moment" ? make("output", { class: "time" }) : null;
  const show = () => {
    const value = values[field.name] ?? null;
    gap.checked = value === null;
    if (document.activeElement !== number) number.value = value === null ? "" : String(value);
    if (value !== null) slider.value = String(value);
    number.classList.remove("wrong");
    if (time) time.textContent = value === null ? "" : shownValue(field, value);
  };
  number.addEventListener("input", () => {
    const text = number.value.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2");
    const value = text === "" ? null : Number(text);
    const isWrong = value !== null && !Number.isFinite(value);
    set(isWrong ? null : value);
    show();
    number.classList.toggle("wrong", isWrong);
  });
  slider.addEventListener("input", () => {
    set(Number((Math.round(Number(slider.value) / field.step) * field.step).toPrecision(12)));
    show();
  });
  gap.addEventListener("change", () => {
    set(gap.checked ? null : Number(slider.value));
    show();
  });
  return { element: make("div", { class: "field number" }, label, number, slider, missing, ...(time ? [time] : [])), show };
}

// A line for every model; its button shows the explanation.
function resultsTable(page, found, chosen, choose) {
  const classes = classesShown(page, found);
  const head = make("tr", {}, make("th", { scope: "col", text: "model" }), make("th", { scope: "col", class: page.classes.length ? "" : "number", text: "prediction" }));
  if (page.classes.length) {
    head.append(make("th", { scope: "col", text: "probabilities" }));
    for (const k of classes) head.append(make("th", { scope: "col", class: "number", text: `P(${page.classes[k]})` }));
  }
  const body = make("tbody");
  const numbers = alignedValues([...found.values()].map((own) => own.number ?? 0));
  for (const [place, [name, own]] of [...found].entries()) {
    const button = make("button", { type: "button", "aria-pressed": String(name === chosen), text: name, onclick: () => choose(name) });
    button.dataset.model = name;
    const line = make("tr", { class: name === chosen ? "chosen" : "" }, make("th", { scope: "row" }, button));
    if (own.number !== undefined) line.append(make("td", { class: "number", text: numbers[place] }));
    else {
      line.append(make("td", {}, swatch(page.colours[own.decision]), page.classes[own.decision]));
      line.append(make("td", { class: "bar-cell" }, own.probabilities ? bar(page, own.probabilities) : "scores only"));
      for (const k of classes) line.append(make("td", { class: "number", text: own.probabilities ? percentText(own.probabilities[k]) : "–" }));
    }
    body.append(line);
  }
  const table = make("table", { class: "results" }, make("thead", {}, head), body);
  return make("div", { class: "scroll" }, table);
}

function classesShown(page, found) {
  if (page.classes.length <= MOST_SHOWN) return page.classes.map((_, k) => k);
  const total = page.classes.map((_, k) => [...found.values()].reduce((sum, own) => sum + (own.probabilities ? own.probabilities[k] : 0), 0));
  return total.map((_, k) => k).sort((a, b) => total[b] - total[a]).slice(0, MOST_SHOWN);
}
