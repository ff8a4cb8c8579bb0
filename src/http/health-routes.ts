// What operators and load balancers ask: alive, ready, metrics. Exempt from limits.
import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { bearerToken } from "../contract/metadata.ts";
import { Problem } from "./problem.ts";

/** Whether requests will be served; `reason` says why not. */
export type Readiness = { readonly isReady: true } | { readonly isReady: false; readonly reason: string };

export interface HealthRoutesDeps {
  readonly readiness: () => Promise<Readiness>;
  /** All metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
  /** Lets callers from elsewhere than loopback read the metrics. */
  readonly metricsToken: string | undefined;
}

/** Adds the operators' routes. */
export function addHealthRoutes(app: FastifyInstance, deps: HealthRoutesDeps): void {
  app.get("/livez", async () => ({ status: "alive" }));

  app.get("/readyz", async (_request, reply) => {
    const readiness = await deps.readiness();
    reply.header("cache-control", "no-store");
    if (readiness.isReady) return { status: "ready" };
    throw new Problem("unavailable", readiness.reason, { headers: { "retry-after": "1" } });
  });

  app.get("/metrics", async (request, reply) => {
    if (!mayReadMetrics(request, deps.metricsToken)) {
      throw new Problem("not_found", "There is nothing here that this caller may see.");
    }
    return reply.type("text/plain; version=0.0.4; charset=utf-8").send(await deps.metrics());
  });
}

function mayReadMetrics(request: FastifyRequest, metricsToken: string | undefined): boolean {
  if (metricsToken === undefined) return isFromLoopback(request);
  const given = Buffer.from(bearerToken(request.headers.authorization) ?? "");
  const wanted = Buffer.from(metricsToken);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** Whether a request was sent on this machine. Through a proxy on it, the whole world is on loopback. */
function isFromLoopback({ socket, headers }: FastifyRequest): boolean {
  const peer = socket.remoteAddress ?? "";
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && (peer === "::1" || /^(::ffff:)?127\./.test(peer));
}
