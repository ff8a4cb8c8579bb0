// The text of `/metrics`, in both formats that Prometheus reads; that of several workers in one of them.
import { AggregatorRegistry, type Metric, Registry } from "prom-client";

export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** The library's types leave it out. */
interface MetricName {
  readonly name: string;
}

/** The text for a scraper. @param accept its Accept header; exemplars are in OpenMetrics only */
export async function metricsText(registry: Registry, accept: string | undefined): Promise<MetricsText> {
  const isOpen = accept?.includes("application/openmetrics-text") === true;
  const view = viewOf(registry, isOpen ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE);
  return { contentType: view.contentType, text: await view.metrics() };
}

/**
 * The same metrics in a registry of the type. Counters of OpenMetrics end with `_total` only in their series: asked for
 * that format, the library would rename the metrics themselves, and the other format would lose the ending permanently.
 */
function viewOf(registry: Registry, contentType: string): Registry {
  const view = new Registry();
  view.setContentType(contentType as typeof Registry.PROMETHEUS_CONTENT_TYPE);
  const isOpen = contentType === Registry.OPENMETRICS_CONTENT_TYPE;
  for (const metric of registry.getMetricsAsArray() as unknown as (Metric & MetricName)[]) {
    const get = async () => {
      const reported = await metric.get();
      return isOpen && String(reported.type) === "counter"
        ? { ...reported, name: reported.name.replace(/_total$/, "") }
        : reported;
    };
    view.registerMetric({ name: metric.name, get } as never);
  }
  return view;
}

/** Answers scrapes of the primary from now on. In a worker only. @returns gives the metrics; until then there are none */
export function answerScrapes(): (registry: Registry) => void {
  // The library listens from its first registry of this kind on.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([]);
  return (registry) => AggregatorRegistry.setRegistries([registry]);
}

/** The metrics of all workers, for the primary. Rejects when one of them does not answer in five seconds. */
export function metricsOfWorkers(): () => Promise<MetricsText> {
  const workers = new AggregatorRegistry();
  return async () => ({ contentType: workers.contentType, text: await workers.clusterMetrics() });
}
