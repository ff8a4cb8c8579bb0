// Every migration, in the order they are applied.
import { rowsNamePartnersSince } from "../earlier-rows.ts";
import { tables } from "./0001-tables.ts";
import { hostedPages } from "./0002-hosted-pages.ts";
import { jobLeases } from "./0003-job-leases.ts";
import { unscoredSessions } from "./0004-unscored-sessions.ts";
import { trust } from "./0006-trust.ts";
import { reportAccess } from "./0007-report-access.ts";
import { events } from "./0012-events.ts";
import { byPartner } from "./0013-by-partner.ts";
import { sessionLists } from "./0014-session-lists.ts";
import { audit } from "./0015-audit.ts";
import { sessionLifecycle } from "./0016-session-lifecycle.ts";
import { sessionPolicies } from "./0017-session-policies.ts";
import { idempotencyKeys } from "./0018-idempotency-keys.ts";
import { oneIndexOfPersons } from "./0019-one-index-of-persons.ts";
import { partsOfSessions } from "./0019-parts-of-sessions.ts";
import { use } from "./0020-use.ts";
import { sandbox } from "./0021-sandbox.ts";
import { lifecycleWrites } from "./0022-lifecycle-writes.ts";
import { databaseClock } from "./0024-database-clock.ts";
import { eventTypes } from "./0025-event-types.ts";
import { norms } from "./0026-norms.ts";
import { normsOfBefore } from "./0027-norms-of-before.ts";
import { groups } from "./0028-groups.ts";
import { framingAndSupport } from "./0029-framing-and-support.ts";
import { namesOnReportLinks } from "./0030-names-on-report-links.ts";
import { partnerColumns } from "./0031-partner-columns.ts";
import { rowsNamePartners } from "./0032-rows-name-partners.ts";
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
  { name: "0013-by-partner", steps: byPartner },
  { name: "0014-session-lists", steps: sessionLists },
  { name: "0015-audit", steps: audit },
  { name: "0016-session-lifecycle", steps: sessionLifecycle },
  { name: "0017-session-policies", steps: sessionPolicies },
  { name: "0018-idempotency-keys", steps: idempotencyKeys },
  { name: "0019-parts-of-sessions", steps: partsOfSessions },
  { name: "0019-one-index-of-persons", steps: oneIndexOfPersons, isAfterRollOut: true },
  { name: "0020-use", steps: use },
  { name: "0021-sandbox", steps: sandbox },
  { name: "0022-lifecycle-writes", steps: lifecycleWrites },
  // The records of the audit log say which chains there are. Processes of before add to a list of chains as well.
  { name: "0023-audit-chains", steps: ["DROP TABLE IF EXISTS audit_chains"], isAfterRollOut: true },
  { name: "0024-database-clock", steps: databaseClock },
  { name: "0025-event-types", steps: eventTypes },
  // From here on the log has events that releases of before pass over, or take for others. Groups close from here on too: a
  // release of before erases a person and leaves them in the numbers of their group.
  { name: "0035-newer-events", steps: [], isAfterRollOut: true },
  { name: "0026-norms", steps: norms },
  { name: "0027-norms-of-before", steps: normsOfBefore, isAfterRollOut: true },
  { name: "0028-groups", steps: groups },
  { name: "0029-framing-and-support", steps: framingAndSupport },
  { name: "0030-names-on-report-links", steps: namesOnReportLinks },
  { name: "0031-partner-columns", steps: partnerColumns },
  { name: rowsNamePartnersSince, steps: rowsNamePartners, isAfterRollOut: true },
];
