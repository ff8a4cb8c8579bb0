// A graph of the dashboard.

export interface Graph {
  readonly title: string;
  readonly description: string;
  /** As Grafana names units: `reqps`, `s`, `percentunit`, `bytes`, `short`. */
  readonly unit: string;
  /** Queries in PromQL, with the legend of each. */
  readonly queries: readonly (readonly [expression: string, legend: string])[];
}
