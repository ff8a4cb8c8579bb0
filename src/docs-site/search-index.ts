// The search index of the site: every section, with the weight of its page.
import type { Page, PageKind } from "./page.ts";

/** Longer sections are indexed by their beginning only: members of a body have their own pages, table rows do not. */
const maxTextLengths: Readonly<Record<PageKind, number>> = {
  landing: 0,
  guide: 6000,
  reference: 1200,
  problem: 1500,
  operation: 12_000,
};

/** Weights: guides to understand a word come first, then the reference, then problems. */
const weights: Readonly<Record<PageKind, number>> = {
  landing: 1,
  guide: 2,
  reference: 1.5,
  problem: 1,
  operation: 0.8,
};

/** A section in the index. */
export interface SearchEntry {
  readonly id: number;
  /** Below the service's address. */
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** Factor of its score. */
  readonly weight: number;
}

/** The sections as JSON. */
export function searchIndex(pages: readonly Page[]): string {
  const entries = pages.flatMap(({ path, title, sections, kind = "guide" }) =>
    sections.map(({ anchor, heading, text }) => ({
      path: anchor === "" ? path : `${path}#${anchor}`,
      page: title,
      heading,
      text: text.slice(0, maxTextLengths[kind]),
      weight: weights[kind],
    })),
  );
  return JSON.stringify(entries.map((entry, id): SearchEntry => ({ id, ...entry })));
}
