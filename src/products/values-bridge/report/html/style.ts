// The frame of a report as an HTML file, and its stylesheet.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { html, type SafeHtml } from "@remix-run/html-template";
import { defaultAccent } from "../../../../presentation/accent.ts";
import { baseStyle, fontFiles, pageFonts, renderFontFace } from "../../../../presentation/look.ts";
import { findDirection } from "../../../../presentation/phrases.ts";
import {
  type AnyReport,
  embedLogo,
  findValidAccent,
  type ReportBranding,
  toBrandText,
  toVisibleLine,
} from "../branding.ts";
import type { Ink } from "../drawing/marks.ts";
import { createPalette, type Palette } from "../drawing/palette.ts";
import { renderMarkStyles } from "../drawing/svg.ts";

const sheet = readFileSync(new URL("./report.css", import.meta.url), "utf8");

/** The font is in the page: it looks the same everywhere, without requests. */
const fontFaces = fontFiles
  .map(({ weight, file }) => renderFontFace(weight, `data:font/woff2;base64,${file.toString("base64")}`, "auto"))
  .join("");

const frames = { light: { rule: "#dde3e4" }, dark: { rule: "#38434a" } } as const;

const inks = Object.keys(createPalette(defaultAccent, "light"));
const inkVariables = Object.fromEntries(inks.map((ink) => [ink, `var(--${ink})`])) as Record<Ink, string>;

/** The styles that do not depend on the partner. */
const common = `${fontFaces}body{font-family:${pageFonts}}${renderMarkStyles(inkVariables)}\n${baseStyle}${sheet}`;

/** The stylesheet, light and dark. Paper is light. */
export function renderStyle(branding: ReportBranding): string {
  const accent = findValidAccent(branding);
  const variables = (scheme: "light" | "dark") =>
    Object.entries({ ...frames[scheme], ...(createPalette(accent, scheme) satisfies Palette) })
      .map(([name, color]) => `--${name}:${color}`)
      .join(";");
  return `:root{${variables("light")}}@media screen and (prefers-color-scheme:dark){:root{${variables("dark")}}}\n${common}`;
}

/** The partner's logo or name, else what the report is about. */
export function renderBrand(branding: ReportBranding, model: AnyReport, logo = embedLogo(branding)): SafeHtml {
  return logo === null
    ? html`<p><bdi>${toBrandText(branding, model)}</bdi></p>`
    : html`<img src="${logo}" alt="${toVisibleLine(branding.displayName) ?? ""}" referrerpolicy="no-referrer">`;
}

/** A whole file without scripts. Its policy allows all requests that it makes. */
export function renderHtmlFile(
  { language, title, policy, style }: Readonly<Record<"language" | "title" | "policy" | "style", string>>,
  body: SafeHtml,
): string {
  return String(html`<!doctype html>
<html lang="${language}" dir="${findDirection(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="referrer" content="no-referrer">
<meta name="format-detection" content="telephone=no">
<style>${html.raw`${style}`}</style>
</head>
<body>
${body}
</body>
</html>
`);
}

/**
 * A content security policy for a page with this style: no script, and no request but for the logo.
 * @param logo URL of a logo that the browser fetches
 * @param own whether the page has a form and a picture of its own site
 */
export function createPolicy(style: string, logo: string | null, own = { hasForm: false, hasPicture: false }): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    "font-src data:",
    `img-src ${logo === null ? "data:" : new URL(logo).origin}${own.hasPicture ? " 'self'" : ""}`,
    "base-uri 'none'",
    `form-action '${own.hasForm ? "self" : "none"}'`,
  ].join("; ");
}
