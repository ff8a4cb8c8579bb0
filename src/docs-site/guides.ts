// The guides of the site: which pages of docs/ it shows, and where.
import { readdirSync, readFileSync } from "node:fs";
import type { PageKind } from "./page.ts";

/** A page of docs/. */
export interface Guide {
  /** Its file in docs/ without the ending, and its address below /docs. */
  readonly name: string;
  /** Its name in the navigation. */
  readonly label: string;
  /** Whether each of its chapters is a page of its own, for long guides. */
  readonly byChapter?: true;
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
      { name: "results", label: "Results", byChapter: true },
      { name: "trust", label: "How far to trust them", byChapter: true },
      { name: "comparison-values", label: "Comparison values" },
      { name: "reports", label: "Reports" },
      { name: "groups", label: "Groups" },
      { name: "coaching", label: "Coaching with a report" },
      { name: "translations", label: "Translations", byChapter: true },
      { name: "studies", label: "Running a study" },
      { name: "webhooks", label: "Webhooks" },
      { name: "exports", label: "Exports" },
      { name: "connect", label: "Connect and gRPC-Web" },
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
      { name: "first-partner", label: "Your first partner" },
      { name: "runbook", label: "Runbook", byChapter: true },
      { name: "audit", label: "Audit log" },
      { name: "configuration", label: "Configuration" },
      { name: "command-line", label: "Command line", byChapter: true },
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

/** The text of a guide. */
export function readGuide({ name }: Guide): string {
  return readFileSync(new URL(`${name}.md`, folder), "utf8");
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
