// What the pages do in browsers that run scripts: samples in one language at a time, and search.
import MiniSearch from "minisearch";

const languageKey = "language";

// --- Samples

for (const group of document.querySelectorAll(".tabs")) makeTabs(group);
showLanguage(storedLanguage());

/** @param {Element} group blocks of code that say the same in different languages */
function makeTabs(group) {
  const panels = [...group.querySelectorAll(":scope > .code")];
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Language");
  const tabs = panels.map((panel) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.textContent = panel.querySelector(".language")?.textContent ?? "";
    tab.dataset.language = panel.dataset.language;
    panel.id = panel.id || `code-${Math.random().toString(36).slice(2)}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", tab.textContent);
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => choose(tab.dataset.language ?? ""));
    return tab;
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
    choose(next.dataset.language ?? "");
    next.focus();
  });
  list.append(...tabs);
  group.prepend(list);
  group.classList.add("live");
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
    const tabs = [...group.querySelectorAll('[role="tab"]')];
    const chosen = tabs.find((tab) => tab.dataset.language === language) ?? tabs[0];
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel !== null) panel.hidden = !isChosen;
    }
  }
}

// --- Search

const form = document.querySelector(".search");
const query = document.querySelector("#query");
const found = document.querySelector("#found");
const results = document.querySelector("#results");
const address = document.querySelector("script[data-search]")?.dataset.search ?? "";
const maxResults = 12;
let loading;

if (form !== null) {
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  query.addEventListener("focus", () => void load(), { once: true });
  query.addEventListener("input", () => void search());
  query.addEventListener("keydown", (event) => {
    if (event.key === "Enter") results.querySelector("a")?.click();
    if (event.key === "Escape") {
      query.value = "";
      void search();
    }
  });
}

/** The index, made once. */
function load() {
  loading ??= fetch(address)
    .then((response) => response.json())
    .then((sections) => {
      const index = new MiniSearch({
        fields: ["heading", "page", "text"],
        storeFields: ["path", "page", "heading"],
        searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" },
      });
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
  const hits = index?.search(words).slice(0, maxResults) ?? [];
  results.replaceChildren(...hits.map(resultItem));
  found.textContent = words === "" ? "" : hits.length === 0 ? "Nothing found" : `${hits.length} found`;
}

function resultItem({ path, page, heading }) {
  const link = document.createElement("a");
  link.href = `${form.dataset.root}${path}`;
  link.textContent = heading === "" ? page : heading;
  const item = document.createElement("li");
  item.append(link);
  if (heading !== "") {
    const place = document.createElement("span");
    place.textContent = page;
    item.append(" ", place);
  }
  return item;
}
