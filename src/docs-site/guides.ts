// The guides of the site: which pages of docs/ it shows, and where.
import { readdirSync, readFileSync } from "node:fs";
import { type ResolveLink, renderMarkdown } from "./markdown.ts";
import { type PageKind, type PageSource, rootFrom } from "./page.ts";

/** A page of docs/. */
export interface Guide {
  /** Its address below /docs, and its file in docs/ without the ending, unless another one is given. */
  readonly name: string;
  /** Its name in the navigation. */
  readonly label: string;
  /** Relative to docs/. */
  readonly file?: string;
  /** Unset: that of the group. */
  readonly kind?: PageKind;
}

export interface GuideGroup {
  readonly heading: string;
  readonly kind: PageKind;
  readonly guides: readonly Guide[];
}

/** The navigation, from top to bottom. The reference stands between the second group and the third. */
export const guideGroups: readonly GuideGroup[] = [
  {
    heading: "Begin",
    kind: "guide",
    guides: [
      { name: "getting-started", label: "Getting started" },
      { name: "interface", label: "The interface at a glance" },
      { name: "go-live", label: "Going live" },
    ],
  },
  {
    heading: "Guides",
    kind: "guide",
    guides: [
      { name: "sandbox", label: "Sandbox" },
      { name: "hosted", label: "Hosted pages" },
      { name: "results", label: "Results" },
      { name: "trust", label: "How far to trust them" },
      { name: "comparison-values", label: "Comparison values" },
      { name: "reports", label: "Reports" },
      { name: "groups", label: "Groups" },
      { name: "coaching", label: "Coaching with a report" },
      { name: "translations", label: "Translations", kind: "listing" },
      { name: "studies", label: "Running a study" },
      { name: "webhooks", label: "Webhooks" },
      { name: "exports", label: "Exports" },
      { name: "connect", label: "Connect and gRPC-Web" },
      { name: "client-typescript", label: "Client for TypeScript", file: "../clients/typescript/README.md" },
      { name: "client-python", label: "Client for Python", file: "../clients/python/README.md" },
      { name: "examples", label: "Examples", file: "../examples/README.md" },
      { name: "errors", label: "Errors" },
      { name: "limits", label: "Limits" },
      { name: "deprecation", label: "Deprecation" },
      { name: "mcp", label: "Tools for assistants" },
    ],
  },
  {
    heading: "Operations",
    kind: "operation",
    guides: [
      { name: "deploy", label: "Ways to run it", file: "../deploy/README.md" },
      { name: "first-partner", label: "Your first partner" },
      { name: "runbook", label: "Runbook" },
      { name: "audit", label: "Audit log" },
      { name: "configuration", label: "Configuration" },
      { name: "command-line", label: "Command line" },
      { name: "database", label: "The database" },
      { name: "scale", label: "Scale" },
    ],
  },
  {
    heading: "Background",
    kind: "operation",
    guides: [
      { name: "instrument", label: "The instrument" },
      { name: "glossary", label: "Glossary" },
    ],
  },
];

/** The relative path to docs/ is the same from the source and from the built package. */
const folder = new URL("../../docs/", import.meta.url);

/** The address of a guide below the service's. */
export function pathOf({ name }: Pick<Guide, "name">): string {
  return `docs/${name}`;
}

/** Every page of the guides. */
export function guidePages(): PageSource[] {
  return guideGroups.flatMap(({ guides, kind }) =>
    guides.map((guide): PageSource => {
      const path = pathOf(guide);
      const render = () => renderMarkdown(readFileSync(fileOf(guide), "utf8"), linksFrom(guide));
      return { path, make: () => ({ path, kind: guide.kind ?? kind, ...render() }) };
    }),
  );
}

function fileOf({ name, file = `${name}.md` }: Guide): URL {
  return new URL(file, folder);
}

/** Resolves the links of a page. Guides lead to each other by their files. */
function linksFrom(guide: Guide): ResolveLink {
  const guides = new Map(guideGroups.flatMap((group) => group.guides.map((each) => [fileOf(each).href, each])));
  const root = rootFrom(pathOf(guide));
  return (href) => {
    if (/^(?:https?:|#)/.test(href)) return href;
    if (href.startsWith("/")) return `${root}${href.slice(1)}`;
    if (/\.(?:svg|png)$/.test(href)) return `${root}docs/${href}`;
    const [file = "", anchor = ""] = href.split(/(?=#)/);
    const target = guides.get(new URL(file, fileOf(guide)).href);
    return target && `${root}${pathOf(target)}${anchor}`;
  };
}

/** Paths below docs/ of pictures that guides show. */
export function listPictures(): string[] {
  const files = [
    ...readdirSync(folder),
    ...readdirSync(new URL("pictures/", folder)).map((name) => `pictures/${name}`),
  ];
  return files.filter((file) => /\.(?:svg|png)$/.test(file));
}

/** The content of one of these pictures. */
export function readPicture(path: string): Buffer {
  return readFileSync(new URL(path, folder));
}
