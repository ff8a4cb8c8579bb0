// Blocks of code as HTML.
import { highlight } from "./highlight.ts";
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
  const blocks = /(?:<div class="code" data-language="(?:sh|ts|python)">.*?<\/pre><\/div>\s*){2,}/gs;
  return html.replaceAll(blocks, (group) => `<div class="tabs">${group}</div>\n`);
}
