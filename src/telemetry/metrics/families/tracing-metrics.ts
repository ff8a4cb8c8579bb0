// Metrics of tracing itself.
import { Counter, type Registry } from "prom-client";

/** Counts spans that were sent, or that no collector took. */
export type ObserveSpans = (outcome: "exported" | "failed", spans: number) => void;

/** The counter, in the registers. */
export function createTracingMetrics(registers: Registry[]): ObserveSpans {
  const counter = new Counter({
    name: "pas_spans_total",
    help: "Spans of traces, by what became of them (exported, failed)",
    labelNames: ["outcome"],
    registers,
  });
  return (outcome, spans) => counter.inc({ outcome }, spans);
}
