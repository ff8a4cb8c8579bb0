// The files of the documentation site. Imported at the first request, to save memory.
import { setImmediate } from "node:timers/promises";
import { once } from "../kernel/once.ts";
import { StaticFile } from "../transport/http/static-files.ts";
import { readAssets } from "./assets.ts";
import { guidePages, listPictures, readPicture } from "./guides.ts";
import { landingPage } from "./landing.ts";
import { renderPage } from "./layout.ts";
import { maxDepth, notFoundPage, notFoundPath } from "./not-found.ts";
import type { Page, PageKind, PageSource } from "./page.ts";
import { problemPages } from "./problems.ts";
import { type ApiDocument, readScalar, referencePage, referencePath, scalarPath } from "./reference.ts";

const html = "text/html; charset=utf-8";
/** Its name has no hash of its content, which needs all pages. */
const searchPath = "docs/search.json";

/** Renders each file of the site, by its path below the service's address, at its first request. */
export type SiteFiles = ReadonlyMap<string, () => Promise<StaticFile>>;

/** The site. */
export function openSite(document: ApiDocument): SiteFiles {
  const assets = readAssets();
  const reference = { path: referencePath, make: () => referencePage(document, assets.paths) };
  const pages = [{ path: "docs/", make: landingPage }, ...guidePages(), reference, ...problemPages()];
  const paths = { ...assets.paths, search: searchPath };
  const pageFile = (make: () => Page) => () => new StaticFile(html, renderPage(make(), paths));
  const missing = Array.from({ length: maxDepth + 1 }, (_, depth) => depth);
  const makers: readonly (readonly [path: string, make: () => StaticFile | Promise<StaticFile>])[] = [
    ...[...assets.files].map(([path, file]) => [path, () => file] as const),
    [searchPath, async () => new StaticFile("application/json; charset=utf-8", searchIndex(await madeInTurns(pages)))],
    [scalarPath, readScalar],
    ...listPictures().map((path) => [`docs/${path}`, () => pictureFile(path)] as const),
    ...missing.map((depth) => [notFoundPath(depth), pageFile(() => notFoundPage(depth))] as const),
    ...pages.map(({ path, make }) => [path, pageFile(make)] as const),
  ];
  return new Map(makers.map(([path, make]) => [path, once(() => Promise.try(make))]));
}

function pictureFile(path: string): StaticFile {
  return new StaticFile(path.endsWith(".png") ? "image/png" : "image/svg+xml", readPicture(path));
}

/** All pages. Yields to other requests after each. */
async function madeInTurns(sources: readonly PageSource[]): Promise<Page[]> {
  const pages: Page[] = [];
  for (const { make } of sources) {
    pages.push(make());
    await setImmediate();
  }
  return pages;
}

/**
 * How pages of a kind count in search: those to understand a word come first, then the reference, then problems. Longer
 * sections are indexed by their beginning only.
 */
const searchKinds: Readonly<Record<PageKind, { readonly weight: number; readonly maxLength: number }>> = {
  landing: { weight: 1, maxLength: 0 },
  guide: { weight: 2, maxLength: 6000 },
  reference: { weight: 1.5, maxLength: 1200 },
  problem: { weight: 1, maxLength: 1500 },
  operation: { weight: 0.8, maxLength: 12_000 },
  listing: { weight: 0.2, maxLength: 1200 },
};

/** The sections as JSON. */
function searchIndex(pages: readonly Page[]): string {
  const entries = pages.flatMap(({ path, title: page, sections, kind = "guide" }) => {
    const { weight, maxLength } = searchKinds[kind];
    return sections.map(({ anchor, heading, text }) => {
      const place = anchor === "" ? path : `${path}#${anchor}`;
      return { path: place, page, heading, text: text.slice(0, maxLength), weight };
    });
  });
  return JSON.stringify(entries.map((entry, id) => ({ id, ...entry })));
}
