// CORS for the origins that the operator names: REST and the rpcs, which a browser calls with a token. Hosted pages use
// cookies, and are never called from other origins.
import { cors as connect } from "@connectrpc/connect";
import { type FastifyCorsOptions, fastifyCors } from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { metadata } from "../../kernel/calls/core.ts";

const calledByPages = /^\/(v1\/|assessment\.v1\.)/;
/** Browsers cache a preflight for two hours at most. */
const maxAgeSeconds = 7_200;

const allowed: FastifyCorsOptions = {
  methods: [...connect.allowedMethods, "PUT", "PATCH", "DELETE"],
  allowedHeaders: [
    ...connect.allowedHeaders,
    metadata.authorization,
    metadata.partnerId,
    metadata.requestId,
    metadata.traceparent,
    metadata.tracestate,
    "idempotency-key",
    "if-none-match",
  ],
  exposedHeaders: [
    ...connect.exposedHeaders,
    metadata.requestId,
    metadata.testData,
    "content-disposition",
    "deprecation",
    "etag",
    "link",
    "location",
    "ratelimit",
    "ratelimit-policy",
    "retry-after",
    "sunset",
    "www-authenticate",
  ],
  maxAge: maxAgeSeconds,
};

/** Allows these origins to call REST and the rpcs. Register routes after it. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const optionsOf = ({ url, headers: { origin } }: FastifyRequest): FastifyCorsOptions =>
    origin !== undefined && origins.includes(origin) && calledByPages.test(url)
      ? { ...allowed, origin }
      : { origin: false };
  app.register(fastifyCors, { delegator: (request, callback) => callback(null, optionsOf(request)) });
}
