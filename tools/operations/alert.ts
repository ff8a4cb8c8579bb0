// An alert of Prometheus.

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: "page" | "ticket"; readonly slo?: string; readonly window?: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

/**
 * The URL of a chapter of the runbook, which every service shows among its docs: that of the service whose address
 * Prometheus has as the external label `pas_url`.
 */
export const runbook = (anchor: string) => `{{ $externalLabels.pas_url }}/docs/runbook#${anchor}`;
