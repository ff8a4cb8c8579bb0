// The route of the OpenAPI document, which is made on first use.
import type { FastifyInstance } from "fastify";
import type { OpenAPIV3_1 } from "openapi-types";
import { once } from "../../kernel/once.ts";
import type { Deprecations } from "../../kernel/rpc-options.ts";
import { StaticFile, sendUnchanged } from "../../transport/http/static-files.ts";

export interface OpenApiOptions {
  /** Set by the first request. */
  readonly publicUrl: () => string;
  /** Scopes with what they allow. */
  readonly scopes: Readonly<Record<string, string>>;
  readonly deprecations: Deprecations;
}

/** @returns a function that makes the document */
export function addOpenApi(app: FastifyInstance, options: OpenApiOptions): () => Promise<OpenAPIV3_1.Document> {
  const { publicUrl, scopes, deprecations } = options;
  const document = once(async () => {
    const { describeApi } = await import("./document.ts");
    return describeApi({ publicUrl: publicUrl(), scopes, deprecations });
  });
  const open = once(async () => new StaticFile("application/json; charset=utf-8", JSON.stringify(await document())));
  app.get("/openapi.json", async (_request, reply) => sendUnchanged(reply, await open()));
  return document;
}
