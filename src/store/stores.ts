// All stores over one database.
import type { Database } from "../database/database.ts";
import { createAssessmentStore } from "./assessments/assessment-store.ts";
import { createAuditStore } from "./audit/audit-store.ts";
import { createEventStore, type EventStore } from "./events/event-store.ts";
import { createExportStore } from "./exports/export-store.ts";
import { createSubjectRecordStore } from "./exports/subject-record-store.ts";
import { createGroupStore } from "./groups/group-store.ts";
import { createSheetStore } from "./groups/sheet-store.ts";
import { createBrandingStore } from "./hosted/branding-store.ts";
import { createHostedStore } from "./hosted/hosted-store.ts";
import { createSigningKeyStore } from "./hosted/signing-key-store.ts";
import { createIdentityStore } from "./identity/identity-store.ts";
import { createJobLeaseStore } from "./jobs/job-lease-store.ts";
import { createNormStore } from "./norms/norm-store.ts";
import { createNormPoolStore } from "./norms/pool-store.ts";
import { createReportAccessStore } from "./reports/report-access-store.ts";
import { createMaintenanceStore } from "./retention/maintenance-store.ts";
import { createSessionPolicyStore } from "./retention/session-policy-store.ts";
import { createTestClockStore } from "./sandbox/test-clock-store.ts";
import { createSessionListStore } from "./sessions/session-list-store.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import { createUsageStore } from "./usage/usage-store.ts";
import { createDeliveryStore } from "./webhooks/delivery-store.ts";
import { createWebhookStore } from "./webhooks/webhook-store.ts";

export function createStores(db: Database) {
  return {
    sessions: createSessionStore(db),
    sessionLists: createSessionListStore(db),
    sessionPolicies: createSessionPolicyStore(db),
    maintenance: createMaintenanceStore(db),
    norms: createNormStore(db),
    groups: createGroupStore(db),
    sheets: createSheetStore(db),
    events: createEventStore(db),
    webhooks: createWebhookStore(db),
    deliveries: createDeliveryStore(db),
    usage: createUsageStore(db),
    assessments: createAssessmentStore(db),
    identities: createIdentityStore(db),
    hosted: createHostedStore(db),
    reportAccess: createReportAccessStore(db),
    brandings: createBrandingStore(db),
    signingKeys: createSigningKeyStore(db),
    normPools: createNormPoolStore(db),
    audit: createAuditStore(db),
    exports: createExportStore(db),
    subjectRecords: createSubjectRecordStore(db),
    jobLeases: createJobLeaseStore(db),
    testClocks: createTestClockStore(db),
  };
}

export type Stores = ReturnType<typeof createStores>;

/** A shard: the whole database, unless that is divided. Each has a log of events. */
export interface Shard {
  /** The range in the name of a Vitess shard, such as `-40` or `c0-`; empty for the whole database. */
  readonly name: string;
  readonly events: EventStore;
}
