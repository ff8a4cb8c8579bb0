// Colours of samples, made when a page is rendered: browsers get spans with classes, and run nothing for it.
import { escapeHtml } from "./page.ts";

/** What a stretch of code is. Each is a class of the stylesheet. */
type Kind = "comment" | "string" | "number" | "keyword" | "key";

/** One expression for each language, whose named groups are kinds. What no group takes stays as it is. */
const grammars: Readonly<Record<string, RegExp>> = {
  json: /(?<key>"(?:[^"\\\n]|\\.)*"(?=:))|(?<string>"(?:[^"\\\n]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*)|(?<keyword>\b(?:true|false|null)\b)/g,
  python:
    /(?<comment>#[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<number>\b\d[\d_.]*)|(?<keyword>\b(?:import|from|def|return|if|not|for|in|raise|as|with|else|None|True|False)\b)/g,
  sh: /(?<comment>(?<!\S)#[^\n]*)|(?<string>"(?:[^"\\]|\\[\s\S])*"|'[^']*')|(?<key>\$\w+|(?<!\S)--?[A-Za-z][\w-]*)|(?<keyword>\b(?:for|in|do|done|if|then|fi|curl|jq|npm|npx|pas)\b)/g,
  ts: /(?<comment>\/\/[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`)|(?<number>\b\d[\d_.]*)|(?<keyword>\b(?:import|from|export|const|let|async|await|function|return|if|else|for|of|new|throw|try|catch|interface|type|as|true|false|null|undefined)\b)/g,
};

/** Code as HTML, coloured if its language is known. */
export function highlight(code: string, language: string): string {
  const grammar = grammars[language === "js" ? "ts" : language];
  if (grammar === undefined) return escapeHtml(code);
  let end = 0;
  const parts: string[] = [];
  for (const { index, groups, 0: text } of code.matchAll(grammar)) {
    parts.push(escapeHtml(code.slice(end, index)), span(text, groups ?? {}));
    end = index + text.length;
  }
  return `${parts.join("")}${escapeHtml(code.slice(end))}`;
}

function span(text: string, groups: Readonly<Partial<Record<string, string>>>): string {
  const kind = (Object.keys(groups) as Kind[]).find((each) => groups[each] !== undefined);
  return `<span class="${kind}">${escapeHtml(text)}</span>`;
}
