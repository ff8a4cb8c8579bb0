// Blocks of code as HTML, highlighted when a page is rendered: browsers get spans with classes, and need no script.
import { escapeHtml } from "./page.ts";

const labels: Readonly<Record<string, string>> = {
  csv: "CSV",
  js: "JavaScript",
  json: "JSON",
  python: "Python",
  text: "Text",
  ts: "TypeScript",
};

/** A block of code. */
export function codeBlock(code: string, language: string): string {
  const label = labels[language] ?? (code.includes("curl ") ? "curl" : "Shell");
  return `<div class="code" data-language="${escapeHtml(language)}"><p class="language">${label}</p><pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(code, language)}</code></pre></div>\n`;
}

/** Puts blocks of code that follow each other directly, in different languages, into one group. */
export function groupTabs(html: string): string {
  const blocks = /(?:<div class="code" data-language="(?:sh|ts|python)">(?:(?!<\/pre>).)*<\/pre><\/div>\s*){2,}/gs;
  return html.replaceAll(blocks, (group) => `<div class="tabs">${group}</div>\n`);
}

/** Kinds of tokens. Each is a class of the stylesheet. */
type Kind = "comment" | "string" | "number" | "keyword" | "key";

/** One expression for each language, whose named groups are kinds. Other text is not highlighted. */
const grammars: Readonly<Record<string, RegExp>> = {
  json: /(?<key>"(?:[^"\\\n]|\\.)*"(?=:))|(?<string>"(?:[^"\\\n]|\\.)*")|(?<number>-?\b\d[\d.eE+-]*)|(?<keyword>\b(?:true|false|null)\b)/g,
  python:
    /(?<comment>#[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(?<number>\b\d[\d_.]*)|(?<keyword>\b(?:import|from|def|return|if|not|for|in|raise|as|with|else|None|True|False)\b)/g,
  sh: /(?<comment>(?<!\S)#[^\n]*)|(?<string>"(?:[^"\\]|\\[\s\S])*"|'[^']*')|(?<key>\$\w+|(?<!\S)--?[A-Za-z][\w-]*)|(?<keyword>\b(?:for|in|do|done|if|then|fi|curl|jq|npm|npx|pas)\b)/g,
  ts: /(?<comment>\/\/[^\n]*)|(?<string>"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`)|(?<number>\b\d[\d_.]*)|(?<keyword>\b(?:import|from|export|const|let|async|await|function|return|if|else|for|of|new|throw|try|catch|interface|type|as|true|false|null|undefined)\b)/g,
};

/** Code as HTML, highlighted if its language is known. */
function highlight(code: string, language: string): string {
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
