// What the search of the site knows: every section, and how much its page is worth.
import type { Page, PageKind } from "./page.ts";

/** Longer sections are found by their beginning: members of a body have pages of their own, rows of a table have not. */
const maxTextLengths: Readonly<Record<PageKind, number>> = {
  landing: 0,
  guide: 6000,
  reference: 1200,
  problem: 1500,
  operation: 12_000,
};

/** Whoever asks for a word wants to understand it first, then to call it, then to know what went wrong. */
const weights: Readonly<Record<PageKind, number>> = {
  landing: 1,
  guide: 2,
  reference: 1.5,
  problem: 1,
  operation: 0.8,
};

/** A section as the search has it. */
export interface SearchEntry {
  readonly id: number;
  /** Below the service's address. */
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
  /** What its score is multiplied by. */
  readonly weight: number;
}

/** The sections as JSON. */
export function searchIndex(pages: readonly Page[]): string {
  const entries = pages.flatMap(({ path, title, sections, kind = "guide", chapterOf }) =>
    sections.map(({ anchor, heading, text }) => ({
      path: anchor === "" ? path : `${path}#${anchor}`,
      page: chapterOf?.title ?? title,
      heading: heading === "" && chapterOf !== undefined ? title : heading,
      text: text.slice(0, maxTextLengths[kind]),
      weight: weights[kind],
    })),
  );
  return JSON.stringify(entries.map((entry, id): SearchEntry => ({ id, ...entry })));
}
