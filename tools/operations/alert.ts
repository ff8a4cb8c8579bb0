// An alert of Prometheus.

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: "page" | "ticket"; readonly slo?: string; readonly window?: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

/** Where a chapter of the runbook is. */
export const runbook = (anchor: string) => `docs/runbook.md#${anchor}`;
