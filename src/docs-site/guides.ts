// The guides of the site: which pages of docs/ it shows, and where.
import { readdirSync, readFileSync } from "node:fs";
import type { PageKind } from "./page.ts";

/** A page of docs/. */
export interface Guide {
  /** Its file in docs/ without the ending, and its address below /docs. */
  readonly name: string;
  /** Its name in the navigation. */
  readonly label: string;
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
      { name: "studies", label: "Running a study" },
      { name: "webhooks", label: "Webhooks" },
      { name: "exports", label: "Exports" },
      { name: "connect", label: "Connect and gRPC-Web" },
      { name: "errors", label: "Errors" },
      { name: "deprecation", label: "Deprecation" },
      { name: "mcp", label: "Tools for assistants" },
    ],
  },
  {
    heading: "Operations",
    kind: "operation",
    guides: [
      { name: "first-partner", label: "Your first partner" },
      { name: "runbook", label: "Runbook" },
      { name: "audit", label: "Audit log" },
      { name: "configuration", label: "Configuration" },
      { name: "command-line", label: "Command line" },
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

/** docs/ lies as deep above the source as above what is built from it for the package. */
const folder = new URL("../../docs/", import.meta.url);

/** The text of a guide. */
export function readGuide({ name }: Guide): string {
  return readFileSync(new URL(`${name}.md`, folder), "utf8");
}

/** Pictures that guides show, by their path below docs/. */
export function readPictures(): ReadonlyMap<string, Buffer> {
  const files = [
    ...readdirSync(folder),
    ...readdirSync(new URL("pictures/", folder)).map((name) => `pictures/${name}`),
  ];
  const pictures = files.filter((file) => /\.(?:svg|png)$/.test(file));
  return new Map(pictures.map((file) => [file, readFileSync(new URL(file, folder))]));
}
