// Every migration, in the order they are applied.
import { tables } from "./0001-tables.ts";
import { hostedPages } from "./0002-hosted-pages.ts";
import { jobLeases } from "./0003-job-leases.ts";
import { unscoredSessions } from "./0004-unscored-sessions.ts";
import { trust } from "./0006-trust.ts";
import { reportAccess } from "./0007-report-access.ts";
import { events } from "./0012-events.ts";
import type { Migration } from "./step.ts";

/** Add new ones at the end. */
export const migrations: readonly Migration[] = [
  { name: "0001-tables", steps: tables },
  { name: "0002-hosted-pages", steps: hostedPages },
  { name: "0003-job-leases", steps: jobLeases },
  { name: "0004-unscored-sessions", steps: unscoredSessions },
  // From here on results are stored packed, which releases before 0.2 cannot read.
  { name: "0005-packed-results", steps: [], isAfterRollOut: true },
  { name: "0006-trust", steps: trust },
  { name: "0007-report-access", steps: reportAccess },
  { name: "0012-events", steps: events },
];
