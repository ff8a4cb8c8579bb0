// The documentation as a site: guides beside the reference, and a page for each problem. Everything is rendered when the
// server is ready, so that a request costs a look into a map.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../transport/http/problem.ts";
import { readAssets } from "./assets.ts";
import { firstGuide, type Guide, guideGroups, readGuide, readPictures } from "./guides.ts";
import { type Frame, type NavigationGroup, renderPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { type Page, rootFrom } from "./page.ts";
import { problemPages } from "./problems.ts";
import type { ApiDocument } from "./reference/api-document.ts";
import { referencePages } from "./reference/reference.ts";
import { StaticFile, sendStatic } from "./static-files.ts";

const pageMaxAgeSeconds = 300;
const assetMaxAgeSeconds = 31_536_000;
const html = "text/html; charset=utf-8";

/** What the routes of the site look a path up in. Paths are below the service's address. */
export type SiteFiles = ReadonlyMap<string, StaticFile>;

/**
 * Adds the pages.
 * @param document gives the OpenAPI document when the server is ready; undefined: the pages of problems only
 */
export function addSite(app: FastifyInstance, document: (() => ApiDocument) | undefined): void {
  let files: SiteFiles = new Map();
  app.addHook("onReady", async () => {
    files = renderSite(document?.());
  });
  const send = (path: string, reply: FastifyReply) => {
    const file = files.get(path);
    if (file === undefined) throw new Problem("not_found", "There is no such page.");
    return sendStatic(reply, file, path.startsWith("docs/assets/") ? assetMaxAgeSeconds : pageMaxAgeSeconds);
  };
  const rest = ({ params }: FastifyRequest) => (params as { "*": string })["*"];
  app.get("/problems", async (_request, reply) => send("problems", reply));
  app.get("/problems/:code", async (request, reply) =>
    send(`problems/${(request.params as { code: string }).code}`, reply),
  );
  app.get("/docs/assets/*", async (request, reply) => send(`docs/assets/${rest(request)}`, reply));
  if (document === undefined) return;
  // Relative, since callers may reach the service below a path of a proxy.
  app.get("/", async (_request, reply) => reply.redirect("docs/"));
  app.get("/docs", async (_request, reply) => reply.redirect("docs/"));
  app.get("/docs/*", async (request, reply) => send(`docs/${rest(request)}`, reply));
}

/** Every file of the site, by its path. */
export function renderSite(document: ApiDocument | undefined): SiteFiles {
  const problems = problemPages();
  const guides = document === undefined ? [] : guidePages();
  const reference = document === undefined ? [] : referencePages(document);
  const pages = [...guides, ...reference, ...problems];
  const assets = readAssets();
  const index = new StaticFile("application/json; charset=utf-8", searchIndex(pages));
  const indexPath = `docs/assets/search.${index.tag}.json`;
  const frame: Frame = {
    navigation: document === undefined ? [] : navigation(reference),
    assets: { ...assets.paths, search: indexPath },
  };
  return new Map([
    ...assets.files,
    [indexPath, index],
    ...[...readPictures()].map(
      ([path, picture]) => [`docs/${path}`, new StaticFile("image/svg+xml", picture)] as const,
    ),
    ...pages.map((page) => [page.path, new StaticFile(html, renderPage(page, frame))] as const),
  ]);
}

function guidePages(): Page[] {
  const guides = guideGroups.flatMap((group) => group.guides);
  const known = new Map(guides.map((guide) => [guide.name, pathOf(guide)]));
  return guides.map((guide) => {
    const path = pathOf(guide);
    const root = rootFrom(path);
    const resolveLink = (href: string) => {
      if (/^(https?:|#)/.test(href)) return href;
      if (href.startsWith("/")) return `${root}${href.slice(1)}`;
      if (href.endsWith(".svg")) return `${root}docs/${href}`;
      const [, name = "", anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
      const target = known.get(name);
      return target === undefined ? undefined : `${root}${target}${anchor}`;
    };
    return { path, ...renderMarkdown(readGuide(guide), resolveLink) };
  });
}

/** The first guide is what /docs/ shows. */
function pathOf({ name }: Guide): string {
  return name === firstGuide ? "docs/" : `docs/${name}`;
}

function navigation(reference: readonly Page[]): NavigationGroup[] {
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

/** Longer sections are found by their beginning. */
const maxTextLength = 1500;

/** A section as the search has it. */
export interface SearchEntry {
  readonly id: number;
  /** Below the service's address. */
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The sections as JSON. */
export function searchIndex(pages: readonly Page[]): string {
  const sections = pages.flatMap(({ path, title, sections }) =>
    sections.map(({ anchor, heading, text }) => ({
      path: anchor === "" ? path : `${path}#${anchor}`,
      page: title,
      heading,
      text: text.slice(0, maxTextLength),
    })),
  );
  return JSON.stringify(sections.map((section, id): SearchEntry => ({ id, ...section })));
}
