// The frame of every page of the site.
import { escapeHtml, type Page, rootFrom } from "./page.ts";

export interface NavigationGroup {
  readonly heading: string;
  readonly links: readonly { readonly path: string; readonly label: string }[];
}

/** What every page is put into. */
export interface Frame {
  /** Empty if there is nothing to go to. */
  readonly navigation: readonly NavigationGroup[];
  /** Paths below the service's address. */
  readonly assets: Readonly<Record<"style" | "script" | "search" | "icon", string>>;
}

const name = "Partner Assessment Service";

/** A whole page as HTML text. */
export function renderPage({ path, title, body }: Page, { navigation, assets }: Frame): string {
  const root = rootFrom(path);
  const groups = navigation.map(({ heading, links }) => {
    const items = links.map((link) => {
      const current = link.path === path ? ' aria-current="page"' : "";
      return `<li><a href="${root}${link.path}"${current}>${escapeHtml(link.label)}</a></li>`;
    });
    return `<p>${escapeHtml(heading)}</p><ul>${items.join("")}</ul>`;
  });
  const search = `<form class="search" role="search" data-root="${root}" hidden>
<label for="query">Search</label>
<input id="query" type="search" autocomplete="off" spellcheck="false" aria-describedby="found">
<div class="hits"><p id="found" role="status"></p><ol id="results"></ol></div>
</form>`;
  const hasNavigation = navigation.length > 0;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – ${name}</title>
<link rel="icon" href="${root}${assets.icon}">
<link rel="stylesheet" href="${root}${assets.style}">
<script type="module" src="${root}${assets.script}" data-search="${root}${assets.search}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="name" href="${root}docs/"><img src="${root}${assets.icon}" alt="" width="24" height="24">${name}</a>
${hasNavigation ? `${search}<a class="to-pages" href="#pages">All pages</a>` : ""}
</header>
<div class="columns">
<main id="content" tabindex="-1">
<h1>${escapeHtml(title)}</h1>
${body}
</main>
${hasNavigation ? `<nav id="pages" aria-label="All pages">${groups.join("\n")}</nav>` : ""}
</div>
</body>
</html>
`;
}
