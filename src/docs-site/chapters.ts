// Long guides go chapter by chapter: one file of docs/, and a page for each of its chapters after a list of them. The
// list has every heading under the anchor that it has in the file, so that addresses of the whole guide go on working.
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
  /** Markdown, with all headings a level higher than in the file. */
  readonly text: string;
  /** Its own heading first. */
  readonly headings: readonly Heading[];
}

export interface SplitGuide {
  readonly title: string;
  /** Markdown of the title and of what stands before the first chapter. */
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
  /** The level of the heading that the line is; 0: it is none, and has no title. */
  readonly depth: number;
  readonly title: string;
}

/** The lines of a text, anew from each heading of the second level on. */
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
