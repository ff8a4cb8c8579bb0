// The common style of hosted pages and reports: font and neutral colours.
import { readFileSync } from "node:fs";

/** Colours of the page, as `#rrggbb`. */
export const neutrals = {
  light: { ground: "#ffffff", text: "#172024", muted: "#566167" },
  dark: { ground: "#1c2225", text: "#e6ebec", muted: "#a3afb4" },
} as const;

/** The first rules of both stylesheets. */
export const baseStyle = readFileSync(new URL("./base.css", import.meta.url), "utf8");

/** Fonts of the reader's system, for pictures, and for characters that the pages' font lacks. */
export const systemFonts =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Arabic", Ubuntu, Cantarell, "Helvetica Neue", Arial, sans-serif';

/** Fonts of pages. */
export const pageFonts = `"Report Sans", ${systemFonts}`;

/** The weights of the pages' font, as WOFF2. */
export const fontFiles = (
  [
    ["regular", 400],
    ["bold", 600],
  ] as const
).map(([weightName, weight]) => {
  const name = `report-sans-${weightName}`;
  return { name, weight, file: readFileSync(new URL(`./fonts/${name}.woff2`, import.meta.url)) };
});

/** The CSS rule of one weight. @param url of its file @param display as in CSS `font-display` */
export function renderFontFace(weight: number, url: string, display: "auto" | "optional"): string {
  return `@font-face{font-family:"Report Sans";font-weight:${weight};font-display:${display};src:url(${url}) format("woff2")}`;
}
