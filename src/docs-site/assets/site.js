// Scripts of the pages: samples are copied, and pages are searched. Without scripts everything is there to read.
import MiniSearch from "./minisearch.js";

/** A new element. */
function element(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

// --- Samples

if (navigator.clipboard !== undefined) for (const block of document.querySelectorAll(".code")) addCopy(block);
// A language is chosen for all samples of the page.
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".tabs input")) return;
  for (const input of document.querySelectorAll(`.tabs input[value="${target.value}"]`)) input.checked = true;
});

/** @param {Element} block Gets a button that copies it. */
function addCopy(block) {
  const button = element("button", { type: "button", className: "copy" }, "Copy");
  button.addEventListener("click", async () => {
    const text = block.querySelector("code").textContent.trimEnd();
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => "Copied",
      () => "Not allowed",
    );
    setTimeout(() => button.replaceChildren("Copy"), 2000);
  });
  block.append(button);
}

// --- Search

const form = document.querySelector(".search");
const query = document.querySelector("#query");
const foundCount = document.querySelector("#found");
const results = document.querySelector("#results");
const maxResults = 12;
const excerptLength = 150;
const searchOptions = {
  boost: { heading: 4, page: 2 },
  processTerm: stemTerm,
  boostDocument: (_id, _term, document) => document?.weight ?? 1,
  prefix: true,
  // Short words have no typos: they would find other words.
  fuzzy: (term) => (term.length > 4 ? 0.15 : false),
  combineWith: "AND",
};
/** All words; if no section has them, some of them; if none has those, words much like them. */
const attempts = [{}, { combineWith: "OR" }, { combineWith: "OR", fuzzy: 0.35 }];
let loading;

form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
form.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  query.value = "";
  query.focus();
  void search();
});
query.addEventListener("focus", () => void load(), { once: true });
query.addEventListener("input", () => void search());

/** The index, made once. */
function load() {
  loading ??= fetch(`${form.dataset.root}docs/search.json`)
    .then((response) => response.json())
    .then((sections) => {
      const storeFields = ["path", "page", "heading", "text", "weight"];
      const index = new MiniSearch({ fields: ["heading", "page", "text"], storeFields, searchOptions });
      index.addAll(sections);
      return index;
    });
  return loading;
}

async function search() {
  const words = query.value.trim();
  const index = words === "" ? undefined : await load();
  // Somebody typed on while the index came.
  if (words !== query.value.trim()) return;
  const hits = index === undefined ? [] : findHits(index, words);
  results.replaceChildren(...hits.map(resultItem));
  foundCount.textContent = words === "" ? "" : hits.length === 0 ? "Nothing found" : `${hits.length} found`;
}

/** `verify`, `verified` and `verification` are one word, and so are `webhook` and `webhooks`; names of code are as they are. */
function stemTerm(term) {
  const word = term.toLowerCase();
  const stem = word.replace(/(?:ications?|ies|ied|ying|y)$/, "i").replace(/(?:ations?|ing|ed|es|s|e)$/, "");
  return stem.length > 3 && !word.includes("_") ? stem : word;
}

/** The sections that the first successful attempt finds. */
function findHits(index, words) {
  for (const options of attempts) {
    const hits = index.search(words, options);
    if (hits.length > 0) return hits.slice(0, maxResults);
  }
  return [];
}

function resultItem({ path, page, heading, text, terms }) {
  const title = element("strong", {}, heading === "" ? page : heading);
  const place = element("span", { className: "place" }, heading === "" ? "" : page);
  const excerpt = element("span", { className: "excerpt" }, ...createExcerpt(text, terms));
  const link = { className: "hit", href: `${form.dataset.root}${path}` };
  return element("li", {}, element("a", link, title, " ", place, " ", excerpt));
}

/** The words around the first match, with every match marked. */
function createExcerpt(text, terms) {
  const longestFirst = terms.toSorted((one, other) => other.length - one.length);
  const match = new RegExp(`(${longestFirst.map((term) => term.replaceAll(/\W/g, "\\$&")).join("|")})`, "i");
  const first = Math.max(text.search(match), 0);
  const start = first < 60 ? 0 : text.indexOf(" ", first - 50) + 1;
  const parts = text.slice(start, start + excerptLength).split(match);
  const nodes = parts.map((part, index) => (index % 2 === 0 ? part : element("mark", {}, part)));
  return [start > 0 ? "… " : "", ...nodes, start + excerptLength < text.length ? " …" : ""];
}
