// Starts tracing if a collector is configured and nothing turns it off. Otherwise its code is not loaded.
import type { Config } from "../../config.ts";
import type { Tracing, TracingOptions } from "./spans.ts";

/** Starts tracing; undefined if it is off. */
export async function openTracing(config: Config, observe: TracingOptions["observe"]): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_TRACES_SAMPLER: sampler } = config;
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`);
  const isOff = config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === "none" || sampler === "always_off";
  if (url === undefined || isOff) return undefined;
  const { startTracing } = await import("./spans.ts");
  const share = sampler.endsWith("always_on") ? 1 : config.OTEL_TRACES_SAMPLER_ARG;
  return startTracing({ url, serviceName: config.OTEL_SERVICE_NAME, share, random: Math.random, observe });
}
