// Long guides are split: one file of docs/ becomes a list of its chapters, and a page for each. The
// list has every heading with its anchor in the file, so that links to the whole guide keep working.
import { anchorsInTurn } from "./markdown.ts";

export interface Heading {
  readonly title: string;
  /** Its anchor on the page of its chapter; empty for the title of that page. */
  readonly anchor: string;
  /** Its anchor in the file. */
  readonly wholeAnchor: string;
}

export interface Chapter {
  /** Its name in addresses. */
  readonly name: string;
  readonly title: string;
  /** Markdown, with all headings one level up. */
  readonly text: string;
  /** Its own heading first. */
  readonly headings: readonly Heading[];
}

export interface SplitGuide {
  readonly title: string;
  /** Markdown of the title and the text before the first chapter. */
  readonly intro: string;
  readonly chapters: readonly Chapter[];
}

/** Splits a guide at its headings of the second level. */
export function splitGuide(text: string): SplitGuide {
  const [intro = [], ...parts] = partsOf(text);
  const wholeAnchorOf = anchorsInTurn();
  const chapters = parts.map((lines) => {
    const anchorOf = anchorsInTurn();
    const headings = lines.flatMap(({ title, depth }) => {
      if (title === "") return [];
      const wholeAnchor = wholeAnchorOf(title);
      return [{ title, wholeAnchor, anchor: depth === 2 ? "" : anchorOf(title) }];
    });
    return {
      name: headings[0]?.wholeAnchor ?? "",
      title: headings[0]?.title ?? "",
      text: lines.map(({ line, depth }) => (depth === 0 ? line : line.slice(1))).join("\n"),
      headings,
    };
  });
  const [, title = ""] = /^# (.+)$/m.exec(text) ?? [];
  return { title, intro: intro.map(({ line }) => line).join("\n"), chapters };
}

interface Line {
  readonly line: string;
  /** The level of a heading; 0 for any other line, which has no title. */
  readonly depth: number;
  readonly title: string;
}

/** The lines of a text, split before each heading of the second level. */
function partsOf(text: string): Line[][] {
  const parts: Line[][] = [[]];
  let isCode = false;
  for (const line of text.split("\n")) {
    if (line.trimStart().startsWith("```")) isCode = !isCode;
    const [, marks = "", title = ""] = (isCode ? null : /^(##+) (.+)$/.exec(line)) ?? [];
    if (marks.length === 2) parts.push([]);
    parts.at(-1)?.push({ line, depth: marks.length, title: title.replaceAll("`", "") });
  }
  return parts;
}
