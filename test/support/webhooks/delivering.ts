// Deliverers of their own over a test's schema, and sessions whose events they deliver.
import { randomBytes } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { afterAll, onTestFinished } from "vitest";
import type { SendResult } from "../../../src/domain/webhooks/deliveries.ts";
import {
  CreateWebhookEndpointRequestSchema,
  RotateWebhookSecretRequestSchema,
  UpdateWebhookEndpointRequestSchema,
} from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import { createDeliverer, createWebhookWiring } from "../../../src/process/webhooks.ts";
import { createEndpoint, rotateSecret, updateEndpoint } from "../../../src/services/webhooks/endpoints.ts";
import type { UnderWay } from "../../../src/webhooks/shares.ts";
import { someId, someRecording, someSession } from "../builders.ts";
import { createTestDatabase } from "../databases/database.ts";
import { openShards } from "../databases/shards.ts";
import { sequence } from "./sequencing.ts";

const { signal } = new AbortController();
export const webhookKey = Buffer.alloc(32, 7);

const callerOf = (partnerId: string) => ({
  partnerId,
  clientId: "client",
  scopes: new Set(["sessions:read"] as const),
});

export type DeliveryWorld = Awaited<ReturnType<typeof openDeliveryWorld>>;

/** A migrated schema with what webhooks need. */
export async function openDeliveryWorld(keys: readonly Uint8Array[] = [webhookKey]) {
  const database = await createTestDatabase();
  const { db, stores, shards, ...opened } = await openShards(database.address, 8);
  const wiring = createWebhookWiring(keys, ["127.0.0.0/8"]);
  const deps = { ...stores, ...wiring, clock: Date.now, random: randomBytes };
  const assessmentId = (await stores.assessments.findGreatestAssessmentId(signal)) ?? 0;
  const deadline = () => ({ signal: AbortSignal.timeout(60_000), at: performance.now() + 60_000 });
  return {
    ...database,
    db,
    stores,
    shards,
    wiring,
    deps,
    deadline,
    async addPartner() {
      const partner = { id: someId(), name: "Partner", internal: false, createdAt: new Date() };
      await stores.identities.insertPartner(partner, signal);
      return partner.id;
    },
    async addEndpoint(
      partnerId: string,
      url: string,
      request: MessageInitShape<typeof CreateWebhookEndpointRequestSchema> = {},
    ) {
      const types = ["session.created", "session.started", "session.erased"];
      const whole = create(CreateWebhookEndpointRequestSchema, { url, types, ...request });
      const { endpoint, secret } = await createEndpoint(deps, callerOf(partnerId), whole, deadline());
      return { endpoint: { id: endpoint.endpointId, partnerId }, secret };
    },
    update(partnerId: string, request: MessageInitShape<typeof UpdateWebhookEndpointRequestSchema>) {
      const whole = create(UpdateWebhookEndpointRequestSchema, request);
      return updateEndpoint(deps, callerOf(partnerId), whole, deadline());
    },
    rotate(partnerId: string, endpointId: string, overlapSeconds: number) {
      const request = create(RotateWebhookSecretRequestSchema, { endpointId, overlapSeconds });
      return rotateSecret(deps, callerOf(partnerId), request, deadline());
    },
    /** A session that is created, and started if so asked for. */
    async addSession(partnerId: string, { isStarted = false, externalId = someId() } = {}) {
      const session = someSession({ partnerId, assessmentId, externalId });
      await stores.sessions.insertSession(session, signal);
      if (isStarted) await stores.sessions.saveAnswers(session, 0, someRecording([1]), signal);
      return session.id;
    },
    sequence: () => sequence(database),
    /** Looks on every shard for endpoints with something to do that nothing woke. */
    async wake() {
      for (const { deliveries } of shards) await deliveries.wakeEndpoints(1_000, AbortSignal.timeout(60_000));
    },
    async close() {
      await opened[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}

/** The same for all tests of a file, closed after them. */
export async function sharedWorld(): Promise<DeliveryWorld> {
  const world = await openDeliveryWorld();
  afterAll(() => world.close());
  return world;
}

/**
 * Deliverers of a process, one for each shard, that work whenever they are asked to.
 * @param aheadMs its clock, beside the true one;
 * @param agedMs, monotonic its time
 * @param reportDefect throws unless given
 */
export function newDeliverer(
  { shards, wiring }: Pick<DeliveryWorld, "shards" | "wiring">,
  {
    aheadMs = 0,
    concurrency = 16,
    agedMs = (): number => 0,
    reportDefect = (error: unknown): void => {
      throw error;
    },
    monotonic = (): number => performance.now() + agedMs(),
    isTrusted = true,
  } = {},
) {
  const results: SendResult[] = [];
  const told: string[] = [];
  const common = {
    ...wiring,
    clock: () => Date.now() + aheadMs,
    isTrusted: () => isTrusted,
    monotonic,
    underWay: new Set<UnderWay>(),
    concurrency,
    observe: {
      attempted: (_: unknown, result: SendResult) => void results.push(result),
      died: () => void told.push("died"),
      disabled: (_: unknown, reason: string) => void told.push(`disabled ${reason}`),
      unreadable: () => void told.push("unreadable"),
    },
    reportDefect,
  };
  const deliverers = shards.map((stores) => createDeliverer(stores, common));
  const ofAll = async (work: (deliverer: (typeof deliverers)[number]) => Promise<void>) => {
    await Promise.all(deliverers.map(work));
  };
  const stop = (patienceMs = 60_000) => ofAll((deliverer) => deliverer.stop(patienceMs));
  onTestFinished(() => stop(0));
  return { results, told, run: () => ofAll((deliverer) => deliverer.run(signal)), stop };
}
