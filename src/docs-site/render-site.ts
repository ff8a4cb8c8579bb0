// Files of the site, rendered at their first request. This module is imported with it: most processes never show a page.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { once } from "../kernel/once.ts";
import { StaticFile } from "../transport/http/static-files.ts";
import { renderCodeBlock } from "./code-block.ts";
import { createGuidePages, listImages } from "./guides.ts";
import { renderPage } from "./layout.ts";
import { type Page, type Pages, toRelativeRoot } from "./page.ts";
import { createProblemPages } from "./problems.ts";
import { type ApiDocument, createReferencePage, readScalar } from "./reference.ts";

/** Media types by the ending of a file. */
const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
} as const;

type RenderFile = () => StaticFile | Promise<StaticFile>;

export interface Site {
  /** Renders each file, by its path below the service's address. */
  readonly files: ReadonlyMap<string, RenderFile>;
  /** The page for an unknown address, as HTML; undefined for a path that is too deep. */
  renderMissingPage(path: string): string | undefined;
}

/** The site. */
export function createSite(document: ApiDocument): Site {
  const pages: Pages = new Map<string, () => Page>([
    ["docs/", createLandingPage],
    ...createGuidePages(),
    ["docs/reference", () => createReferencePage(document)],
    ...createProblemPages(),
  ]);
  const renderers: (readonly [path: string, make: RenderFile])[] = [
    ["docs/search.json", async () => new StaticFile(types[".json"], await createSearchIndex(pages))],
    ["docs/scalar.js", readScalar],
    ...[...listAssets(), ...listImages()].map(([path, file]) => [`docs/${path}`, () => readStaticFile(file)] as const),
    ...[...pages].map(
      ([path, make]) => [path, () => new StaticFile(types[".html"], renderPage(path, make()))] as const,
    ),
  ];
  const files = new Map(renderers.map(([path, make]) => [path, once(() => Promise.try(make))]));
  return { files, renderMissingPage };
}

/** Scripts, styles and the icon of the site, and the library of its search, by their paths below docs/. */
function listAssets(): ReadonlyMap<string, URL> {
  const folder = new URL("assets/", import.meta.url);
  const library = pathToFileURL(createRequire(import.meta.url).resolve("minisearch"));
  const ownAssets = readdirSync(folder).map((name) => [`assets/${name}`, new URL(name, folder)] as const);
  return new Map([...ownAssets, ["assets/minisearch.js", new URL("../es/index.js", library)]]);
}

function readStaticFile(file: URL): StaticFile {
  return new StaticFile(types[extname(file.pathname) as keyof typeof types], readFileSync(file));
}

/** The first page. */
function createLandingPage(): Page {
  const text = readFileSync(new URL("landing.html", import.meta.url), "utf8");
  const body = text.replaceAll(/```(\w+)\n(.*?)\n```\n/gs, (_, language: string, code: string) =>
    renderCodeBlock(code, language),
  );
  return { title: "Know what matters to your users", body, sections: [], kind: "landing" };
}

/** Only programs request deeper paths, for which relative links would be long. */
const maxMissingDepth = 3;

function renderMissingPage(path: string): string | undefined {
  const root = toRelativeRoot(path);
  if (root.length > "../".length * maxMissingDepth) return undefined;
  const body = readFileSync(new URL("missing.html", import.meta.url), "utf8").replaceAll("{root}", root);
  return renderPage(path, { title: "There is no such page", body, sections: [] });
}

/** The sections of all pages as JSON. Yields to other requests after each page. */
async function createSearchIndex(pages: Pages): Promise<string> {
  const entries: object[] = [];
  for (const [path, make] of pages) {
    const { title: page, sections, weight = 1 } = make();
    for (const { anchor, heading, text } of sections) {
      const address = anchor === "" ? path : `${path}#${anchor}`;
      entries.push({ id: entries.length, path: address, page, heading, text, weight });
    }
    await setImmediate();
  }
  return JSON.stringify(entries);
}
