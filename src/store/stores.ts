// All stores over one database, and what is asked of the database itself.
import type { Knex } from "knex";
import type { AssessmentStore, IdentityStore, MaintenanceStore, SessionStore } from "../domain/store.ts";
import { createAssessmentStore } from "./assessment-store.ts";
import { createIdentityStore } from "./identity-store.ts";
import { createMaintenanceStore } from "./maintenance-store.ts";
import { createSessionStore } from "./session-store.ts";

export interface Stores {
  readonly sessions: SessionStore;
  readonly assessments: AssessmentStore;
  readonly identities: IdentityStore;
  readonly maintenance: MaintenanceStore;
}

export function createStores(db: Knex): Stores {
  return {
    sessions: createSessionStore(db),
    assessments: createAssessmentStore(db),
    identities: createIdentityStore(db),
    maintenance: createMaintenanceStore(db),
  };
}

/** Connections of the pool in use and idle, and callers that wait for one. */
export function poolState(db: Knex): { used: number; free: number; pending: number } {
  const { pool } = db.client;
  return { used: pool.numUsed(), free: pool.numFree(), pending: pool.numPendingAcquires() };
}
