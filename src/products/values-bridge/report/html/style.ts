// The stylesheet of a report: colours of the partner, marks of the pictures, and all the rest.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fontCuts, fontFace, pageFonts } from "../../../../presentation/look.ts";
import { accentOf, type ReportBranding } from "../branding.ts";
import type { Ink } from "../drawing/marks.ts";
import { type Palette, paletteOf } from "../drawing/palette.ts";
import { markStyles } from "../svg/marks-svg.ts";

const sheet = readFileSync(new URL("./report.css", import.meta.url), "utf8");

/** The font within the page, so that pages look the same everywhere and ask for nothing. */
const fontFaces = fontCuts
  .map(({ weight, file }) => fontFace(weight, `data:font/woff2;base64,${file.toString("base64")}`, "auto"))
  .join("");

const frames = { light: { rule: "#dde3e4" }, dark: { rule: "#38434a" } } as const;

const inks: readonly Ink[] = ["ground", "text", "muted", "ring", "fill", "tint", "edge", "second"];
const inkVariables = Object.fromEntries(inks.map((ink) => [ink, `var(--${ink})`])) as Record<Ink, string>;

/** Whatever does not depend on the partner. */
const common = `${fontFaces}body{font-family:${pageFonts}}${markStyles(inkVariables)}\n${sheet}`;

/** The stylesheet, light and dark. Paper is light. */
export function reportStyle(branding: ReportBranding): string {
  const accent = accentOf(branding);
  const variables = (scheme: "light" | "dark") =>
    Object.entries({ ...frames[scheme], ...(paletteOf(accent, scheme) satisfies Palette) })
      .map(([name, color]) => `--${name}:${color}`)
      .join(";");
  return `:root{${variables("light")}}@media screen and (prefers-color-scheme:dark){:root{${variables("dark")}}}\n${common}`;
}

/**
 * A content security policy that lets a page of this style alone be shown: no script, and no request but for the logo.
 * @param logo URL of a logo that the browser fetches
 * @param hasForm whether the page has one, which its own site takes
 */
export function reportPolicy(style: string, logo: string | null, hasForm = false): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash("sha256", style, "base64")}'`,
    "font-src data:",
    logo === null ? "img-src data:" : `img-src ${new URL(logo).origin}`,
    "base-uri 'none'",
    `form-action '${hasForm ? "self" : "none"}'`,
  ].join("; ");
}
