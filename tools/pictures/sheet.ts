// The contact sheet: one page with every picture, by what it is of.
import { html } from "@remix-run/html-template";

const style = `body{font:16px/1.4 system-ui;margin:1rem;background:#777;color:#fff}h2{margin:2rem 0 .5rem}
div{display:flex;flex-wrap:wrap;gap:1rem;align-items:start}figure{margin:0;max-width:24rem}img{max-width:100%;max-height:40rem;background:#fff}
figcaption{overflow-wrap:anywhere}a{color:inherit}`;

/** The sheet. @param files below its folder; those that are no pictures are linked to beside theirs */
export function renderSheet(files: readonly string[]): string {
  const pictures = files.filter((file) => file.endsWith(".png")).sort();
  const groups = Object.entries(Object.groupBy(pictures, groupName));
  const renderFigure = (file: string) => {
    const pdf = file.replace(/png$/, "pdf");
    const name = file.replace(/^.*\/|\.png$/g, "");
    const words = files.includes(pdf) ? html`<a href="${pdf}">${name}</a>` : name;
    return html`<figure><a href="${file}"><img loading="lazy" src="${file}" alt=""></a><figcaption>${words}</figcaption></figure>`;
  };
  const contents = groups.map(([name]) => html`<a href="#${name}">${name}</a> `);
  const parts = groups.map(
    ([name, group = []]) => html`<h2 id="${name}">${name}</h2>\n<div>${group.map(renderFigure)}</div>\n`,
  );
  return String(html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Contact sheet</title>
<style>${html.raw`${style}`}</style>
<h1>${pictures.length} pictures</h1>
<p>${contents}</p>
${parts}</html>
`);
}

/** The first two words of a name: language and form of a report, or the kind of a page. */
function groupName(file: string): string {
  return file
    .replace(/^reports\//, "")
    .split(/[-/.]/)
    .slice(0, 2)
    .join("-");
}
