// A page of the site before it has its frame.

/** A part of a page under a heading, as the search knows it. */
export interface Section {
  /** Empty for what stands before the first heading of its own. */
  readonly anchor: string;
  readonly heading: string;
  /** Without markup. */
  readonly text: string;
}

export interface Page {
  /** Below the service's address, for example `docs/hosted`. */
  readonly path: string;
  readonly title: string;
  /** Everything below the title, as HTML. */
  readonly body: string;
  readonly sections: readonly Section[];
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
