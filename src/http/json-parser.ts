// Reading JSON bodies strictly: UTF-8, one media type, no compression.
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "./problem.ts";

/** Makes the server take `application/json` and nothing else. No body and an empty one are the same: undefined. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (request: FastifyRequest, body: Buffer) => {
    if (request.headers["content-encoding"] !== undefined) {
      throw new Problem("unsupported_media_type", "Compressed request bodies are not read.");
    }
    if (/charset=(?!"?utf-8"?\s*(;|$))/i.test(request.headers["content-type"] ?? "")) {
      throw new Problem("unsupported_media_type", "JSON is read as UTF-8 only.");
    }
    if (body.length === 0) return undefined;
    try {
      return JSON.parse(utf8.decode(body));
    } catch {
      throw new Problem("malformed_request", "The body is not JSON in UTF-8.");
    }
  });
}
