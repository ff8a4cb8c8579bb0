// The files of the documentation site. Imported at the first request, to save memory.
import { setImmediate } from "node:timers/promises";
import { StaticFile } from "../transport/http/static-files.ts";
import { readAssets } from "./assets.ts";
import { guidePages, pathOf } from "./guide-pages.ts";
import { guideGroups, listPictures, readPicture } from "./guides.ts";
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

/** The site, whose files are rendered on request. */
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
  return new SiteFiles(
    new Map<string, () => StaticFile | Promise<StaticFile>>([
      ...[...assets.files].map(([path, file]) => [path, () => file] as const),
      [
        searchPath,
        async () => new StaticFile("application/json; charset=utf-8", searchIndex(await madeInTurns(pages))),
      ],
      ...listPictures().map((path) => [`docs/${path}`, () => pictureFile(path)] as const),
      ...missing.map((depth) => [notFoundPath(depth), pageFile(() => notFoundPage(depth))] as const),
      ...pages.map(({ path, make }) => [path, pageFile(make)] as const),
    ]),
  );
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

/** The renderer of each file of the site, by its path below the service's address. */
type FileMakers = ReadonlyMap<string, () => StaticFile | Promise<StaticFile>>;

/** Files of the site, each rendered at its first request and cached: at most one for each renderer. */
export class SiteFiles {
  readonly #makers: FileMakers;
  readonly #made = new Map<string, Promise<StaticFile>>();

  constructor(makers: FileMakers) {
    this.#makers = makers;
  }

  /** A file; undefined if there is none. A failed rendering is retried at the next request. */
  async get(path: string): Promise<StaticFile | undefined> {
    const known = this.#made.get(path);
    if (known !== undefined) return known;
    const make = this.#makers.get(path);
    if (make === undefined) return undefined;
    const made = Promise.try(make);
    this.#made.set(path, made);
    made.catch(() => this.#made.delete(path));
    return made;
  }
}
