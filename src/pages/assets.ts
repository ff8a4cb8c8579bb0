// Stylesheet, script and icon of the pages: read once, compressed for the first who asks, and named by their content, so that
// browsers may keep them for ever.
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { once } from "../kernel/once.ts";
import { preferredCoding } from "../transport/http/bodies/read-body.ts";

interface Asset {
  readonly name: string;
  readonly type: string;
  readonly bodies: Readonly<Record<"br" | "gzip" | "identity", () => Promise<Buffer>>>;
}

/** Paths of the assets, to be named in pages. */
export interface AssetPaths {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
}

/** Adds the routes of the assets. @param prefix path under which the scope is registered */
export function addAssets(app: FastifyInstance, prefix: string): AssetPaths {
  const style = readAsset("hosted", "css", "text/css; charset=utf-8");
  const script = readAsset("hosted", "js", "text/javascript; charset=utf-8");
  const icon = readAsset("icon", "svg", "image/svg+xml");
  for (const { name, type, bodies } of [style, script, icon]) {
    app.get(`/assets/${name}`, async (request, reply) => {
      const coding = preferredCoding(request, ["br", "gzip", "identity"]);
      if (coding !== "identity") reply.header("content-encoding", coding);
      return reply
        .headers({
          "cache-control": "public, max-age=31536000, immutable",
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "same-origin",
          vary: "accept-encoding",
        })
        .type(type)
        .send(await bodies[coding]());
    });
  }
  const pathOf = ({ name }: Asset) => `${prefix}/assets/${name}`;
  return { style: pathOf(style), script: pathOf(script), icon: pathOf(icon) };
}

function readAsset(base: string, extension: string, type: string): Asset {
  const identity = readFileSync(new URL(`./assets/${base}.${extension}`, import.meta.url));
  const digest = hash("sha256", identity, "base64url").slice(0, 12);
  const bodies = {
    identity: async () => identity,
    gzip: once(() => promisify(gzip)(identity, { level: 9 })),
    br: once(() => promisify(brotliCompress)(identity)),
  };
  return { name: `${base}.${digest}.${extension}`, type, bodies };
}
