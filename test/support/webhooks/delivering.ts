// Deliverers of their own over a test's schema, and sessions whose events they deliver.
import { onTestFinished } from "vitest";
import { openDatabase, patientAcquireTimeoutMs } from "../../../src/database/database.ts";
import { pooledRandomBytes } from "../../../src/domain/random-pool.ts";
import { createEndpoint, type NewEndpointRequest } from "../../../src/domain/webhooks/endpoints.ts";
import { rotateSecret } from "../../../src/domain/webhooks/secret-rotation.ts";
import type { SendResult } from "../../../src/domain/webhooks/webhook-sender-port.ts";
import { createDeliverer, createWebhookWiring, shareDelivery } from "../../../src/process/webhooks.ts";
import { createStores } from "../../../src/store/stores.ts";
import { someId, someRecording, someSession } from "../builders.ts";
import { createTestDatabase } from "../databases/database.ts";
import { sequence } from "./sequencing.ts";

const { signal } = new AbortController();
export const webhookKey = Buffer.alloc(32, 7);

export type DeliveryWorld = Awaited<ReturnType<typeof openDeliveryWorld>>;

/** A migrated schema with what webhooks need. */
export async function openDeliveryWorld(keys: readonly Uint8Array[] = [webhookKey]) {
  const database = await createTestDatabase();
  const db = openDatabase({
    address: database.address,
    poolSize: 8,
    warn: () => undefined,
    acquireTimeoutMs: patientAcquireTimeoutMs,
  });
  const stores = createStores(db);
  const wiring = createWebhookWiring({ keys, allowedNetworks: ["127.0.0.0/8"] });
  const deps = { ...stores, ...wiring, clock: Date.now, random: pooledRandomBytes() };
  const assessmentId = (await stores.assessments.findGreatestAssessmentId(signal)) ?? 0;
  const deadline = () => ({ signal: AbortSignal.timeout(60_000), at: performance.now() + 60_000 });
  return {
    ...database,
    db,
    stores,
    wiring,
    deps,
    deadline,
    async addPartner() {
      const partner = { id: someId(), name: "Partner", internal: false, createdAt: new Date() };
      await stores.identities.insertPartner(partner, signal);
      return partner.id;
    },
    addEndpoint: (partnerId: string, url: string, request: Partial<NewEndpointRequest> = {}) =>
      createEndpoint(
        deps,
        { partnerId, mayNamePersons: true },
        {
          url,
          types: ["session.created", "session.started", "session.erased"],
          description: "",
          includeExternalId: false,
          startsAtOldest: false,
          ...request,
        },
        deadline(),
      ),
    rotate: (partnerId: string, endpointId: string, overlapSeconds: number) =>
      rotateSecret(deps, { partnerId, mayNamePersons: true }, endpointId, overlapSeconds, deadline()),
    /** A session that is created, and started if so asked for. */
    async addSession(partnerId: string, { isStarted = false, externalId = someId() } = {}) {
      const session = someSession({ partnerId, assessmentId, externalId });
      await stores.sessions.insertSession(session, signal);
      if (isStarted) await stores.sessions.saveAnswers(session, 0, someRecording([1]), signal);
      return session.id;
    },
    sequence: () => sequence(database),
    async close() {
      await db.destroy();
      await database.drop();
    },
  };
}

/**
 * A deliverer that works whenever it is asked to.
 * @param aheadMs its clock, beside the true one;
 * @param agedMs, monotonic its time
 */
export function newDeliverer(
  { stores, wiring }: Pick<DeliveryWorld, "stores" | "wiring">,
  {
    aheadMs = 0,
    concurrency = 16,
    agedMs = (): number => 0,
    monotonic = (): number => performance.now() + agedMs(),
    isTrusted = true,
  } = {},
) {
  const results: SendResult[] = [];
  const told: string[] = [];
  const deliverer = createDeliverer({
    stores,
    leases: stores.deliveries,
    wiring,
    clock: () => Date.now() + aheadMs,
    isTrusted: () => isTrusted,
    monotonic,
    shared: shareDelivery(concurrency),
    observe: {
      attempted: (_, result) => void results.push(result),
      died: () => void told.push("died"),
      disabled: (_, reason) => void told.push(`disabled ${reason}`),
      unreadable: () => void told.push("unreadable"),
    },
    reportDefect: (error) => {
      throw error;
    },
  });
  onTestFinished(() => deliverer.stop(0));
  return { deliverer, results, told, run: () => deliverer.run(signal), stop: () => deliverer.stop(60_000) };
}
