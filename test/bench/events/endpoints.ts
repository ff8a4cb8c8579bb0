// Partners with events in the log, and endpoints that have them all before them.
import { randomBytes } from "node:crypto";
import { v7 as newId } from "uuid";
import { openDatabase } from "../../../src/database/database.ts";
import { SecretSealer } from "../../../src/domain/webhooks/sealed-secrets.ts";
import { eventTypes } from "../../../src/kernel/event-types.ts";
import { openSequencer } from "../../../src/process/event-sequencer.ts";
import { createStores } from "../../../src/store/stores.ts";
import type { BenchDatabase } from "../servers/bench-database.ts";
import { storeSessions } from "../servers/stored-sessions.ts";

const endpointsPerPartner = 4;

export interface EndpointsToStore {
  readonly count: number;
  /** Sessions of each partner, with four events each. */
  readonly sessions: number;
  readonly key: Uint8Array;
  readonly urlOf: (index: number) => string;
}

/** Stores them; nothing wakes the endpoints. */
export async function storeEndpoints(database: BenchDatabase, about: EndpointsToStore): Promise<void> {
  const { count, sessions, key, urlOf } = about;
  const { signal } = new AbortController();
  await using started = new AsyncDisposableStack();
  const db = openDatabase({ address: database.address, poolSize: 4, warn: () => undefined });
  started.defer(() => db.destroy());
  const { webhooks, identities } = createStores(db);
  const sealer = new SecretSealer([key], randomBytes);
  const partnerIds = Array.from({ length: Math.ceil(count / endpointsPerPartner) }, () => newId());
  for (const [index, id] of partnerIds.entries()) {
    await identities.insertPartner({ id, name: `Partner ${index}`, internal: false, createdAt: new Date() }, signal);
    const of = { ...database, partnerId: id };
    await storeSessions(of, { count: sessions, state: "completed", answers: "sample", sessionsPerPerson: 1 });
  }
  let published = 0;
  const warn = () => undefined;
  const observe = (events: readonly unknown[]) => {
    published += events.length;
  };
  const { sequencer } = started.use(openSequencer({ address: database.address, warn }, observe));
  while (published < 4 * sessions * partnerIds.length) await sequencer.run(signal);
  for (let index = 0; index < count; index += 1) {
    const endpointId = newId();
    const createdAt = new Date();
    const endpoint = {
      id: endpointId,
      partnerId: partnerIds[index % partnerIds.length] ?? "",
      url: urlOf(index),
      description: "",
      types: eventTypes,
      includeExternalId: false,
      revision: 0,
      disabledReason: null,
      createdAt,
      sequence: 0,
      claimedSequence: 0,
      answering: "unknown" as const,
      failures: 0,
      failingSince: null,
      replay: null,
      restUntil: null,
    };
    const place = { id: newId(), endpointId };
    const secret = { ...place, ...sealer.seal(randomBytes(32), place), createdAt, expiresAt: null };
    await webhooks.insertEndpoint(endpoint, secret, endpointsPerPartner, signal);
  }
}
