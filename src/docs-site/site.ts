// The documentation as a site: guides, the reference, and a page for each problem.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "../kernel/errors/refusal.ts";
import { once } from "../kernel/once.ts";
import { contentSecurityPolicy, sendNotFoundPage, sendStatic } from "../transport/http/static-files.ts";

/** Scalar adds inline styles. As on every page, scripts come only from the service. */
const referencePolicy = contentSecurityPolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

const maxAgeSeconds = 300;

/** Adds the pages. @param openApi returns the OpenAPI document, as JSON text, at the first request */
export function addSite(app: FastifyInstance, openApi: () => string): void {
  const loadSite = once(async () => (await import("./render-site.ts")).createSite(JSON.parse(openApi())));
  const send = async ({ url, headers }: FastifyRequest, reply: FastifyReply) => {
    const [path = ""] = url.slice(1).split("?");
    const { files, renderMissingPage } = await loadSite();
    const file = await files.get(path)?.();
    if (file !== undefined) {
      return sendStatic(reply, file, maxAgeSeconds, path === "docs/reference" ? referencePolicy : undefined);
    }
    const acceptsHtml = /\btext\/html\b/.test(headers.accept ?? "");
    const page = acceptsHtml ? renderMissingPage(path) : undefined;
    if (page === undefined) throw new Refusal("not_found", "There is no such page.");
    return sendNotFoundPage(reply, page);
  };
  for (const route of ["/problems", "/problems/:code", "/docs/*"]) app.get(route, send);
  // Relative, since a proxy may add a path prefix.
  app.get("/", async (_request, reply) => reply.redirect("docs/"));
  app.get("/docs", async (_request, reply) => reply.redirect("docs/"));
}
