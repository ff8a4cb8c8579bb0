// Stylesheet, script and icon of the pages: named by their content, so that browsers may keep them for ever.
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { immutableSeconds, StaticFile, sendStatic } from "../transport/http/static-files.ts";

/** Paths of the assets, to be named in pages. */
export interface AssetPaths {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
}

/** Adds the routes of the assets. @param prefix path under which the scope is registered */
export function addAssets(app: FastifyInstance, prefix: string): AssetPaths {
  const add = (base: string, extension: string, type: string) => {
    const file = new StaticFile(type, readFileSync(new URL(`./assets/${base}.${extension}`, import.meta.url)));
    const path = `/assets/${file.nameAs(base, extension)}`;
    app.get(path, async (_request, reply) => sendStatic(reply, file, immutableSeconds));
    return prefix + path;
  };
  return {
    style: add("hosted", "css", "text/css; charset=utf-8"),
    script: add("hosted", "js", "text/javascript; charset=utf-8"),
    icon: add("icon", "svg", "image/svg+xml"),
  };
}
