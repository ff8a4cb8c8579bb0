// All stores over one database, and what is asked of the database itself.
import type { Knex } from "knex";
import { createDatabaseClockStore } from "../database/clock.ts";
import type { AssessmentStore } from "../domain/assessments/assessment-port.ts";
import type { AuditStore } from "../domain/audit/audit-port.ts";
import type { DatabaseClockStore } from "../domain/database-clock-port.ts";
import type { EventStore } from "../domain/events/event-port.ts";
import type { ExportStore } from "../domain/exports/export-port.ts";
import type { SubjectRecordStore } from "../domain/exports/subject-record-port.ts";
import type { GroupStore } from "../domain/groups/group-port.ts";
import type { BrandingStore } from "../domain/hosted/branding-port.ts";
import type { HostedStore } from "../domain/hosted/hosted-port.ts";
import type { SigningKeyStore } from "../domain/hosted/signing-key-port.ts";
import type { IdentityStore } from "../domain/identity/identity-port.ts";
import type { JobLeaseStore } from "../domain/jobs/job-lease-port.ts";
import type { NormStore } from "../domain/norms/norm-port.ts";
import type { NormPoolStore } from "../domain/norms/pool-port.ts";
import type { ReportAccessStore } from "../domain/reports/report-access-port.ts";
import type { MaintenanceStore } from "../domain/retention/maintenance-port.ts";
import type { SessionPolicyStore } from "../domain/retention/session-policy-port.ts";
import type { TestClockStore } from "../domain/sandbox/test-clock-port.ts";
import type { IdempotencyKeyStore } from "../domain/sessions/idempotency-key-port.ts";
import type { SessionListStore } from "../domain/sessions/session-list-port.ts";
import type { SessionStore } from "../domain/sessions/session-port.ts";
import type { UsageStore } from "../domain/usage/usage-port.ts";
import type { DeliveryStore } from "../domain/webhooks/delivery-port.ts";
import type { WebhookStore } from "../domain/webhooks/webhook-port.ts";
import { createAssessmentStore } from "./assessments/assessment-store.ts";
import { createAuditStore } from "./audit/audit-store.ts";
import { createEventStore } from "./events/event-store.ts";
import { createExportStore } from "./exports/export-store.ts";
import { createSubjectRecordStore } from "./exports/subject-record-store.ts";
import { createGroupStore } from "./groups/group-store.ts";
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
import { createIdempotencyKeyStore } from "./sessions/idempotency-store.ts";
import { createSessionListStore } from "./sessions/session-list-store.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import { createUsageStore } from "./usage/usage-store.ts";
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
  readonly groups: GroupStore;
  readonly normPools: NormPoolStore;
  readonly events: EventStore;
  readonly webhooks: WebhookStore;
  readonly deliveries: DeliveryStore;
  readonly audit: AuditStore;
  readonly exports: ExportStore;
  readonly subjectRecords: SubjectRecordStore;
  readonly usage: UsageStore;
  readonly jobLeases: JobLeaseStore;
  readonly databaseClock: DatabaseClockStore;
  readonly testClocks: TestClockStore;
}

/** The stores that jobs of a shard go to. */
export type ShardStores = Pick<
  Stores,
  | "sessions"
  | "idempotencyKeys"
  | "sessionPolicies"
  | "maintenance"
  | "norms"
  | "groups"
  | "events"
  | "webhooks"
  | "deliveries"
  | "usage"
>;

/** @param db a shard, or the whole database where that is one. @param whole the database of all shards */
export function createShardStores(db: Knex, whole: Knex): ShardStores {
  return {
    sessions: createSessionStore(db),
    idempotencyKeys: createIdempotencyKeyStore(db),
    sessionPolicies: createSessionPolicyStore(db),
    maintenance: createMaintenanceStore(db, whole),
    norms: createNormStore(db),
    groups: createGroupStore(db),
    events: createEventStore(db),
    webhooks: createWebhookStore(db),
    deliveries: createDeliveryStore(db),
    usage: createUsageStore(db),
  };
}

/** @param replica reads what may lag behind; the database itself unless there is one */
export function createStores(db: Knex, replica: Knex = db): Stores {
  return {
    ...createShardStores(db, db),
    sessionLists: createSessionListStore(db),
    assessments: createAssessmentStore(db),
    identities: createIdentityStore(db),
    hosted: createHostedStore(db),
    reportAccess: createReportAccessStore(db),
    brandings: createBrandingStore(db),
    signingKeys: createSigningKeyStore(db),
    normPools: createNormPoolStore(db),
    audit: createAuditStore(db),
    exports: createExportStore(db, replica),
    subjectRecords: createSubjectRecordStore(db),
    jobLeases: createJobLeaseStore(db),
    databaseClock: createDatabaseClockStore(db),
    testClocks: createTestClockStore(db),
  };
}

/** Connections of the pool in use and idle, and callers that wait for one. */
export function poolState(db: Knex): { used: number; free: number; pending: number } {
  const { pool } = db.client;
  return { used: pool.numUsed(), free: pool.numFree(), pending: pool.numPendingAcquires() };
}
