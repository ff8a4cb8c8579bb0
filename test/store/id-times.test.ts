// Whatever is stored with a time in its id and a time beside it has one time: else neighbours by id are out of order by
// time.
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RowDataPacket } from "mysql2";
import { expect, test } from "vitest";
import { SecretSealer } from "../../src/domain/webhooks/sealed-secrets.ts";
import { CreateSessionRequestSchema, SessionMode } from "../../src/gen/assessment/v1/session_service_pb.ts";
import {
  CreateWebhookEndpointRequestSchema,
  RotateWebhookSecretRequestSchema,
} from "../../src/gen/assessment/v1/webhook_service_pb.ts";
import { toTwinId } from "../../src/kernel/ids.ts";
import { createClient, createPartner } from "../../src/services/identity/partners.ts";
import { findSessionTime, setTestClock } from "../../src/services/sandbox/test-clock.ts";
import { createSession } from "../../src/services/sessions/create-session.ts";
import { createEndpoint, rotateSecret } from "../../src/services/webhooks/endpoints.ts";
import { someAssessment, someId } from "../support/builders.ts";
import { deadline, signal } from "../support/deadline.ts";
import { someCall, testDependencies } from "../support/dependencies.ts";
import { storesOfFile } from "../support/of-file.ts";

const product = "values-bridge";

const database = await storesOfFile();
await database.assessments.insertAssessment(someAssessment({ product }), signal);

/** A domain whose clock is a millisecond later at each reading. */
function restlessDomain() {
  let now = Date.now();
  return testDependencies(database, {
    clock: () => {
      now += 1;
      return now;
    },
  });
}

/** Rows of a table whose id does not begin with the time beside it, and how many rows there are. */
async function untimely(table: string, id: string, time: string): Promise<{ rows: number; untimely: number }> {
  const sql = `SELECT COUNT(*) AS all_rows, COALESCE(SUM(CONV(HEX(LEFT(${id}, 6)), 16, 10)
    <> ROUND(UNIX_TIMESTAMP(${time}) * 1000)), 0) AS untimely FROM ${table}`;
  const [[row]] = await database.connection.query<RowDataPacket[]>(sql);
  return { rows: Number(row?.all_rows), untimely: Number(row?.untimely) };
}

test("ids of sessions of every kind begin with the time beside them, those of a test twin with its clock's", async () => {
  const dependencies = restlessDomain();
  const partnerId = someId();
  const twin = toTwinId(partnerId) ?? "";
  const now = timestampFromDate(new Date(dependencies.clock() + 90 * 24 * 60 * 60 * 1000));
  await setTestClock(dependencies, { now }, { partnerId: twin, ...deadline });
  const twinTime = await findSessionTime(dependencies, twin, signal);
  const known = { product, subject: { externalId: "person" } };
  const keyed = { ...known, idempotencyKey: "one-key" };
  const hostedMode = { ...known, mode: SessionMode.HOSTED, redirectUrl: "https://partner.example/done" };
  const requests = [{ product }, keyed, keyed, hostedMode].map((each) => create(CreateSessionRequestSchema, each));
  for (const request of requests) {
    await createSession(dependencies, request, someCall(partnerId, dependencies.clock));
    await createSession(dependencies, request, { partnerId: twin, ...deadline, ...twinTime });
  }
  expect(await untimely("sessions", "id", "created_at")).toEqual({ rows: 6, untimely: 0 });
});

test("ids of partners, clients, endpoints, their secrets and chains of the audit log begin with the time beside them", async () => {
  const dependencies = restlessDomain();
  const partnerId = await createPartner(dependencies, { name: "Partner", internal: false }, deadline);
  await createClient(dependencies, { partnerId, name: "Backend", scopes: ["results:read"] }, deadline);
  expect(await untimely("partners", "id", "created_at")).toEqual({ rows: 1, untimely: 0 });
  expect(await untimely("clients", "id", "created_at")).toEqual({ rows: 1, untimely: 0 });
  const webhooks = {
    ...dependencies,
    sealer: new SecretSealer([new Uint8Array(32)], dependencies.random),
    findDestinationViolations: async () => [],
  };
  const request = { url: "https://partner.example/hooks", types: ["session.created"] };
  const whole = create(CreateWebhookEndpointRequestSchema, request);
  const { endpoint } = await createEndpoint(webhooks, whole, someCall(partnerId));
  const { endpointId } = endpoint;
  await rotateSecret(webhooks, create(RotateWebhookSecretRequestSchema, { endpointId }), someCall(partnerId));
  expect(await untimely("webhook_endpoints", "id", "created_at")).toEqual({ rows: 1, untimely: 0 });
  expect(await untimely("webhook_secrets", "id", "created_at")).toEqual({ rows: 2, untimely: 0 });
  const about = { partnerId, clientId: null, sessionId: null, targetId: null };
  await dependencies.trail.record([{ ...about, action: "client.create", requestId: "request", outcome: "ok" }]);
  const first = "(SELECT writer, at FROM audit_log WHERE sequence = 1) AS first_records";
  expect(await untimely(first, "writer", "at")).toEqual({ rows: 1, untimely: 0 });
});
