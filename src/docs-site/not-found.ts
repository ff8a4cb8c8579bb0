// The page for people at an unknown address. Programs get a problem.
import { type Page, rootFrom } from "./page.ts";

/** Addresses below deeper ones get the problem too: links of the page depend on its depth. */
export const maxDepth = 3;

/** Its key in the site. No request has such a path: paths of pages begin with the name of their route. */
export const notFoundPath = (depth: number) => `missing/${depth}`;

/** The page for addresses of that depth; its own path is not an address. */
export function notFoundPage(depth: number): Page {
  const path = `missing${"/".repeat(depth)}`;
  const root = rootFrom(path);
  const body = `<p class="lead">No page of the documentation has this address. It may have moved, or the link has a typo.</p>
<div class="missing" hidden><h2>Perhaps you want one of these</h2><ol></ol></div>
<h2>Where to go from here</h2>
<ul>
<li><a href="${root}docs/">The first page</a>: what the service is, and three ways in</li>
<li><a href="${root}docs/getting-started">Getting started</a>: from a token to results in five requests</li>
<li><a href="${root}docs/interface">The interface at a glance</a>: every operation and every service</li>
<li><a href="${root}problems">Problems</a>: every error code, and what to do</li>
</ul>`;
  return { path, title: "There is no such page", body, sections: [] };
}
