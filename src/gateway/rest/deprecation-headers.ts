// Deprecation headers in every response of deprecated rpcs.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Deprecations, deprecationHeaders } from "../../kernel/rpc-options.ts";

/** Adds their headers to every route that is added after this, if its rpc is deprecated. */
export function addDeprecationHeaders(app: FastifyInstance, deprecations: Deprecations, publicUrl: () => string): void {
  const headersOf = deprecationHeaders(deprecations, publicUrl);
  app.addHook("onRoute", (route) => {
    const { operation } = route.config ?? {};
    const headers = operation && headersOf(operation.rpc);
    if (headers === undefined) return;
    const addHeaders = async (_request: FastifyRequest, reply: FastifyReply) => void reply.headers(headers());
    route.onRequest = [addHeaders, ...[route.onRequest ?? []].flat()];
  });
}
