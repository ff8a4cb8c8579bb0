// The files of the documentation site. Imported at the first request, to save memory.
import { setImmediate } from "node:timers/promises";
import { once } from "../kernel/once.ts";
import { StaticFile } from "../transport/http/static-files.ts";
import { readAssets } from "./assets.ts";
import { guideGroups, guidePages, listPictures, pathOf, readPicture } from "./guides.ts";
import { landingPage } from "./landing.ts";
import { type Frame, type NavigationGroup, renderPage } from "./layout.ts";
import { maxDepth, notFoundPage, notFoundPath } from "./not-found.ts";
import type { Page, PageSource } from "./page.ts";
import { problemPages } from "./problems.ts";
import type { ApiDocument } from "./reference/api-document.ts";
import { referencePages } from "./reference/reference.ts";
import { searchIndex } from "./search-index.ts";

const html = "text/html; charset=utf-8";
/** Its name has no hash of its content, which needs all pages. */
const searchPath = "docs/search.json";

/** Renders each file of the site, by its path below the service's address, at its first request. */
export type SiteFiles = ReadonlyMap<string, () => Promise<StaticFile>>;

/** The site. */
export function openSite(document: ApiDocument | undefined): SiteFiles {
  const assets = readAssets();
  const reference = document === undefined ? [] : referencePages(document);
  const guides = document === undefined ? [] : [{ path: "docs/", make: landingPage }, ...guidePages()];
  const pages = [...guides, ...reference, ...problemPages()];
  const frame: Frame = {
    navigation: document === undefined ? [] : navigation(reference),
    assets: { ...assets.paths, search: searchPath },
  };
  const pageFile = (make: () => Page) => () => new StaticFile(html, renderPage(make(), frame));
  const missing = document === undefined ? [] : Array.from({ length: maxDepth + 1 }, (_, depth) => depth);
  const makers: readonly (readonly [path: string, make: () => StaticFile | Promise<StaticFile>])[] = [
    ...[...assets.files].map(([path, file]) => [path, () => file] as const),
    [searchPath, async () => new StaticFile("application/json; charset=utf-8", searchIndex(await madeInTurns(pages)))],
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
  const made: Page[] = [];
  for (const { make } of sources) {
    made.push(make());
    await setImmediate();
  }
  return made;
}

function navigation(reference: readonly { readonly path: string; readonly title: string }[]): NavigationGroup[] {
  const groups = guideGroups.map(({ heading, guides }) => ({
    heading,
    links: guides.map((guide) => ({ path: pathOf(guide), label: guide.label })),
  }));
  const operations = {
    heading: "Reference",
    links: [
      ...reference.map(({ path, title }) => ({ path, label: title })),
      { path: "problems", label: "Problems" },
      { path: "openapi.json", label: "OpenAPI document" },
    ],
  };
  return [...groups.slice(0, 2), operations, ...groups.slice(2)];
}
