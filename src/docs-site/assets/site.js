// What the pages do in browsers that run scripts: an outline, samples in one language at a time, and search. Without scripts
// everything is there to read.
import MiniSearch from "minisearch";

/** A new element. */
function element(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

// --- Outline

const outline = document.querySelector(".outline details");
if (outline !== null) {
  // Beside the text there is room for it.
  const wide = matchMedia("(min-width: 75rem)");
  const show = () => outline.toggleAttribute("open", wide.matches);
  wide.addEventListener("change", show);
  show();
  outline.addEventListener("click", (event) => {
    if (event.target.matches("a") && !wide.matches) outline.open = false;
  });
}

// --- Samples

const languageKey = "language";
for (const [index, group] of document.querySelectorAll(".tabs").entries()) addChoice(group, `language-${index}`);
if (navigator.clipboard !== undefined) for (const block of document.querySelectorAll(".code")) addCopy(block);
showLanguage(readLanguage());

/** @param {Element} group blocks of code that say the same in different languages @param {string} name of its choice */
function addChoice(group, name) {
  const labels = [...group.querySelectorAll(".code")].map((block) => {
    const input = element("input", { type: "radio", name, value: block.dataset.language });
    return element("label", {}, input, block.querySelector(".language").textContent);
  });
  const choice = element("fieldset", { ariaLabel: "Language" }, ...labels);
  choice.addEventListener("change", ({ target }) => {
    showLanguage(target.value);
    try {
      localStorage.setItem(languageKey, target.value);
    } catch {
      // Browsers may forbid it; then the choice lasts for the page.
    }
  });
  group.prepend(choice);
  group.classList.add("live");
}

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

function readLanguage() {
  try {
    return localStorage.getItem(languageKey) ?? "sh";
  } catch {
    return "sh";
  }
}

/** Shows one language in every group that has it; in others their first. */
function showLanguage(language) {
  for (const group of document.querySelectorAll(".tabs")) {
    const inputs = [...group.querySelectorAll("input")];
    const input = inputs.find(({ value }) => value === language) ?? inputs[0];
    input.checked = true;
    for (const block of group.querySelectorAll(".code")) block.hidden = block.dataset.language !== input.value;
  }
}

// --- Search

const form = document.querySelector(".search");
const query = document.querySelector("#query");
const foundCount = document.querySelector("#found");
const results = document.querySelector("#results");
const address = document.querySelector("script[data-search]").dataset.search;
const maxResults = 12;
const excerptLength = 150;
const searchOptions = {
  boost: { heading: 4, page: 2 },
  processTerm: stemOf,
  boostDocument: (_id, _term, stored) => stored?.weight ?? 1,
  prefix: true,
  // Short words have no typos: they would find other words.
  fuzzy: (term) => (term.length > 4 ? 0.15 : false),
  combineWith: "AND",
};
/** For words that nothing has. */
const lastOptions = { ...searchOptions, combineWith: "OR", fuzzy: 0.35 };
/** Words that these pages do not use, and what they say instead. */
const synonyms = {
  "api key": ["access token"],
  benchmark: ["norms", "comparison"],
  docker: ["image", "compose"],
  key: ["secret"],
  nodejs: ["node", "typescript"],
  "resume later": ["continue browser"],
  cursor: ["next", "after"],
  embed: ["frame"],
  gdpr: ["erase", "erasure"],
  iframe: ["frame"],
  login: ["token"],
  offset: ["after"],
  openapi: ["document"],
  pagination: ["next", "after", "pages"],
  paging: ["next", "after", "pages"],
  postman: ["bruno", "collection"],
  refresh: ["expires", "token"],
  sdk: ["client", "clients"],
  timezone: ["zone", "utc"],
  translation: ["language", "locale"],
};
let loading;

form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("keydown", walk);
query.addEventListener("focus", () => void load(), { once: true });
query.addEventListener("input", () => void search());
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest?.("input, textarea, select") !== null;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  query.focus();
});
void suggest();

