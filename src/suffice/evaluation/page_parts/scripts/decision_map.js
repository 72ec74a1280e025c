// A map of two columns: the class a Gaussian model decides for where it knows nothing else, and the Gaussians themselves.

import { make, svg } from "./elements.js";
import { predict } from "./models.js";

const WIDTH = 560;
const HEIGHT = 400;
const LEFT_ROOM = 56;
const BELOW_ROOM = 40;
const CELLS = 100;
const MOST_ELLIPSES = 8; // classes; more would hide each other

export function startMap(page, name, place) {
  const model = page.models.get(name);
  const columns = page.fields.filter((field) => field.kind === "numeric" && usedPlace(model, field.name) >= 0);
  if (!model || columns.length < 2) return null;
  const selects = [0, 1].map((position) => {
    const select = make("select", { "aria-label": position ? "column upwards" : "column across" }, ...columns.map((field) => make("option", { text: field.name })));
    select.selectedIndex = position;
    select.addEventListener("change", draw);
    return select;
  });
  const picture = make("div", { class: "map" });
  place.replaceChildren(make("p", { class: "controls" }, "Across ", selects[0], " upwards ", selects[1]), picture);
  let moveCross = () => {};
  let latest = Object.create(null);
  function draw() {
    const [across, upwards] = selects.map((select) => columns[select.selectedIndex]);
    const [drawing, move] = mapOf(page, model, across, upwards);
    picture.replaceChildren(drawing);
    moveCross = move;
    moveCross(latest);
  }
  draw();
  return (values) => moveCross((latest = values));
}

function usedPlace(model, name) {
  if (!model) return -1;
  const numeric = model.schema.columns.filter((column) => column.type === "Numeric").findIndex((column) => column.name === name);
  return model.dimensions.indexOf(numeric);
}

// The picture, and what moves the cross of a row in it.
function mapOf(page, model, across, upwards) {
  const x = axis(across, LEFT_ROOM, WIDTH - 10);
  const y = axis(upwards, HEIGHT - BELOW_ROOM, 10);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "chart", role: "img", "aria-label": `Decisions of the model over ${across.name} and ${upwards.name}` });
  const [width, height] = [WIDTH - 10 - LEFT_ROOM, HEIGHT - BELOW_ROOM - 10];
  const inside = svg("svg", { x: LEFT_ROOM, y: 10, width, height, viewBox: `${LEFT_ROOM} 10 ${width} ${height}` }); // which cuts off what reaches beyond
  inside.append(regions(page, model, across, upwards, x, y));
  picture.append(inside, axisMarks(across, upwards, x, y));
  const i = usedPlace(model, across.name);
  const j = usedPlace(model, upwards.name);
  if (i !== j)
    model.mean.slice(0, MOST_ELLIPSES).forEach((mean, k) => {
      const matrix = model.covariance[model.covariance.length > 1 ? k : 0];
      for (const radius of [1, 2]) inside.append(svg("polygon", { points: ellipse(mean[i], mean[j], matrix[i][i], matrix[i][j], matrix[j][j], radius, x, y), stroke: page.colours[k], class: "contour" }));
      inside.append(svg("circle", { cx: x.place(mean[i]), cy: y.place(mean[j]), r: 3.5, fill: page.colours[k] }, svg("title", { text: `mean of ${page.classes[k]}` })));
    });
  const cross = svg("path", { class: "cross" }, svg("title", { text: "the row of the what-if panel" }));
  inside.append(cross);
  const move = (values) => {
    const [own, other] = [values[across.name] ?? null, values[upwards.name] ?? null];
    const [cx, cy] = [x.place(own ?? 0), y.place(other ?? 0)];
    cross.setAttribute("d", own === null || other === null ? "" : `M${cx - 7},${cy}H${cx + 7}M${cx},${cy - 7}V${cy + 7}`);
  };
  return [picture, move];
}

function axis(field, begin, end) {
  const room = (field.high - field.low) * 0.08 || 1;
  const low = field.low - room;
  const high = field.high + room;
  return { low, high, place: (value) => begin + ((value - low) / (high - low)) * (end - begin) };
}

// The classes that are decided for, in runs of equal cells along each line.
function regions(page, model, across, upwards, x, y) {
  const group = svg("g", { class: "regions" });
  const stepX = (x.high - x.low) / CELLS;
  const stepY = (y.high - y.low) / CELLS;
  const values = Object.create(null);
  for (let line = 0; line < CELLS; line++) {
    values[upwards.name] = y.low + (line + 0.5) * stepY;
    let begin = 0;
    let before = -1;
    for (let cell = 0; cell <= CELLS; cell++) {
      values[across.name] = x.low + (cell + 0.5) * stepX;
      const decision = cell < CELLS ? predict(model, values).decision : -2;
      if (decision === before) continue;
      if (before >= 0) {
        const left = x.place(x.low + begin * stepX);
        const top = y.place(y.low + (line + 1) * stepY);
        group.append(svg("rect", { x: left.toFixed(1), y: top.toFixed(2), width: (x.place(x.low + cell * stepX) - left).toFixed(1), height: (y.place(y.low + line * stepY) - top).toFixed(2), fill: page.colours[before] }));
      }
      begin = cell;
      before = decision;
    }
  }
  return group;
}

function ellipse(meanX, meanY, xx, xy, yy, radius, x, y) {
  const a = Math.sqrt(xx);
  const b = xy / a;
  const c = Math.sqrt(Math.max(yy - b * b, 0));
  const points = [];
  for (let step = 0; step < 72; step++) {
    const u = radius * Math.cos((step * Math.PI) / 36);
    const v = radius * Math.sin((step * Math.PI) / 36);
    points.push(`${x.place(meanX + a * u).toFixed(1)},${y.place(meanY + b * u + c * v).toFixed(1)}`);
  }
  return points.join(" ");
}

function axisMarks(across, upwards, x, y) {
  const group = svg("g", {});
  const bottom = HEIGHT - BELOW_ROOM;
  for (const value of roundNumbers(x.low, x.high)) group.append(svg("text", { x: x.place(value), y: bottom + 15, "text-anchor": "middle", class: "tick", text: Number(value.toPrecision(6)) }));
  for (const value of roundNumbers(y.low, y.high)) group.append(svg("text", { x: LEFT_ROOM - 6, y: y.place(value) + 4, "text-anchor": "end", class: "tick", text: Number(value.toPrecision(6)) }));
  group.append(svg("text", { x: (LEFT_ROOM + WIDTH) / 2, y: HEIGHT - 6, "text-anchor": "middle", class: "label", text: across.name }));
  group.append(svg("text", { transform: `translate(12 ${bottom / 2}) rotate(-90)`, "text-anchor": "middle", class: "label", text: upwards.name }));
  return group;
}

function roundNumbers(low, high) {
  const unit = 10 ** Math.floor(Math.log10((high - low) / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((size) => (high - low) / size <= 6);
  const found = [];
  for (let place = Math.ceil(low / step); place * step <= high; place++) found.push(place * step);
  return found;
}
