// Renders every file of the documentation site. Imported when somebody asks for one: it takes more memory than time.
import { setImmediate } from "node:timers/promises";
import { readAssets } from "./assets.ts";
import { type Guide, guideGroups, readGuide, readPictures } from "./guides.ts";
import { landingPage } from "./landing.ts";
import { type Frame, type NavigationGroup, renderPage } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { maxDepth, notFoundPage, notFoundPath } from "./not-found.ts";
import { type Page, rootFrom } from "./page.ts";
import { problemPages } from "./problems.ts";
import type { ApiDocument } from "./reference/api-document.ts";
import { referencePages } from "./reference/reference.ts";
import { searchIndex } from "./search-index.ts";
import { type SiteFiles, StaticFile } from "./static-files.ts";

const html = "text/html; charset=utf-8";

/** Every file of the site, by its path. Whoever else is served gets a turn after each guide and each page. */
export async function renderSite(document: ApiDocument | undefined): Promise<SiteFiles> {
  const problems = problemPages();
  const guides = document === undefined ? [] : await inTurns(guidePages());
  const reference = document === undefined ? [] : referencePages(document);
  const landing = document === undefined ? [] : [landingPage()];
  const pages = [...landing, ...guides, ...reference, ...problems];
  const assets = readAssets();
  await setImmediate();
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
    ...(await inTurns(pages.map((page) => () => [page.path, new StaticFile(html, renderPage(page, frame))] as const))),
  ]);
}

/** What each of them makes, one in a turn of the event loop. */
async function inTurns<T>(makers: readonly (() => T)[]): Promise<T[]> {
  const made: T[] = [];
  for (const make of makers) {
    made.push(make());
    await setImmediate();
  }
  return made;
}

function notFoundPages({ navigation, assets }: Frame): [string, StaticFile][] {
  if (navigation.length === 0) return [];
  return Array.from({ length: maxDepth + 1 }, (_, depth) => {
    const page = renderPage(notFoundPage(depth), { navigation, assets });
    return [notFoundPath(depth), new StaticFile(html, page)];
  });
}

function guidePages(): (() => Page)[] {
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
    return () => ({ path, kind: guide.kind, ...renderMarkdown(readGuide(guide), resolveLink) });
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