/** Arrows go through the results, Enter takes the first one, Escape clears. */
function walk(event) {
  const links = [...results.querySelectorAll("a")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape") {
    query.value = "";
    query.focus();
    void search();
  } else if (event.key === "Enter" && event.target === query) {
    links[0]?.click();
  } else if (step !== undefined && links.length > 0) {
    event.preventDefault();
    const next = Math.min(links.indexOf(document.activeElement) + step, links.length - 1);
    (links[next] ?? query).focus();
  }
}

/** The index, made once. */
function load() {
  loading ??= fetch(address)
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
  const hits = index === undefined ? [] : hitsOf(index, words);
  results.replaceChildren(...hits.map(resultItem));
  foundCount.textContent = words === "" ? "" : hits.length === 0 ? "Nothing found" : `${hits.length} found`;
}

/** `verify`, `verified` and `verification` are one word, and so are `webhook` and `webhooks`; names of code are as they are. */
function stemOf(term) {
  const word = term.toLowerCase();
  const stem = word.replace(/(?:ications?|ies|ied|ying|y)$/, "i").replace(/(?:ations?|ing|ed|es|s|e)$/, "");
  return stem.length > 3 && !word.includes("_") ? stem : word;
}

/**
 * What has all words or what these pages say instead; if nothing has, what has some of them; if nothing has, what has words
 * much like them.
 */
function hitsOf(index, words) {
  const terms = words.toLowerCase().split(/\s+/);
  const whole = synonyms[terms.join(" ")];
  const queries = terms.map((word) => ({ combineWith: "OR", queries: [word, ...(synonyms[word] ?? [])] }));
  const ways = [
    ...(whole === undefined ? [] : [{ combineWith: "AND", queries: whole.flatMap((text) => text.split(" ")) }]),
    { combineWith: "AND", queries },
    { combineWith: "OR", queries },
  ];
  for (const way of ways) {
    const hits = index.search(way);
    // A heading with all words is what was asked for.
    const isNamed = ({ heading }) => {
      const stems = heading.split(/[^\p{Letter}\p{Number}_]+/u).map(stemOf);
      return terms.map(stemOf).every((stem) => stems.includes(stem));
    };
    if (hits.length > 0) return [...hits.filter(isNamed), ...hits.filter((hit) => !isNamed(hit))].slice(0, maxResults);
  }
  return index.search(words, lastOptions).slice(0, maxResults);
}

/** A page that is missing offers those whose words are like its address. */
async function suggest() {
  const place = document.querySelector(".missing");
  if (place === null) return;
  const words = decodeURIComponent(location.pathname).split(/[^\p{Letter}\p{Number}]+/u);
  const pageWords = words.filter((word) => !["", "docs", "problems", "reference"].includes(word)).join(" ");
  const hits = (await load()).search(pageWords, lastOptions).slice(0, 5);
  place.querySelector("ol").append(...hits.map(resultItem));
  place.hidden = hits.length === 0;
}

function resultItem({ path, page, heading, text, terms }) {
  const title = element("strong", {}, heading === "" ? page : heading);
  const place = element("span", { className: "place" }, heading === "" ? "" : page);
  const excerpt = element("span", { className: "excerpt" }, ...excerptOf(text, terms));
  const link = { className: "hit", href: `${form.dataset.root}${path}` };
  return element("li", {}, element("a", link, title, " ", place, " ", excerpt));
}

/** The words around the first match, with every match marked. */
function excerptOf(text, terms) {
  const longestFirst = terms.toSorted((one, other) => other.length - one.length);
  const match = new RegExp(`(${longestFirst.map((term) => term.replaceAll(/\W/g, "\\$&")).join("|")})`, "i");
  const first = Math.max(text.search(match), 0);
  const start = first < 60 ? 0 : text.indexOf(" ", first - 50) + 1;
  const parts = text.slice(start, start + excerptLength).split(match);
  const nodes = parts.map((part, index) => (index % 2 === 0 ? part : element("mark", {}, part)));
  return [start > 0 ? "… " : "", ...nodes, start + excerptLength < text.length ? " …" : ""];
}
