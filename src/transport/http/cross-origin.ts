// Calls from pages of other origins (CORS), of those that the operator names: REST and the rpcs, which a browser calls
// with a token. Hosted pages have cookies, and are never called from elsewhere.
import { cors as connect } from "@connectrpc/connect";
import { type FastifyCorsOptions, fastifyCors } from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { metadata } from "../../kernel/calls/core.ts";

const calledByPages = /^\/(v1\/|assessment\.v1\.)/;
/** Browsers keep what a preflight allows for two hours at most. */
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

/** Has pages of these origins call REST and the rpcs. Routes have to come afterwards. */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const optionsOf = ({ url, headers: { origin } }: FastifyRequest): FastifyCorsOptions =>
    origin !== undefined && origins.includes(origin) && calledByPages.test(url)
      ? { ...allowed, origin }
      : { origin: false };
  app.register(fastifyCors, { delegator: (request, callback) => callback(null, optionsOf(request)) });
}
