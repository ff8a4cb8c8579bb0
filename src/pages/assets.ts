// Stylesheet, fonts, script and icon of the pages. Their names contain a hash, so that browsers may cache them for ever.
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { baseStyle, fontFiles, neutrals, pageFonts, renderFontFace } from "../presentation/look.ts";
import { immutableSeconds, StaticFile, sendStatic } from "../transport/http/static-files.ts";

/** Paths of the assets, for use in pages. */
export type AssetPaths = ReturnType<typeof addAssets>;

const listColors = ({ ground, text, muted }: (typeof neutrals)["light" | "dark"]) =>
  `:root{--surface:${ground};--text:${text};--muted:${muted}}`;

/** Styles shared with reports. */
const sharedStyle = `${listColors(neutrals.light)}@media (prefers-color-scheme:dark){${listColors(neutrals.dark)}}body{font-family:${pageFonts}}`;

const embedMaxAgeSeconds = 3_600;

/** Adds the route of the script that partners' pages load. */
export function addEmbedScript(app: FastifyInstance): void {
  const file = new StaticFile("text/javascript; charset=utf-8", readAsset("embed.js"));
  app.get("/embed.js", async (_request, reply) => {
    // Pages of every site load it as a module.
    reply.header("access-control-allow-origin", "*");
    return sendStatic(reply, file, embedMaxAgeSeconds);
  });
}

/** Adds the routes of the assets. @param prefix of the paths of `app` */
export function addAssets(app: FastifyInstance, prefix: string) {
  const add = (base: string, extension: string, type: string, content: string | Buffer) => {
    const file = new StaticFile(type, content);
    const path = `/assets/${base}.${file.tag}.${extension}`;
    app.get(path, async (_request, reply) => sendStatic(reply, file, immutableSeconds));
    return prefix + path;
  };
  const fonts = fontFiles.map(({ name, weight, file }) => ({ weight, path: add(name, "woff2", "font/woff2", file) }));
  // A font that arrives late must not shift the layout.
  const faces = fonts.map(({ weight, path }) => renderFontFace(weight, path, "optional"));
  const sheet = [...faces, sharedStyle, baseStyle, readAsset("hosted.css")].join("\n");
  return {
    style: add("hosted", "css", "text/css; charset=utf-8", sheet),
    script: add("hosted", "js", "text/javascript; charset=utf-8", readAsset("hosted.js")),
    // Loaded with the page, for its first view.
    fonts: fonts.map(({ path }) => path),
    icon: add("icon", "svg", "image/svg+xml", readAsset("icon.svg")),
  };
}

function readAsset(name: string): string {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url), "utf8");
}
