// Deliverers of their own over a test's schema, and sessions whose events they deliver.
import { randomBytes } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { RowDataPacket } from "mysql2/promise";
import { expect, onTestFinished } from "vitest";
import type { SendResult } from "../../../src/domain/webhooks/deliveries.ts";
import {
  CreateWebhookEndpointRequestSchema,
  RotateWebhookSecretRequestSchema,
  UpdateWebhookEndpointRequestSchema,
} from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { createWebhookWiring } from "../../../src/process/webhook-wiring.ts";
import { AssessmentCatalogue } from "../../../src/services/assessments/catalogue.ts";
import { createEndpoint, rotateSecret, updateEndpoint } from "../../../src/services/webhooks/endpoints.ts";
import type { Stores } from "../../../src/store/stores.ts";
import { Deliverer } from "../../../src/webhooks/deliverer.ts";
import type { EndpointConnections } from "../../../src/webhooks/shares.ts";
import { someId, someRecording, someSession } from "../builders.ts";
import { createTestDatabase } from "../databases/database.ts";
import { openShards } from "../databases/shards.ts";
import { signal } from "../deadline.ts";
import { someCall, testDependencies } from "../dependencies.ts";
import { valuesBridge } from "../values-bridge/opened.ts";
import { type Answering, startReceiver } from "./receiver.ts";
import { sequenceEvents } from "./sequencing.ts";

export const webhookKey = Buffer.alloc(32, 7);

type EndpointRequest = Omit<MessageInitShape<typeof CreateWebhookEndpointRequestSchema>, "$typeName">;

interface SessionOptions {
  readonly isStarted?: boolean;
  readonly externalId?: string;
}

export type DeliveryWorld = Awaited<ReturnType<typeof openDeliveryWorld>>;

/** A migrated schema with what webhooks need. */
export async function openDeliveryWorld(keys: readonly Uint8Array[] = [webhookKey]) {
  const database = await createTestDatabase();
  const { db, stores, shards, ...opened } = await openShards(database.address, 8);
  const wiring = createWebhookWiring(keys, { DATABASE_URL: undefined, WEBHOOK_ALLOWED_NETWORKS: ["127.0.0.0/8"] });
  const deps = { ...testDependencies(stores), ...wiring };
  const assessmentId = (await stores.assessments.findGreatestAssessmentId(signal)) ?? 0;
  const addPartner = async () => {
    const partner = { id: someId(), name: "Partner", internal: false, createdAt: new Date() };
    await stores.identities.insertPartner(partner, signal);
    return partner.id;
  };
  const addEndpoint = async (partnerId: string, url: string, request: EndpointRequest = {}) => {
    const types = ["session.created", "session.started", "session.erased"];
    const whole = create(CreateWebhookEndpointRequestSchema, { url, types, ...request });
    const { endpoint, secret } = await createEndpoint(deps, whole, someCall(partnerId));
    return { endpoint: { id: endpoint.endpointId, partnerId }, secret };
  };
  /** A session that is created, and started if so asked for. */
  const addSession = async (partnerId: string, { isStarted = false, externalId = someId() }: SessionOptions = {}) => {
    const session = someSession({ partnerId, assessmentId, externalId });
    await stores.sessions.insertSession(session, signal);
    if (isStarted) await stores.sessions.saveAnswers(session, 0, someRecording([1]), signal);
    return session.id;
  };
  return {
    ...database,
    db,
    stores,
    shards,
    wiring,
    deps,
    addPartner,
    addEndpoint,
    /** An endpoint of a new partner, and its receiver. */
    async addReceiver({ answer, ...request }: EndpointRequest & { readonly answer?: Answering | undefined } = {}) {
      const partnerId = await addPartner();
      const receiver = await startReceiver(answer);
      return { partnerId, receiver, ...(await addEndpoint(partnerId, receiver.url, request)) };
    },
    update(partnerId: string, request: MessageInitShape<typeof UpdateWebhookEndpointRequestSchema>) {
      const whole = create(UpdateWebhookEndpointRequestSchema, request);
      return updateEndpoint(deps, whole, someCall(partnerId));
    },
    rotate(partnerId: string, endpointId: string, overlapSeconds: number) {
      const request = create(RotateWebhookSecretRequestSchema, { endpointId, overlapSeconds });
      return rotateSecret(deps, request, someCall(partnerId));
    },
    addSession,
    /** A session whose events are in the log. */
    async publishSession(partnerId: string, options?: SessionOptions) {
      const sessionId = await addSession(partnerId, options);
      await sequenceEvents(database);
      return sessionId;
    },
    /** So many sessions whose events are in the log. */
    async publishSessions(partnerId: string, count: number, options?: SessionOptions) {
      for (let added = 0; added < count; added += 1) await addSession(partnerId, options);
      await sequenceEvents(database);
    },
    sequence: () => sequenceEvents(database),
    /** The rows of an endpoint in a table, in their order; of times also whether they are still to come. */
    async rowsOf(table: "webhook_endpoints" | "webhook_deliveries" | "webhook_attempts", endpointId: string) {
      const [key, time] = table === "webhook_endpoints" ? ["id", "due_at"] : ["endpoint_id", "next_at"];
      const later = table === "webhook_attempts" ? "" : `, ${time} > NOW(3) AS is_later`;
      const sql = `SELECT *${later} FROM ${table} WHERE ${key} = ? ORDER BY sequence`;
      return (await database.connection.query<RowDataPacket[]>(sql, [uuidToBytes(endpointId)]))[0];
    },
    change: (endpointId: string, assignments: string) =>
      database.connection.query(`UPDATE webhook_endpoints SET ${assignments} WHERE id = ?`, [uuidToBytes(endpointId)]),
    /** Looks on every shard for endpoints with something to do that nothing woke. */
    async wake() {
      for (const { deliveries } of shards) await deliveries.wakeEndpoints(1_000, signal);
    },
    async close() {
      await opened[Symbol.asyncDispose]();
      await database.drop();
    },
  };
}

