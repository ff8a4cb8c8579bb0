// The navigation of the site, and its guides: pages of docs/.
import { readdirSync, readFileSync } from "node:fs";
import { type ResolveLink, renderMarkdown } from "./markdown.ts";
import { type PageKind, type Pages, rootFrom } from "./page.ts";

/** A page of the site in its navigation. */
export interface NavigationLink {
  /** Below the service's address. */
  readonly path: string;
  readonly label: string;
  /** Of a guide that is not of the kind of its group. */
  readonly kind?: PageKind;
  /** Of a guide: relative to docs/, in place of the last part of its path. */
  readonly file?: string;
}

export interface NavigationGroup {
  readonly heading: string;
  /** Of its guides; undefined if it has none. */
  readonly kind?: PageKind;
  readonly links: readonly NavigationLink[];
}

/** From top to bottom. */
export const navigation: readonly NavigationGroup[] = [
  {
    heading: "Begin",
    kind: "guide",
    links: [
      { path: "docs/getting-started", label: "Getting started" },
      { path: "docs/interface", label: "The interface at a glance" },
      { path: "docs/go-live", label: "Going live" },
    ],
  },
  {
    heading: "Guides",
    kind: "guide",
    links: [
      { path: "docs/sandbox", label: "Sandbox" },
      { path: "docs/hosted", label: "Hosted pages" },
      { path: "docs/results", label: "Results" },
      { path: "docs/trust", label: "How far to trust them" },
      { path: "docs/comparison-values", label: "Comparison values" },
      { path: "docs/reports", label: "Reports" },
      { path: "docs/groups", label: "Groups" },
      { path: "docs/coaching", label: "Coaching with a report" },
      { path: "docs/translations", label: "Translations", kind: "listing" },
      { path: "docs/studies", label: "Running a study" },
      { path: "docs/webhooks", label: "Webhooks" },
      { path: "docs/exports", label: "Exports" },
      { path: "docs/connect", label: "Connect and gRPC-Web" },
      { path: "docs/client-typescript", label: "Client for TypeScript", file: "../clients/typescript/README.md" },
      { path: "docs/client-python", label: "Client for Python", file: "../clients/python/README.md" },
      { path: "docs/examples", label: "Examples", file: "../examples/README.md" },
      { path: "docs/errors", label: "Errors" },
      { path: "docs/limits", label: "Limits" },
      { path: "docs/deprecation", label: "Deprecation" },
      { path: "docs/mcp", label: "Tools for assistants" },
    ],
  },
  {
    heading: "Reference",
    links: [
      { path: "docs/reference", label: "Every operation" },
      { path: "problems", label: "Problems" },
      { path: "openapi.json", label: "OpenAPI document" },
    ],
  },
  {
    heading: "Operations",
    kind: "operation",
    links: [
      { path: "docs/deploy", label: "Ways to run it", file: "../deploy/README.md" },
      { path: "docs/first-partner", label: "Your first partner" },
      { path: "docs/runbook", label: "Runbook" },
      { path: "docs/audit", label: "Audit log" },
      { path: "docs/configuration", label: "Configuration" },
      { path: "docs/command-line", label: "Command line" },
      { path: "docs/database", label: "The database" },
      { path: "docs/scale", label: "Scale" },
    ],
  },
  {
    heading: "Background",
    kind: "operation",
    links: [
      { path: "docs/instrument", label: "The instrument" },
      { path: "docs/glossary", label: "Glossary" },
    ],
  },
];

/** The relative path to docs/ is the same from the source and from the built package. */
const folder = new URL("../../docs/", import.meta.url);

/** The guides by the addresses of their files. */
const guides: ReadonlyMap<string, NavigationLink & { readonly kind: PageKind }> = new Map(
  navigation.flatMap(({ kind, links }) =>
    kind === undefined ? [] : links.map((link) => [fileOf(link).href, { kind, ...link }] as const),
  ),
);

function fileOf({ path, file = `${path.replace("docs/", "")}.md` }: NavigationLink): URL {
  return new URL(file, folder);
}

/** Every page of the guides. */
export function guidePages(): Pages {
  const pages = [...guides].map(([file, { path, kind }]) => {
    const make = () => ({ kind, ...renderMarkdown(readFileSync(new URL(file), "utf8"), linksFrom(file, path)) });
    return [path, make] as const;
  });
  return new Map(pages);
}

/** Resolves the links of a page. Guides lead to each other by their files. */
function linksFrom(file: string, path: string): ResolveLink {
  const root = rootFrom(path);
  return (href) => {
    if (/^(?:https?:|#)/.test(href)) return href;
    if (href.startsWith("/")) return `${root}${href.slice(1)}`;
    if (/\.(?:svg|png)$/.test(href)) return `${root}docs/${href}`;
    const [target = "", anchor = ""] = href.split(/(?=#)/);
    const guide = guides.get(new URL(target, file).href);
    return guide && `${root}${guide.path}${anchor}`;
  };
}

/** The pictures that guides show, by their paths below docs/. */
export function listPictures(): ReadonlyMap<string, URL> {
  const files = ["", "pictures/"].flatMap((below) => readdirSync(new URL(below, folder)).map((name) => below + name));
  return new Map(files.filter((file) => /\.(?:svg|png)$/.test(file)).map((file) => [file, new URL(file, folder)]));
}
