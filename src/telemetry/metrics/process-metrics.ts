// Metrics of the process itself: its revision, and when certificates expire.

import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Clock } from "../../kernel/environment.ts";
import { releaseVersion } from "../../kernel/release.ts";
import type { Meters } from "./meters.ts";

export interface ProcessFacts {
  /** Revision of the source; undefined if not configured. */
  readonly revision?: string | undefined;
  /** When the certificates of this process expire, in milliseconds since 1970, by their use. */
  readonly certificates?: Readonly<Record<string, number>>;
  /** The wall clock; that of the host by default. */
  readonly clock?: Clock;
}

/** Adds the metrics of the process. */
export function addProcessMetrics(
  { gauge }: Meters,
  { revision = "unknown", certificates = {}, clock = Date.now }: ProcessFacts,
): void {
  gauge("pas_build_info", "1, with the version of the release that runs, and the revision of its source", [
    "version",
    "revision",
  ]).set({ version: releaseVersion, revision }, 1);
  gauge(
    "pas_tls_expiry_seconds",
    "Time until a certificate of this process expires, by what shows it (grpc, gateway)",
    ["certificate"],
    (expiry) => {
      for (const [certificate, at] of Object.entries(certificates)) expiry.set({ certificate }, (at - clock()) / 1000);
    },
  );
}

/**
 * Milliseconds since 1970 at which each certificate expires; the first of a chain is the server's own. Rejects for a
 * file that cannot be read.
 * @param files PEM files, by their use; undefined for uses without one
 */
export async function certificateExpiries(
  files: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, number>> {
  const expiries: Record<string, number> = {};
  for (const [name, file] of Object.entries(files)) {
    if (file !== undefined) expiries[name] = Date.parse(new X509Certificate(await readFile(file)).validTo);
  }
  return expiries;
}
