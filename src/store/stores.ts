// All stores over one database, and what is asked of the database itself.
import type { Knex } from "knex";
import type { AssessmentStore } from "../domain/ports/assessments.ts";
import type { AuditStore } from "../domain/ports/audit.ts";
import type { EventStore } from "../domain/ports/events.ts";
import type { JobLeaseStore } from "../domain/ports/job-leases.ts";
import type { MaintenanceStore } from "../domain/ports/maintenance.ts";
import type { NormStore } from "../domain/ports/norms.ts";
import type { BrandingStore } from "../domain/ports/partners/brandings.ts";
import type { IdentityStore } from "../domain/ports/partners/identities.ts";
import type { SigningKeyStore } from "../domain/ports/partners/signing-keys.ts";
import type { TestClockStore } from "../domain/ports/partners/test-clocks.ts";
import type { UsageStore } from "../domain/ports/partners/usage.ts";
import type { ExportStore } from "../domain/ports/sessions/exports.ts";
import type { HeldSessionStore } from "../domain/ports/sessions/held-sessions.ts";
import type { HostedStore } from "../domain/ports/sessions/hosted.ts";
import type { IdempotencyKeyStore } from "../domain/ports/sessions/idempotency-keys.ts";
import type { ReportAccessStore } from "../domain/ports/sessions/report-access.ts";
import type { SessionListStore } from "../domain/ports/sessions/session-lists.ts";
import type { SessionPolicyStore } from "../domain/ports/sessions/session-policies.ts";
import type { SessionStore } from "../domain/ports/sessions/sessions.ts";
import type { DeliveryStore } from "../domain/ports/webhooks/deliveries.ts";
import type { WebhookStore } from "../domain/ports/webhooks/webhooks.ts";
import { createAssessmentStore } from "./assessment-store.ts";
import { createAuditStore } from "./audit/audit-store.ts";
import { createEventStore } from "./events/event-store.ts";
import { createJobLeaseStore } from "./jobs/job-lease-store.ts";
import { createMaintenanceStore } from "./jobs/maintenance-store.ts";
import { createNormStore } from "./norms/norm-store.ts";
import { createBrandingStore } from "./partners/branding-store.ts";
import { createIdentityStore } from "./partners/identity-store.ts";
import { createSigningKeyStore } from "./partners/signing-key-store.ts";
import { createUsageStore } from "./partners/usage-store.ts";
import { createExportStore } from "./sessions/export-store.ts";
import { createHeldSessionStore } from "./sessions/held-session-store.ts";
import { createIdempotencyKeyStore } from "./sessions/idempotency-store.ts";
import { createSessionListStore } from "./sessions/session-list-store.ts";
import { createSessionPolicyStore } from "./sessions/session-policy-store.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import { createTestClockStore } from "./sessions/test-clock-store.ts";
import { createHostedStore } from "./visits/hosted-store.ts";
import { createReportAccessStore } from "./visits/report-access-store.ts";
import { createDeliveryStore } from "./webhooks/delivery-store.ts";
import { createWebhookStore } from "./webhooks/webhook-store.ts";

export interface Stores {
  readonly sessions: SessionStore;
  readonly idempotencyKeys: IdempotencyKeyStore;
  readonly sessionLists: SessionListStore;
  readonly sessionPolicies: SessionPolicyStore;
  readonly assessments: AssessmentStore;
  readonly identities: IdentityStore;
  readonly hosted: HostedStore;
  readonly reportAccess: ReportAccessStore;
  readonly brandings: BrandingStore;
  readonly signingKeys: SigningKeyStore;
  readonly maintenance: MaintenanceStore;
  readonly norms: NormStore;
  readonly events: EventStore;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly audit: AuditStore;
  readonly exports: ExportStore;
  readonly heldSessions: HeldSessionStore;
  readonly usage: UsageStore;
  readonly jobLeases: JobLeaseStore;
  readonly testClocks: TestClockStore;
}

/** @param replica reads what may lag behind; the database itself unless there is one */
export function createStores(db: Knex, replica: Knex = db): Stores {
  return {
    sessions: createSessionStore(db),
    idempotencyKeys: createIdempotencyKeyStore(db),
    sessionLists: createSessionListStore(db),
    sessionPolicies: createSessionPolicyStore(db),
    assessments: createAssessmentStore(db),
    identities: createIdentityStore(db),
    hosted: createHostedStore(db),
    reportAccess: createReportAccessStore(db),
    brandings: createBrandingStore(db),
    signingKeys: createSigningKeyStore(db),
    maintenance: createMaintenanceStore(db),
    norms: createNormStore(db),
    events: createEventStore(db),
    webhooks: createWebhookStore(db),
    deliveries: createDeliveryStore(db),
    audit: createAuditStore(db),
    exports: createExportStore(db, replica),
    heldSessions: createHeldSessionStore(db),
    usage: createUsageStore(db),
    jobLeases: createJobLeaseStore(db),
    testClocks: createTestClockStore(db),
  };
}

/** Connections of the pool in use and idle, and callers that wait for one. */
export function poolState(db: Knex): { used: number; free: number; pending: number } {
  const { pool } = db.client;
  return { used: pool.numUsed(), free: pool.numFree(), pending: pool.numPendingAcquires() };
}
