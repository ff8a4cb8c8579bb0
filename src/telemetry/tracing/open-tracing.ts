// Starts tracing if a collector is configured and nothing turns it off. Otherwise its code is not loaded.
import { type Config, variables } from "../../config.ts";
import type { Tracing, TracingOptions } from "./tracing.ts";

/** Variables that OpenTelemetry reads by itself. */
const readByLibrary =
  /^OTEL_(RESOURCE_ATTRIBUTES|EXPORTER_OTLP_(TRACES_)?(HEADERS|TIMEOUT|COMPRESSION|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE))$/;

/** The variables of OpenTelemetry that are set and that nobody reads. */
export function unreadVariables({ setNames }: Config): string[] {
  return setNames.filter((name) => name.startsWith("OTEL_") && !(name in variables) && !readByLibrary.test(name));
}

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
