// A page of the site before it has its frame.

/** A part of a page under a heading, as the search knows it. */
export interface Section {
  /** Empty for what stands before the first heading of its own. */
  readonly anchor: string;
  readonly heading: string;
  /** The level of that heading; 1 is the page's own. */
  readonly depth: number;
  /** Without markup. */
  readonly text: string;
}

/** What a page is, for its look and its place in search. */
export type PageKind = "landing" | "guide" | "reference" | "problem" | "operation";

export interface Page {
  /** Below the service's address, for example `docs/hosted`. */
  readonly path: string;
  readonly title: string;
  /** Everything below the title, as HTML. */
  readonly body: string;
  readonly sections: readonly Section[];
  /** A guide unless given. */
  readonly kind?: PageKind;
  /** The guide that the page is a chapter of. */
  readonly chapterOf?: { readonly path: string; readonly title: string };
}

/** A page that is made when somebody asks for it. */
export interface PageSource {
  readonly path: string;
  readonly make: () => Page;
}

/** What leads from a page to the service's address: pages link to each other so, since a proxy may add a path before. */
export function rootFrom(path: string): string {
  return "../".repeat(path.split("/").length - 1) || "./";
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Text whose only markup is code as HTML. */
export function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
