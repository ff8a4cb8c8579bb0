// What the search knows: every section of every page. Browsers fetch it when somebody begins to search.
import type { Page } from "./page.ts";

/** Longer sections are found by their beginning. */
const maxTextLength = 1500;

/** A section as the search has it. */
export interface SearchEntry {
  readonly id: number;
  /** Below the service's address. */
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/** The sections as JSON. */
export function searchIndex(pages: readonly Page[]): string {
  const sections = pages.flatMap(({ path, title, sections }) =>
    sections.map(({ anchor, heading, text }) => ({
      path: anchor === "" ? path : `${path}#${anchor}`,
      page: title,
      heading,
      text: text.slice(0, maxTextLength),
    })),
  );
  return JSON.stringify(sections.map((section, id): SearchEntry => ({ id, ...section })));
}
