// The OpenAPI document, which `npm run generate` writes.
import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { once } from "../../kernel/once.ts";
import { jsonType, sendWithEtag } from "../../transport/http/send.ts";
import { StaticFile } from "../../transport/http/static-files.ts";

/** The address of the service in the written document. */
const placeholderUrl = "http://127.0.0.1:8080";

/** The document as JSON text. @param publicUrl the service's address in it */
export function readOpenApi(publicUrl = placeholderUrl): string {
  const text = readFileSync(new URL("../../gen/openapi.json", import.meta.url), "utf8");
  return text.replaceAll(`"${placeholderUrl}`, `"${publicUrl}`);
}

/** Adds the document's route. @param publicUrl known by the first request @returns reads the document as JSON text */
export function addOpenApi(app: FastifyInstance, publicUrl: () => string): () => string {
  const file = once(() => new StaticFile(jsonType, readOpenApi(publicUrl())));
  app.get("/openapi.json", async (_request, reply) =>
    sendWithEtag(reply.header("cache-control", "no-cache"), file(), file().tag),
  );
  return () => file().content.toString();
}
