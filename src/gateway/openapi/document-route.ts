// The route of the OpenAPI document, which is generated from the other routes on first use.
import type { FastifyInstance } from "fastify";
import type { OpenAPIV3_1 } from "openapi-types";
import { once } from "../../kernel/once.ts";
import type { Deprecations } from "../../kernel/rpc-options.ts";
import { StaticFile, sendUnchanged } from "../../transport/http/static-files.ts";
import type { ApiRoute } from "./document.ts";

export interface OpenApiOptions {
  /** Set by the first request. */
  readonly publicUrl: () => string;
  /** Scopes with what they allow. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly deprecations: Deprecations;
}

/** Documents the routes that are added after this. @returns a function that makes the document */
export function addOpenApi(app: FastifyInstance, options: OpenApiOptions): () => Promise<OpenAPIV3_1.Document> {
  const routes: ApiRoute[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    if (Array.isArray(method) || method === "HEAD") return;
    routes.push({ method, url, operation: config?.operation });
  });
  const { publicUrl, scopes, deprecations } = options;
  const document = once(async () => {
    const { describeApi } = await import("./document.ts");
    return describeApi({ routes, publicUrl: publicUrl(), scopes, deprecations });
  });
  const open = once(async () => new StaticFile("application/json; charset=utf-8", JSON.stringify(await document())));
  app.get("/openapi.json", async (_request, reply) => sendUnchanged(reply, await open()));
  return document;
}
