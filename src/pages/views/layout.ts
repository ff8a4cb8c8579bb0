// The frame of every page.
import { html, type SafeHtml } from "@remix-run/html-template";
import { defaultAccent, deriveAccents, resemblesWarning } from "../../presentation/accent.ts";
import { findDirection } from "../../presentation/phrases.ts";
import type { AssetPaths } from "../assets.ts";
import type { FrameAncestors } from "../headers.ts";
import type { Appearance } from "./appearance.ts";

/** The output of a view. */
export interface Page {
  readonly title: string;
  readonly body: SafeHtml;
  /** Metadata for link previews (Open Graph). */
  readonly head?: SafeHtml;
  /** Target of the first link, for keyboards; unset if nothing is before the content. */
  readonly skipTo?: string;
  /** Whether the form may redirect to another site. */
  readonly submitsToOtherSite?: boolean;
  /** Whether any site may frame it: it contains no personal data and no form. */
  readonly allowsAnyFrame?: boolean;
  /** Address of an image beside those of the service and the logo. */
  readonly imageUrl?: string | undefined;
  /** Path that leads back to the partner, for a completed session. */
  readonly onward?: string;
}

/** The environment of a page. */
export interface PageFrame {
  readonly appearance: Appearance;
  readonly assets: AssetPaths;
  /** Prefix of the paths of the assets. */
  readonly base: string;
  readonly nonce: string;
  /** Sites that may frame it and receive its messages. */
  readonly frameAncestors: FrameAncestors;
  /** The session that it is a page of. */
  readonly sessionId: string | undefined;
}

/** A whole page as HTML text. */
export function renderPage(shownPage: Page, { appearance, assets, base, nonce, ...embedding }: PageFrame): string {
  const { title, body, skipTo } = shownPage;
  const { tag, texts } = appearance.language;
  const accent = appearance.branding.accentColor ?? defaultAccent;
  const { fill, onFill, onLight, onDark } = deriveAccents(accent);
  // Chosen answers must not look like errors.
  const mark = resemblesWarning(accent) ? "var(--text)" : "var(--accent)";
  const page = html`<!doctype html>
<html lang="${tag}" dir="${findDirection(tag)}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
${shownPage.head ?? ""}<link rel="icon" href="${base}${assets.icon}">
<style nonce="${nonce}">:root{--fill:${fill};--on-fill:${onFill};--accent:${onLight};--mark:${mark}}@media (prefers-color-scheme:dark){:root{--accent:${onDark}}}</style>
${assets.fonts.map((font) => html`<link rel="preload" href="${base}${font}" as="font" type="font/woff2" crossorigin>\n`)}<link rel="stylesheet" href="${base}${assets.style}" nonce="${nonce}">
<script type="module" src="${base}${assets.script}" nonce="${nonce}"></script>
</head>
<body${renderEmbeddingData(shownPage, embedding)}>
${skipTo === undefined ? "" : html`<a class="skip" href="#${skipTo}">${texts.skipToContent}</a>`}
${renderBrand(appearance)}
${body}
</body>
</html>
`;
  return String(page);
}

/** Data for messages to the embedding page. */
function renderEmbeddingData(
  { onward }: Page,
  { frameAncestors, sessionId }: Pick<PageFrame, "frameAncestors" | "sessionId">,
): SafeHtml | "" {
  if (frameAncestors.length === 0) return "";
  const sites = frameAncestors === "all" ? "*" : frameAncestors.join(" ");
  return html` data-sites="${sites}"${sessionId === undefined ? "" : html` data-session-id="${sessionId}"`}${onward === undefined ? "" : html` data-onward="${onward}"`}`;
}

/** The partner's name or logo, a mark of test data, and the languages; empty without any of them. */
function renderBrand(appearance: Appearance): SafeHtml | "" {
  const { displayName, logoUrl } = appearance.branding;
  const name =
    logoUrl === undefined
      ? displayName && html`<p class="name">${displayName}</p>`
      : html`<img class="logo" src="${logoUrl}" alt="${displayName ?? ""}" referrerpolicy="no-referrer">`;
  const test = appearance.isTest && html`<p class="test">${appearance.language.texts.testData}</p>`;
  const parts = [name, test, renderLanguageLinks(appearance)].filter((part) => part instanceof Object);
  return parts.length === 0 ? "" : html`<header class="brand">${parts}</header>`;
}

/** Links to the same page in other languages, each named in its own language. */
function renderLanguageLinks({ languages, language }: Appearance): SafeHtml | "" {
  if (languages.length < 2) return "";
  const findLanguageName = (tag: string) => new Intl.DisplayNames([tag], { type: "language" }).of(tag);
  const links = languages.map((tag) =>
    tag === language.tag
      ? html`<li aria-current="true" lang="${tag}">${findLanguageName(tag)}</li>`
      : html`<li><a href="?language=${tag}" lang="${tag}" hreflang="${tag}">${findLanguageName(tag)}</a></li>`,
  );
  return html`<details class="languages"><summary>${findLanguageName(language.tag)}</summary><ul>${links}</ul></details>`;
}
