// What the pages do in browsers that run scripts: an outline that follows the reader, samples in one language at a time,
// and search. Without scripts everything is there to read.
import MiniSearch from "minisearch";

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
  followReader([...outline.querySelectorAll("a")]);
}

/** @param {HTMLAnchorElement[]} links Marks the one whose heading was passed last. */
function followReader(links) {
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const mark = () => {
    const line = window.innerHeight / 4;
    const passed = headings.filter((heading) => heading !== null && heading.getBoundingClientRect().top < line).length;
    links.forEach((link, index) => {
      if (index === passed - 1) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    });
  };
  new IntersectionObserver(mark, { rootMargin: "0px 0px -75% 0px" }).observe(document.body);
  addEventListener("scroll", mark, { passive: true });
  mark();
}

// --- Samples

const languageKey = "language";
for (const [index, group] of document.querySelectorAll(".tabs").entries()) addChoice(group, `language-${index}`);
for (const block of document.querySelectorAll(".code")) addCopy(block);
showLanguage(storedLanguage());

/** @param {Element} group blocks of code that say the same in different languages @param {string} name of its choice */
function addChoice(group, name) {
  const choice = document.createElement("fieldset");
  choice.setAttribute("aria-label", "Language");
  for (const block of group.querySelectorAll(".code")) {
    const input = document.createElement("input");
    Object.assign(input, { type: "radio", name, value: block.dataset.language });
    const label = document.createElement("label");
    label.append(input, block.querySelector(".language").textContent);
    choice.append(label);
  }
  choice.addEventListener("change", (event) => choose(event.target.value));
  group.prepend(choice);
  group.classList.add("live");
}

/** @param {Element} block Gets a button that copies it, where the browser lets pages write to the clipboard. */
function addCopy(block) {
  if (navigator.clipboard === undefined) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    const text = block.querySelector("code")?.textContent ?? "";
    const isCopied = await navigator.clipboard.writeText(text.trimEnd()).then(
      () => true,
      () => false,
    );
    button.textContent = isCopied ? "Copied" : "Not allowed";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2000);
  });
  block.append(button);
}

function choose(language) {
  try {
    localStorage.setItem(languageKey, language);
  } catch {
    // Browsers may forbid it; then the choice lasts for the page.
  }
  showLanguage(language);
}

function storedLanguage() {
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
    const chosen = inputs.find(({ value }) => value === language) ?? inputs[0];
    chosen.checked = true;
    for (const block of group.querySelectorAll(".code")) block.hidden = block.dataset.language !== chosen.value;
  }
}

// --- Search

const form = document.querySelector(".search");
const query = document.querySelector("#query");
const found = document.querySelector("#found");
const results = document.querySelector("#results");
const address = document.querySelector("script[data-search]")?.dataset.search ?? "";
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

if (form !== null) {
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
}

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
    const next = links.indexOf(document.activeElement) + step;
    if (next < 0) query.focus();
    else links[Math.min(next, links.length - 1)].focus();
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
  found.textContent = words === "" ? "" : hits.length === 0 ? "Nothing found" : `${hits.length} found`;
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
  const asked = words.toLowerCase().split(/\s+/);
  const whole = synonyms[asked.join(" ")];
  const queries = asked.map((word) => ({ combineWith: "OR", queries: [word, ...(synonyms[word] ?? [])] }));
  const ways = [
    ...(whole === undefined ? [] : [{ combineWith: "AND", queries: whole.flatMap((text) => text.split(" ")) }]),
    { combineWith: "AND", queries },
    { combineWith: "OR", queries },
  ];
  for (const way of ways) {
    const hits = index.search(way);
    // A heading with all words is what was asked for.
    const isNamed = ({ heading }) => {
      const stems = heading
        .toLowerCase()
        .split(/[^\p{Letter}\p{Number}_]+/u)
        .map(stemOf);
      return asked.map(stemOf).every((stem) => stems.includes(stem));
    };
    if (hits.length > 0) return [...hits.filter(isNamed), ...hits.filter((hit) => !isNamed(hit))].slice(0, maxResults);
  }
  return index.search(words, { ...searchOptions, combineWith: "OR", fuzzy: 0.35 }).slice(0, maxResults);
}

/** A page that is missing offers those whose words are like its address. */
async function suggest() {
  const place = document.querySelector(".missing");
  if (place === null) return;
  const words = decodeURIComponent(location.pathname).split(/[^\p{Letter}\p{Number}]+/u);
  const wanted = words.filter((word) => !["", "docs", "problems", "reference"].includes(word)).join(" ");
  const hits = (await load()).search(wanted, { ...searchOptions, combineWith: "OR", fuzzy: 0.35 }).slice(0, 5);
  place.querySelector("ol").append(...hits.map(resultItem));
  place.hidden = hits.length === 0;
}

function resultItem({ path, page, heading, text, terms }) {
  const link = document.createElement("a");
  link.className = "hit";
  link.href = `${form.dataset.root}${path}`;
  const title = document.createElement("strong");
  title.textContent = heading === "" ? page : heading;
  const place = document.createElement("span");
  place.className = "place";
  place.textContent = heading === "" ? "" : page;
  const excerpt = document.createElement("span");
  excerpt.className = "excerpt";
  excerpt.append(...excerptOf(text, terms));
  link.append(title, " ", place, " ", excerpt);
  const item = document.createElement("li");
  item.append(link);
  return item;
}

/** The words around the first match, with every match marked. */
function excerptOf(text, terms) {
  const longestFirst = terms.toSorted((one, other) => other.length - one.length);
  const match = new RegExp(`(${longestFirst.map((term) => term.replaceAll(/\W/g, "\\$&")).join("|")})`, "i");
  const first = Math.max(text.search(match), 0);
  const start = first < 60 ? 0 : text.indexOf(" ", first - 50) + 1;
  const parts = text.slice(start, start + excerptLength).split(match);
  const nodes = parts.map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
  return [start > 0 ? "… " : "", ...nodes, start + excerptLength < text.length ? " …" : ""];
}
