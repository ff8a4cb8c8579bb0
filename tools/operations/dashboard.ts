// The dashboard of Grafana: what callers get, why, and what the processes have left.
import { DashboardBuilder, DatasourceVariableBuilder, RowBuilder } from "@grafana/grafana-foundation-sdk/dashboard";
import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as StatBuilder } from "@grafana/grafana-foundation-sdk/stat";
import { PanelBuilder as TimeseriesBuilder } from "@grafana/grafana-foundation-sdk/timeseries";
import type { Graph } from "./graph.ts";
import { objectives, withoutWaits } from "./objectives.ts";
import { parts } from "./part-graphs.ts";
import { quantileQuery, rateQuery } from "./promql.ts";

const source = { type: "prometheus", uid: "$datasource" };
const calls = "pas_calls_seconds";
const goodCalls = `${calls}_bucket{outcome="ok",${withoutWaits}}`;

const callers: readonly Graph[] = [
  {
    title: "Calls by transport",
    description: "Calls a second through the pipeline.",
    unit: "reqps",
    queries: [[rateQuery(`${calls}_count`, "transport"), "{{transport}}"]],
  },
  {
    title: "Calls by outcome, without ok",
    description: "What each means is in docs/errors.md.",
    unit: "reqps",
    queries: [[rateQuery(`${calls}_count{outcome!="ok"}`, "outcome"), "{{outcome}}"]],
  },
  {
    title: "Time of calls that went well",
    description: "Half, 95 and 99 of 100 calls take no longer. Without those that may wait for an event.",
    unit: "s",
    queries: [0.5, 0.95, 0.99].map((quantile) => [quantileQuery(quantile, goodCalls, ""), `p${quantile * 100}`]),
  },
  {
    title: "Ten clients with the most calls that are not ok",
    description: "By client and class: refused is the caller's to mend, failed the service's.",
    unit: "reqps",
    queries: [
      [`topk(10, ${rateQuery('pas_client_calls_total{class!="ok"}', "client_id, class")})`, "{{client_id}} {{class}}"],
    ],
  },
  {
    title: "Time of calls by rpc",
    description: "99 of 100 calls that went well take no longer. Without those that may wait for an event.",
    unit: "s",
    queries: [[quantileQuery(0.99, goodCalls, "rpc"), "{{rpc}}"]],
  },
];

const causes: readonly Graph[] = [
  {
    title: "Calls in flight",
    description: "Calls that wait for long mean that the process has all it can take.",
    unit: "short",
    queries: [["sum by (state) (pas_calls_in_flight)", "{{state}}"]],
  },
  {
    title: "Connections to the database",
    description: "Pending are callers that wait for one.",
    unit: "short",
    queries: [["sum by (state) (pas_database_connections)", "{{state}}"]],
  },
  {
    title: "Defects",
    description: "Any is to be mended; the log has it.",
    unit: "short",
    queries: [["sum(increase(pas_defects_total[1h])) or vector(0)", "in the last hour"]],
  },
  {
    title: "Background jobs",
    description: "Runs a second, by how they ended.",
    unit: "reqps",
    queries: [[rateQuery("pas_job_seconds_count", "background_job, outcome"), "{{background_job}} {{outcome}}"]],
  },
];

const processes: readonly Graph[] = [
  {
    title: "Processor",
    description: "Of one processor. The service's own work uses no more than one.",
    unit: "percentunit",
    queries: [[rateQuery("process_cpu_seconds_total", "instance"), "{{instance}}"]],
  },
  {
    title: "Event loop",
    description: "One of a hundred turns is late by so much.",
    unit: "s",
    queries: [["nodejs_eventloop_lag_p99_seconds", "{{instance}}"]],
  },
  {
    title: "Memory",
    description: "Resident; it rests below 200 MB.",
    unit: "bytes",
    queries: [["process_resident_memory_bytes", "{{instance}}"]],
  },
  {
    title: "Releases",
    description: "Processes by the version that they run.",
    unit: "short",
    queries: [["count by (version) (pas_build_info)", "{{version}}"]],
  },
  {
    title: "Running for",
    description: "Since the start of each process.",
    unit: "s",
    queries: [["time() - process_start_time_seconds", "{{instance}}"]],
  },
];

/** The content of deploy/grafana/service.json. */
export function dashboardDocument(): string {
  const dashboard = new DashboardBuilder("Partner Assessment Service")
    .uid("partner-assessment-service")
    .tags(["pas"])
    .refresh("30s")
    .time({ from: "now-6h", to: "now" })
    .withVariable(new DatasourceVariableBuilder("datasource").type("prometheus"));
  dashboard.withRow(new RowBuilder("Objectives: how fast 30 days of them burn"));
  for (const { name, summary, budget } of objectives) {
    const stat = new StatBuilder()
      .title(name)
      .description(summary)
      .unit("short")
      .decimals(1)
      .datasource(source)
      .height(5)
      .span(6)
      .withTarget(query(`pas:slo_bad_calls:ratio_rate1h{slo="${name}"} / ${budget}`, "times the pace"));
    dashboard.withPanel(stat);
  }
  for (const [row, graphs] of [["Callers", callers], ["Causes", causes], ...parts, ["Processes", processes]] as const) {
    dashboard.withRow(new RowBuilder(row));
    for (const graph of graphs) dashboard.withPanel(createPanel(graph));
  }
  return `${JSON.stringify(dashboard.build(), null, 2)}\n`;
}

function createPanel({ title, description, unit, queries }: Graph): TimeseriesBuilder {
  const panel = new TimeseriesBuilder().title(title).description(description).unit(unit).datasource(source);
  panel.height(7).span(6);
  for (const [expression, legend] of queries) panel.withTarget(query(expression, legend));
  return panel;
}

function query(expression: string, legend: string): DataqueryBuilder {
  return new DataqueryBuilder().expr(expression).legendFormat(legend).datasource(source);
}
