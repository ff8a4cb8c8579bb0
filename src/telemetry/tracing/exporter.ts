// Where spans go: to a collector, over OTLP/HTTP.
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { defaultResource, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { releaseVersion } from "../../kernel/release.ts";
import type { TracingOptions } from "./tracing.ts";

const succeeded = 0;

/** An exporter that tells what became of spans: the library would lose them without a word. */
export function countedExporter({ endpoint, observe }: TracingOptions): SpanExporter {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, "")}/v1/traces` });
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        observe(result.code === succeeded ? "exported" : "failed", spans.length);
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

/** Who sends the spans. */
export function resourceOf(serviceName: string): Resource {
  const own = { "service.name": serviceName, "service.version": releaseVersion };
  return defaultResource().merge(resourceFromAttributes(own));
}
