// Metrics of events: what came into the log, and how late.
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createEventMetrics } from "../../src/telemetry/metrics/background-metrics.ts";
import { metricsText } from "../../src/telemetry/metrics/exposition.ts";
import { metersOf } from "../../src/telemetry/metrics/meters.ts";

test("what came into the log is counted by what happened, and how late it came in seconds", async () => {
  const registry = new Registry();
  createEventMetrics(metersOf(registry)).observePublished([
    { type: "session.created", mode: "hosted", lagMs: 50 },
    { type: "session.expired", mode: "hosted", lagMs: 200 },
    { type: "session.expired", mode: "hosted", lagMs: 1_000 },
    { type: "session.erased", mode: null, lagMs: 0 },
    { type: "other.done", mode: null, lagMs: 0 },
  ]);
  const { text } = await metricsText(registry, undefined);
  const lines = text.split("\n").filter((line) => /^pas_(sessions_total|event_lag_seconds_(sum|count))/.test(line));
  expect(lines.toSorted()).toEqual([
    "pas_event_lag_seconds_count 5",
    "pas_event_lag_seconds_sum 1.25",
    'pas_sessions_total{mode="hosted",event="created"} 1',
    'pas_sessions_total{mode="hosted",event="expired"} 2',
    'pas_sessions_total{mode="unknown",event="erased"} 1',
  ]);
});
