// Health, readiness and metrics on the HTTP port.
import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { parseBearerToken } from "../../kernel/calls/core.ts";
import { notFoundError, Refusal } from "../../kernel/errors/refusal.ts";
import { createProxyTest } from "./request-record.ts";

/** Whether requests can be served; `reason` says why not. */
export type Readiness = { readonly isReady: true } | { readonly isReady: false; readonly reason: string };

export interface MetricsRouteDeps {
  /** All metrics, in the text format of Prometheus. Undefined: another process serves them. */
  readonly metrics: (() => Promise<{ contentType: string; text: string }>) | undefined;
  /** Allows callers other than loopback to read the metrics. */
  readonly metricsToken: string | undefined;
}

export interface HealthRoutesDeps extends MetricsRouteDeps {
  readonly readiness: () => Promise<Readiness>;
}

/** Adds the operators' routes. */
export function addHealthRoutes(app: FastifyInstance, deps: HealthRoutesDeps): void {
  app.get("/livez", async () => ({ status: "alive" }));

  app.get("/readyz", async (_request, reply) => {
    const readiness = await deps.readiness();
    reply.header("cache-control", "no-store");
    if (readiness.isReady) return { status: "ready" };
    throw new Refusal("unavailable", readiness.reason);
  });

  addMetricsRoute(app, deps);
}

/** Adds the route that Prometheus reads. */
export function addMetricsRoute(app: FastifyInstance, { metrics, metricsToken }: MetricsRouteDeps): void {
  app.get("/metrics", async (request, reply) => {
    if (!mayReadMetrics(request, metricsToken)) throw notFoundError();
    if (metrics === undefined) throw new Refusal("not_found", "Metrics of all workers are at the port METRICS_PORT.");
    const { contentType, text } = await metrics();
    return reply.type(contentType).send(text);
  });
}

function mayReadMetrics(request: FastifyRequest, metricsToken: string | undefined): boolean {
  if (metricsToken === undefined) return isFromLoopback(request);
  const actualToken = Buffer.from(parseBearerToken(request.headers.authorization) ?? "");
  const expectedToken = Buffer.from(metricsToken);
  return actualToken.length === expectedToken.length && timingSafeEqual(actualToken, expectedToken);
}

const isLoopback = createProxyTest(["loopback"]);

/** Whether a request comes from this machine, and not through a proxy on it. */
function isFromLoopback({ socket, headers }: FastifyRequest): boolean {
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && isLoopback(socket.remoteAddress ?? "");
}

const maxAgeMs = 1_000;
const stopping: Readiness = { isReady: false, reason: "The service is stopping." };

/**
 * Readiness, cached for a second.
 * @param find checks what requests need
 * @param leaving aborts when the process is about to stop, while it may still serve
 * @param onChange receives every new result
 */
export function cacheReadiness(
  find: () => Promise<Readiness>,
  leaving: AbortSignal,
  onChange: (isReady: boolean) => void = () => undefined,
): () => Promise<Readiness> {
  const check = async (): Promise<Readiness> => {
    const readiness = leaving.aborted ? stopping : await find();
    onChange(readiness.isReady && !leaving.aborted);
    return readiness;
  };
  let last: { readonly readiness: Promise<Readiness>; readonly at: number } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > maxAgeMs || leaving.aborted) last = { readiness: check(), at: now };
    return last.readiness;
  };
}
