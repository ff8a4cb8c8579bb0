// The frame of every page of the site.
import { navigation } from "./guides.ts";
import { escapeHtml, type Page, type Section, toRelativeRoot } from "./page.ts";

const name = "Partner Assessment Service";

/** A whole page as HTML text. @param path below the service's address */
export function renderPage(path: string, page: Page): string {
  const { title, body, sections, kind = "" } = page;
  const root = toRelativeRoot(path);
  const assets = `${root}docs/assets`;
  const outline = kind === "landing" ? "" : renderOutline(sections);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – ${name}</title>
<link rel="icon" href="${assets}/icon.svg">
<link rel="stylesheet" href="${assets}/${kind === "reference" ? "reference" : "site"}.css">
<script type="module" src="${assets}/site.js"></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="name" href="${root}docs/"><img src="${assets}/icon.svg" alt="" width="28" height="28">${name}</a>
${renderSearchForm(root)}<button class="to-pages" type="button" popovertarget="pages">All pages</button>
</header>
<div class="${kind === "reference" ? "" : "columns"}">
${kind === "reference" ? body : `<main id="content" tabindex="-1">\n<h1>${escapeHtml(title)}</h1>\n${outline}${body}\n</main>`}
<nav id="pages" popover aria-label="All pages">${renderNavigation(path)}</nav>
</div>
</body>
</html>
`;
}

function renderSearchForm(root: string): string {
  return `<form class="search" role="search" data-root="${root}" hidden>
<label for="query">Search</label>
<input id="query" type="search" autocomplete="off" spellcheck="false" placeholder="Search" aria-describedby="found">
<div class="hits" tabindex="-1"><p id="found" role="status"></p><ol id="results"></ol></div>
</form>`;
}

function renderNavigation(path: string): string {
  const root = toRelativeRoot(path);
  const groups = navigation.map(({ heading, links }) => {
    const items = links.map((link) => {
      const current = link.path === path ? ' aria-current="page"' : "";
      return `<li><a href="${root}${link.path}"${current}>${escapeHtml(link.label)}</a></li>`;
    });
    return `<p>${escapeHtml(heading)}</p><ul>${items.join("")}</ul>`;
  });
  return groups.join("\n");
}

/** The outline: links to the headings of a page. */
function renderOutline(sections: readonly Section[]): string {
  const headings = sections.filter(({ anchor }) => anchor !== "");
  if (headings.length === 0) return "";
  const items = headings.map(
    ({ anchor, heading, depth }) => `<li class="depth-${depth}"><a href="#${anchor}">${escapeHtml(heading)}</a></li>`,
  );
  return `<nav class="outline" aria-label="On this page"><details><summary>On this page</summary><ol>${items.join("")}</ol></details></nav>\n`;
}
