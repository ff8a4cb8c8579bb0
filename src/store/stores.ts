// All stores over one database, and what is asked of the database itself.
import type { Knex } from "knex";
import type { AssessmentStore } from "../domain/ports/assessments.ts";
import type { BrandingStore } from "../domain/ports/brandings.ts";
import type { DeliveryStore } from "../domain/ports/deliveries.ts";
import type { EventStore } from "../domain/ports/events.ts";
import type { HostedStore } from "../domain/ports/hosted.ts";
import type { IdentityStore } from "../domain/ports/identities.ts";
import type { JobLeaseStore } from "../domain/ports/job-leases.ts";
import type { MaintenanceStore } from "../domain/ports/maintenance.ts";
import type { NormStore } from "../domain/ports/norms.ts";
import type { ReportAccessStore } from "../domain/ports/report-access.ts";
import type { SessionStore } from "../domain/ports/sessions.ts";
import type { SigningKeyStore } from "../domain/ports/signing-keys.ts";
import type { WebhookStore } from "../domain/ports/webhooks.ts";
import { createAssessmentStore } from "./assessment-store.ts";
import { createBrandingStore } from "./branding-store.ts";
import { createEventStore } from "./events/event-store.ts";
import { createHostedStore } from "./hosted-store.ts";
import { createIdentityStore } from "./identity-store.ts";
import { createJobLeaseStore } from "./job-lease-store.ts";
import { createMaintenanceStore } from "./maintenance-store.ts";
import { createNormStore } from "./norm-store.ts";
import { createReportAccessStore } from "./report-access-store.ts";
import { createSessionStore } from "./session-store.ts";
import { createSigningKeyStore } from "./signing-key-store.ts";
import { createDeliveryStore } from "./webhooks/delivery-store.ts";
import { createWebhookStore } from "./webhooks/webhook-store.ts";

export interface Stores {
  readonly sessions: SessionStore;
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
  readonly jobLeases: JobLeaseStore;
}

export function createStores(db: Knex): Stores {
  return {
    sessions: createSessionStore(db),
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
    jobLeases: createJobLeaseStore(db),
  };
}

/** Connections of the pool in use and idle, and callers that wait for one. */
export function poolState(db: Knex): { used: number; free: number; pending: number } {
  const { pool } = db.client;
  return { used: pool.numUsed(), free: pool.numFree(), pending: pool.numPendingAcquires() };
}
