// Markdown of the guides as HTML: headings with anchors, tables and code that scroll by keyboard, links within the site.
import GithubSlugger from "github-slugger";
import { Marked, Renderer, type Tokens } from "marked";
import { groupTabs, renderCodeBlock } from "./code-block.ts";
import { escapeHtml, type Page, type Section } from "./page.ts";

/** Resolves a link of a page; undefined if the site does not have its target. */
export type ResolveLink = (href: string) => string | undefined;

/** Renders a page. Its first heading is its title. */
export function renderMarkdown(text: string, resolveLink: ResolveLink): Page {
  const slugger = new GithubSlugger();
  let title = "";
  let previousDepth = 1;
  const parser = new Marked({
    // A bare URL in a text is an example, not a link.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const content = this.parser.parseInline(tokens);
        if (depth === 1) {
          title = toText(content);
          return "";
        }
        const anchor = slugger.slug(toText(content));
        // Screen readers expect no skipped level of headings.
        previousDepth = Math.min(depth, previousDepth + 1);
        return renderHeading(previousDepth, anchor, content);
      },
      link({ href, tokens }: Tokens.Link) {
        const content = this.parser.parseInline(tokens);
        const address = resolveLink(href);
        return address === undefined ? content : `<a href="${escapeHtml(address)}">${content}</a>`;
      },
      image({ href, text: alternative }: Tokens.Image) {
        return `<img src="${escapeHtml(resolveLink(href) ?? "")}" alt="${escapeHtml(alternative)}" loading="lazy">`;
      },
      table(token: Tokens.Table) {
        // An empty cell is no heading.
        const table = Renderer.prototype.table.call(this, token).replaceAll("<th></th>", "<td></td>");
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table">${table}</div>\n`;
      },
      code({ text: code, lang = "" }: Tokens.Code) {
        return renderCodeBlock(code, lang);
      },
      // Comments mark generated parts.
      html: () => "",
    },
  });
  const body = groupTabs(parser.parse(text, { async: false }));
  return { title, body, sections: splitSections(body) };
}

/** The parts of a page, with their headings. */
function splitSections(body: string): Section[] {
  const parts = body.split(/(?=<h[23] id=")/).map((part) => {
    const [whole = "", depth = "1", anchor = "", heading = ""] =
      /^<h([23]) id="([^"]*)">(.*?)<\/h[23]>/s.exec(part) ?? [];
    // Tags of highlighted code do not separate words, and the names of languages are left out.
    const text = part
      .slice(whole.length)
      .replaceAll(/<\/?span[^<>]*>|<p class="language">[^<>]*<\/p>|<fieldset.*?<\/fieldset>/g, "");
    return { anchor, heading: toText(heading), depth: Number(depth), text: toText(text) };
  });
  return parts.filter(({ heading, text }) => heading !== "" || text !== "");
}

/** A heading with an anchor. @param content HTML */
function renderHeading(depth: number, anchor: string, content: string): string {
  const label = `Link to: ${escapeHtml(toText(content))}`;
  const link = `<a class="anchor" href="#${anchor}" aria-label="${label}">#</a>`;
  return `<h${depth} id="${anchor}">${content} ${link}</h${depth}>\n`;
}

/** Our own HTML as text. */
function toText(html: string): string {
  return html
    .replaceAll(/<a class="anchor".*?<\/a>/g, "")
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}