/**
 * Deliverers of a process, one for each shard, that work whenever they are asked to.
 * @param aheadMs its clock, beside the true one;
 * @param agedMs, monotonic its time
 * @param reportDefect throws unless given. @param onAttempt may throw, as a metric may
 */
export function newDeliverer(
  {
    shards,
    wiring,
  }: Pick<DeliveryWorld, "wiring"> & {
    readonly shards: readonly Pick<Stores, "assessments" | "sessions" | "events" | "webhooks" | "deliveries">[];
  },
  {
    aheadMs = 0,
    concurrency = 16,
    agedMs = (): number => 0,
    reportDefect = (error: unknown): void => {
      throw error;
    },
    monotonic = (): number => performance.now() + agedMs(),
    isTrusted = true,
    onAttempt = (): void => undefined,
  } = {},
) {
  const results: SendResult[] = [];
  const notices: string[] = [];
  const common = {
    ...wiring,
    clock: () => Date.now() + aheadMs,
    clockFault: () => (isTrusted ? undefined : "The clocks differ."),
    monotonic,
    usedConnections: new Map<string, EndpointConnections>(),
    concurrency,
    observe: {
      observeAttempt: (_: unknown, result: SendResult) => {
        results.push(result);
        onAttempt();
      },
      observeDead: () => void notices.push("died"),
      observeDisabled: (_: unknown, reason: string) => void notices.push(`disabled ${reason}`),
      observeUnreadable: () => void notices.push("unreadable"),
    },
    reportDefect,
  };
  const deliverers = shards.map(({ assessments, sessions, events, webhooks, deliveries }) => {
    const catalogue = new AssessmentCatalogue(assessments, valuesBridge, monotonic);
    return new Deliverer({ ...common, catalogue, sessions, events, webhooks, deliveries, random: randomBytes });
  });
  const ofAll = async (work: (deliverer: (typeof deliverers)[number]) => Promise<void>) => {
    await Promise.all(deliverers.map(work));
  };
  const stop = (timeoutMs = 60_000) => ofAll((deliverer) => deliverer.stop(timeoutMs));
  onTestFinished(() => stop(0));
  return { results, told: notices, run: () => ofAll((deliverer) => deliverer.run(signal)), stop };
}

/** Runs the deliverer until the condition holds. @param fails whether runs may throw meanwhile */
export async function runUntil(
  { run }: Pick<ReturnType<typeof newDeliverer>, "run">,
  condition: () => unknown,
  fails = false,
): Promise<void> {
  const check = async () => {
    await run().catch((error) => (fails ? undefined : Promise.reject(error)));
    return Boolean(await condition());
  };
  await expect.poll(check).toBe(true);
}
