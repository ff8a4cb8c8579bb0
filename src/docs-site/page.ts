// A page of the site without its frame.
import { html } from "@remix-run/html-template";

/** A part of a page under a heading, for the search. */
export interface Section {
  /** Empty for the text before the first heading with an anchor. */
  readonly anchor: string;
  readonly heading: string;
  /** The level of that heading; 1 is the page's own. */
  readonly depth: number;
  /** Without markup. */
  readonly text: string;
}

export interface Page {
  readonly title: string;
  /** HTML of everything below the title; in the reference, below the header. */
  readonly body: string;
  readonly sections: readonly Section[];
  /** The differences of its appearance from that of most pages. */
  readonly kind?: "landing" | "reference";
  /** Its weight in the search; 1 unless given. */
  readonly weight?: number;
}

/** The pages, rendered on request, by their paths below the service's address, for example `docs/hosted`. */
export type Pages = ReadonlyMap<string, () => Page>;

/** The relative path from a page to the service's root: links are relative, since a proxy may add a path prefix. */
export function toRelativeRoot(path: string): string {
  return "../".repeat(path.split("/").length - 1) || "./";
}

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return String(html`${text}`);
}
