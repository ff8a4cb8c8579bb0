// Blocks of code as highlighted HTML, without scripts.
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
export function renderCodeBlock(code: string, language: string): string {
  const label = labels[language] ?? (code.includes("curl ") ? "curl" : "Shell");
  return `<div class="code" data-language="${escapeHtml(language)}"><p class="language">${label}</p><pre tabindex="0" role="group" aria-label="${label}"><code>${["csv", "text"].includes(language) ? escapeHtml(code) : highlight(code)}</code></pre></div>\n`;
}

/** Groups successive blocks of code in different languages. The stylesheet shows one of a group. */
export function groupTabs(html: string): string {
  let count = 0;
  const blocks = /(?:<div class="code" data-language="(?:sh|ts|python)">(?:(?!<\/pre>).)*<\/pre><\/div>\s*){2,}/gs;
  return html.replaceAll(blocks, (group) => {
    count += 1;
    const languages = group.matchAll(/data-language="(\w+)"><p class="language">(\w+)/g);
    const choices = [...languages].map(([, language, label], index) => {
      const state = index === 0 ? " checked" : "";
      return `<label><input type="radio" name="language-${count}" value="${language}"${state}>${label}</label>`;
    });
    return `<div class="tabs"><fieldset aria-label="Language">${choices.join("")}</fieldset>${group}</div>\n`;
  });
}

/** Tokens of all languages. Each named group is a class of the stylesheet. */
const tokens =
  /(?<comment>(?<!\S)(?:#|\/\/)[^\n]*)|(?<key>"(?:[^"\\\n]|\\.)*"(?=:)|\$\w+|(?<!\S)--?[A-Za-z][\w-]*)|(?<string>"(?:[^"\\]|\\[\s\S])*"|'[^'\n]*'|`(?:[^`\\]|\\[\s\S])*`)|(?<number>-?\b\d[\d.eE+-]*)|(?<keyword>\b(?:None|as|async|await|catch|const|curl|def|do|done|else|export|false|fi|for|from|function|if|import|in|jq|let|new|not|npm|npx|null|of|pas|raise|return|then|throw|true|try|type|with)\b)/g;

/** Code as HTML, highlighted. */
function highlight(code: string): string {
  let end = 0;
  const parts: string[] = [];
  for (const { index, groups = {}, 0: text } of code.matchAll(tokens)) {
    const kind = Object.keys(groups).find((each) => groups[each] !== undefined);
    parts.push(escapeHtml(code.slice(end, index)), `<span class="${kind}">${escapeHtml(text)}</span>`);
    end = index + text.length;
  }
  return `${parts.join("")}${escapeHtml(code.slice(end))}`;
}
