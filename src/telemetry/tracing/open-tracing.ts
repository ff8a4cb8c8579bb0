// Starts tracing if a collector is configured. Otherwise its code is not loaded.
import type { Config } from "../../config.ts";
import type { Tracing, TracingOptions } from "./tracing.ts";

/** Starts tracing; undefined if no collector is configured. */
export async function openTracing(config: Config, observe: TracingOptions["observe"]): Promise<Tracing | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const { startTracing } = await import("./spans.ts");
  const { OTEL_SERVICE_NAME: serviceName, OTEL_TRACES_SAMPLER_ARG: share } = config;
  return startTracing({ endpoint, serviceName, share, random: Math.random, observe });
}
