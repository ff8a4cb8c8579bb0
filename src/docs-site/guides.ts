// The guides of the site, and its navigation, both from docs/README.md.
import { readdirSync, readFileSync } from "node:fs";
import { type ResolveLink, renderMarkdown } from "./markdown.ts";
import { type Pages, toRelativeRoot } from "./page.ts";

/** A link of the navigation. */
export interface NavigationLink {
  /** Below the service's address. */
  readonly path: string;
  readonly label: string;
  /** Its Markdown, if it is a guide. */
  readonly file: URL | undefined;
}

/** The same relative path in the source and in the built package. */
const folder = new URL("../../docs/", import.meta.url);

/** The groups of the navigation, from top to bottom. */
export const navigation = readFileSync(new URL("README.md", folder), "utf8")
  .split(/^## /m)
  .slice(1)
  .map((group) => ({
    heading: group.slice(0, group.indexOf("\n")),
    links: [...group.matchAll(/^- \[(.+)\]\((.+)\)$/gm)].map(([, label = "", href = ""]) => parseLink(label, href)),
  }));

function parseLink(label: string, href: string): NavigationLink {
  if (href.startsWith("/")) return { path: href.slice(1), label, file: undefined };
  const page = href.replace(/^\.\.\//, "").replace(/(?:\/README)?\.md$/, "");
  return { path: `docs/${page}`, label, file: new URL(href, folder) };
}

const guides = navigation.flatMap(({ heading, links }) => {
  const weight = heading === "Background" ? 0.2 : 2;
  return links.flatMap(({ path, file }) => (file === undefined ? [] : [{ path, file, weight }]));
});
const paths: ReadonlyMap<string, string> = new Map(guides.map(({ file, path }) => [file.href, path]));

/** Every page of the guides. */
export function createGuidePages(): Pages {
  const pages = guides.map(({ path, file, weight }) => {
    const make = () => ({ weight, ...renderMarkdown(readFileSync(file, "utf8"), createLinkResolver(file, path)) });
    return [path, make] as const;
  });
  return new Map(pages);
}

/** Resolves the links of a page. Guides link to the files of other guides. */
function createLinkResolver(file: URL, path: string): ResolveLink {
  const root = toRelativeRoot(path);
  return (href) => {
    if (/^(?:https?:|#)/.test(href)) return href;
    if (href.startsWith("/")) return `${root}${href.slice(1)}`;
    if (/\.(?:svg|png)$/.test(href)) return `${root}docs/${href}`;
    const [target = "", anchor = ""] = href.split(/(?=#)/);
    const guide = paths.get(new URL(target, file).href);
    return guide && `${root}${guide}${anchor}`;
  };
}

/** The pictures of guides, by their paths below docs/. */
export function listImages(): ReadonlyMap<string, URL> {
  const files = ["", "pictures/"].flatMap((path) => readdirSync(new URL(path, folder)).map((name) => path + name));
  return new Map(files.filter((file) => /\.(?:svg|png)$/.test(file)).map((file) => [file, new URL(file, folder)]));
}
