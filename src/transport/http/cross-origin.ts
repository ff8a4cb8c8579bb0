// CORS for the origins that the operator names: REST and the rpcs, which a browser calls with a token. Hosted pages use
// cookies, and are never called from other origins.
import { cors as connect } from "@connectrpc/connect";
import { type FastifyCorsOptions, fastifyCors } from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { metadata } from "../../kernel/calls/core.ts";

const calledByPages = /^\/(v1\/|assessment\.v1\.)/;
/** Browsers cache a preflight for two hours at most. */
const maxAgeSeconds = 7_200;

/** Headers that any response may have, beside those of its operation. */
const ofAnyResponse = [
  ...connect.exposedHeaders,
  metadata.requestId,
  metadata.testData,
  "deprecation",
  "link",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "sunset",
  "www-authenticate",
];

/**
 * Allows these origins to call REST and the rpcs, with any header: libraries for tracing add theirs. Register routes after it.
 * @param ofOperations headers of responses, in lower case
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[], ofOperations: readonly string[]): void {
  const corsOptions: FastifyCorsOptions = {
    methods: [...connect.allowedMethods, "PUT", "PATCH", "DELETE"],
    exposedHeaders: [...new Set([...ofAnyResponse, ...ofOperations])],
    maxAge: maxAgeSeconds,
  };
  const optionsOf = ({ url, headers: { origin } }: FastifyRequest): FastifyCorsOptions =>
    origin !== undefined && origins.includes(origin) && calledByPages.test(url)
      ? { ...corsOptions, origin }
      : { origin: false };
  app.register(fastifyCors, { delegator: (request, callback) => callback(null, optionsOf(request)) });
}
