// The guides as pages: one page each, or one for each chapter of a long guide.
import { type Chapter, type SplitGuide, splitGuide } from "./chapters.ts";
import { type Guide, guideGroups, readGuide } from "./guides.ts";
import { type ResolveLink, renderMarkdown } from "./markdown.ts";
import { escapeHtml, type Page, type PageKind, type PageSource, rootFrom } from "./page.ts";

type PlacedGuide = Guide & { readonly kind: PageKind };

/** The address of a guide below the service's. */
export function pathOf({ name }: Pick<Guide, "name">): string {
  return `docs/${name}`;
}

/** Every page of the guides. */
export function guidePages(): PageSource[] {
  const guides = guideGroups.flatMap(({ guides: own, kind }) => own.map((guide): PlacedGuide => ({ ...guide, kind })));
  const splitGuides = new Map(
    guides.filter(({ byChapter }) => byChapter).map((guide) => [guide.name, splitGuide(readGuide(guide))]),
  );
  const known = new Set(guides.map(({ name }) => name));
  /** Resolves the links of a page. @param own the guide of the page */
  const linksFrom = (path: string, own: Guide): ResolveLink => {
    const root = rootFrom(path);
    return (href) => {
      if (/^https?:/.test(href)) return href;
      if (href.startsWith("/")) return `${root}${href.slice(1)}`;
      if (/\.(?:svg|png)$/.test(href)) return `${root}docs/${href}`;
      const match = /^(?:([\w-]+)\.md)?(?:#(.*))?$/.exec(href);
      const [, name = own.name, anchor = ""] = match ?? [];
      if (match === null || !known.has(name)) return undefined;
      return `${root}${addressIn(name, splitGuides.get(name), anchor)}`;
    };
  };
  return guides.flatMap((guide): PageSource[] => {
    const path = pathOf(guide);
    const { kind } = guide;
    const split = splitGuides.get(guide.name);
    if (split === undefined)
      return [{ path, make: () => ({ path, kind, ...renderMarkdown(readGuide(guide), linksFrom(path, guide)) }) }];
    const chapters = split.chapters.map((chapter, index) => {
      const chapterPath = `${path}/${chapter.name}`;
      const place = { path: chapterPath, guide, split, index };
      return { path: chapterPath, make: () => chapterPage(chapter, place, linksFrom(chapterPath, guide)) };
    });
    return [{ path, make: () => firstPage(guide, split, linksFrom(path, guide)) }, ...chapters];
  });
}

/** The page that has an anchor of a guide: the guide's, or that of a chapter. */
function addressIn(name: string, split: SplitGuide | undefined, anchor: string): string {
  const path = pathOf({ name });
  for (const chapter of split?.chapters ?? []) {
    const heading = chapter.headings.find(({ wholeAnchor }) => wholeAnchor === anchor);
    if (heading !== undefined) return `${path}/${chapter.name}${heading.anchor === "" ? "" : `#${heading.anchor}`}`;
  }
  return anchor === "" ? path : `${path}#${anchor}`;
}

/** The first page of a guide in chapters: its beginning, and every heading with its anchor in the file. */
function firstPage(guide: PlacedGuide, split: SplitGuide, resolveLink: ResolveLink): Page {
  const path = pathOf(guide);
  const root = rootFrom(path);
  const { body, ...rendered } = renderMarkdown(split.intro, resolveLink);
  const items = split.chapters.map((chapter) => {
    const links = chapter.headings.map(({ title, wholeAnchor }) => {
      const address = `${root}${addressIn(guide.name, split, wholeAnchor)}`;
      return `id="${wholeAnchor}"><a href="${address}">${escapeHtml(title)}</a>`;
    });
    const [own = "", ...others] = links;
    const inner = others.length === 0 ? "" : `<ul>${others.map((link) => `<li ${link}</li>`).join("\n")}</ul>`;
    return `<li ${own}${inner}</li>`;
  });
  const list = `<nav class="chapters" aria-label="Chapters"><ol>${items.join("\n")}</ol></nav>`;
  return { path, kind: guide.kind, ...rendered, body: `${body}\n${list}` };
}

interface ChapterPlace {
  readonly path: string;
  readonly guide: PlacedGuide;
  readonly split: SplitGuide;
  readonly index: number;
}

function chapterPage(chapter: Chapter, { path, guide, split, index }: ChapterPlace, resolveLink: ResolveLink): Page {
  const { body, ...rendered } = renderMarkdown(chapter.text, resolveLink);
  const neighbours = [
    ["Before", split.chapters[index - 1]],
    ["Next", split.chapters[index + 1]],
  ] as const;
  const links = neighbours.map(([word, other]) =>
    other === undefined ? "" : `<a href="${other.name}">${word}: ${escapeHtml(other.title)}</a>`,
  );
  const nav = `<nav class="neighbours" aria-label="Other chapters">${links.join("\n")}</nav>`;
  const chapterOf = { path: pathOf(guide), title: split.title };
  return { path, kind: guide.kind, chapterOf, ...rendered, body: `${body}\n${nav}` };
}
