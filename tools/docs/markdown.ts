// Markdown: tables, and the places in a page that are written by code.

/** A table of cells, aligned by nothing but its bars. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** A text in a fence. */
export function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

const placeNames = (page: string) => [...page.matchAll(/<!-- \/([\w-]+) -->/g)].map(([, name = ""]) => name);

const placePattern = (name: string) => new RegExp(`(<!-- ${name}:.*?-->\n)(.*?)(<!-- /${name} -->)`, "s");

/** What stands in the places of a page, by their names. */
export function readParts(page: string): Readonly<Record<string, string>> {
  const part = (name: string) => placePattern(name).exec(page)?.[2]?.trim() ?? "";
  return Object.fromEntries(placeNames(page).map((name) => [name, part(name)]));
}

/**
 * The page with each of its places, `<!-- NAME: … -->` to `<!-- /NAME -->`, filled anew.
 * @throws Error for a place that no part fills, and for a part that has no place
 */
export function fillPlaces(page: string, parts: Readonly<Record<string, string>>): string {
  const names = placeNames(page);
  const unused = Object.keys(parts).filter((name) => !names.includes(name));
  if (unused.length > 0) throw new Error(`no place for ${unused.join(", ")}`);
  return names.reduce((text, name) => {
    const part = parts[name];
    const place = placePattern(name);
    if (part === undefined || !place.test(text)) throw new Error(`nothing fills the place ${name}`);
    return text.replace(place, (_, start: string, _part: string, end: string) => `${start}\n${part}\n\n${end}`);
  }, page);
}
