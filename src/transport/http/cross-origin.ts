// CORS for the origins that the operator names: REST and the rpcs, which a browser calls with a token. Hosted pages use
// cookies, and are never called from other origins.
import { cors as connect } from "@connectrpc/connect";
import { type FastifyCorsOptions, fastifyCors } from "@fastify/cors";
import type { FastifyInstance, FastifyRequest } from "fastify";

const crossOriginPaths = /^\/(v1\/|assessment\.v1\.)/;
/** Browsers cache a preflight for two hours at most. */
const maxAgeSeconds = 7_200;

/**
 * Allows these origins to call REST and the rpcs, with any header, since libraries for tracing add theirs, and to read every
 * header of a response. Register routes after it.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  const corsOptions: FastifyCorsOptions = {
    methods: [...connect.allowedMethods, "PUT", "PATCH", "DELETE"],
    // All of them, since no call from there has cookies.
    exposedHeaders: "*",
    maxAge: maxAgeSeconds,
  };
  const chooseOptions = ({ url, headers: { origin } }: FastifyRequest): FastifyCorsOptions =>
    origin !== undefined && origins.includes(origin) && crossOriginPaths.test(url)
      ? { ...corsOptions, origin }
      : { origin: false };
  app.register(fastifyCors, { delegator: (request, callback) => callback(null, chooseOptions(request)) });
}
