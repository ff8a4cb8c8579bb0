// The documentation as a site: guides beside the reference, and a page for each problem. Everything is rendered when the
// server is ready, so that a request costs a look into a map.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../transport/http/problem.ts";
import { readAssets } from "./assets.ts";
import { type Guide, guideGroups, readGuide, readPictures } from "./guides.ts";
import { landingPage } from "./landing.ts";
import { type Frame, type NavigationGroup, renderPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { maxDepth, notFoundPage } from "./not-found.ts";
import { type Page, rootFrom } from "./page.ts";
import { problemPages } from "./problems.ts";
import type { ApiDocument } from "./reference/api-document.ts";
import { referencePages } from "./reference/reference.ts";
import { searchIndex } from "./search-index.ts";
import { StaticFile, sendNotFound, sendStatic } from "./static-files.ts";

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
    if (file === undefined) return sendMissing(path, reply);
    return sendStatic(reply, file, path.startsWith("docs/assets/") ? assetMaxAgeSeconds : pageMaxAgeSeconds);
  };
  const sendMissing = (path: string, reply: FastifyReply) => {
    const page = files.get(notFoundPath(path.split("/").length - 1));
    const wantsPage = /\btext\/html\b/.test(reply.request.headers.accept ?? "");
    if (page === undefined || !wantsPage) throw new Problem("not_found", "There is no such page.");
    return sendNotFound(reply, page);
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
  const landing = document === undefined ? [] : [landingPage()];
  const pages = [...landing, ...guides, ...reference, ...problems];
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
      ([path, picture]) =>
        [`docs/${path}`, new StaticFile(path.endsWith(".png") ? "image/png" : "image/svg+xml", picture)] as const,
    ),
    ...notFoundPages(frame),
    ...pages.map((page) => [page.path, new StaticFile(html, renderPage(page, frame))] as const),
  ]);
}

/** No request has such a path: those of pages begin with the name of their route. */
const notFoundPath = (depth: number) => `missing/${depth}`;

function notFoundPages({ navigation, assets }: Frame): [string, StaticFile][] {
  if (navigation.length === 0) return [];
  return Array.from({ length: maxDepth + 1 }, (_, depth) => {
    const page = renderPage(notFoundPage(depth), { navigation, assets });
    return [notFoundPath(depth), new StaticFile(html, page)];
  });
}

function guidePages(): Page[] {
  const guides = guideGroups.flatMap((group) => group.guides.map((guide) => ({ ...guide, kind: group.kind })));
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
    return { path, kind: guide.kind, ...renderMarkdown(readGuide(guide), resolveLink) };
  });
}

function pathOf({ name }: Guide): string {
  return `docs/${name}`;
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
