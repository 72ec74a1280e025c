// The page: reads its models, starts the what-if panel, draws trees and maps, and keeps the reader's choice of light or dark.

import { startMap } from "./decision_map.js";
import { predict, readModels } from "./models.js";
import { drawTree, foldAll } from "./tree_view.js";
import { startPanel } from "./whatif.js";

const MOST_PRINTED = 100; // lines of a tree

function startPage() {
  const page = JSON.parse(document.getElementById("data").textContent);
  page.models = readModels(page);
  globalThis.suffice = { models: page.models, predict: (name, values) => predict(page.models.get(name), values) };
  const followers = [];
  for (const place of document.querySelectorAll("[data-tree]")) {
    const mark = drawTree(page, place.dataset.tree, place);
    if (mark) followers.push((values, found) => mark(found.get(place.dataset.tree)));
  }
  for (const place of document.querySelectorAll("[data-map]")) {
    const move = startMap(page, place.dataset.map, place);
    if (move) followers.push((values) => move(values));
  }
  for (const button of document.querySelectorAll("[data-fold]")) {
    button.addEventListener("click", () => foldAll(button.closest(".chapter").querySelector("[data-tree]"), button.dataset.fold === "open"));
  }
  startPanel(page, (values, found) => {
    for (const follow of followers) follow(values, found);
    page.isWatched = () => true; // only what the reader changes unfolds a tree
  });
  startTheme();
  addEventListener("hashchange", openChapter);
  openChapter();
  addEventListener("beforeprint", () => {
    for (const chapter of document.querySelectorAll("details.chapter")) chapter.open = true;
    for (const place of document.querySelectorAll("[data-tree]")) foldAll(place, true, MOST_PRINTED);
  });
}

// A link to a chapter that is folded unfolds it.
function openChapter() {
  const chapter = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  if (chapter?.matches("details.chapter")) chapter.open = true;
}

function startTheme() {
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  dark.addEventListener("change", name);
  button.hidden = false;
  name();
}

startPage();
