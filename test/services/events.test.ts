// The feed over gRPC: the one of all partners, and what calls that wait cost others: nothing.

import { ConnectError } from "@connectrpc/connect";
import { expect, onTestFinished, test } from "vitest";
import { EventService } from "../../src/gen/assessment/v1/event_service_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { ErrorInfoSchema } from "../../src/gen/google/rpc/error_details_pb.ts";
import { addCaller, addOperator, addTwinCaller, startTestApp, type TestApp } from "../support/app.ts";
import { callsInFlight } from "../support/measures/series.ts";
import { appOfFile, clientOfFile } from "../support/of-file.ts";
import { appOfTest } from "../support/of-test.ts";
import { bearer, GrpcClient } from "../support/transports/grpc-client.ts";

const { listEvents, listAllEvents } = EventService.method;
const { createSession } = SessionService.method;
const product = "values-bridge";

const app = await appOfFile({ EVENT_INTERVAL_MS: "20" });
const client = clientOfFile(app);

test("the events of all partners have none of a test twin", async () => {
  const reader = await addOperator(app, "events:read-all");
  const { next } = await client.unary(listAllEvents, { after: "now" }, reader);
  const { token, partnerId } = await addCaller(app);
  const twin = await addTwinCaller(app, partnerId);
  const twinSession = await client.unary(createSession, { product }, bearer(twin.token));
  const { sessionId } = await client.unary(createSession, { product }, bearer(token));
  const own = await client.unary(listEvents, { waitSeconds: 5 }, bearer(twin.token));
  expect(own.events.map(({ data }) => data?.sessionId)).toEqual([twinSession.sessionId]);
  const seen: (string | undefined)[] = [];
  for (let after = next; seen.length === 0; ) {
    const page = await client.unary(listAllEvents, { after, waitSeconds: 5 }, reader);
    seen.push(...page.events.map(({ event }) => event?.data?.sessionId));
    after = page.next;
  }
  expect(seen).toEqual([sessionId]);
});

test("external ids of all partners need the scope to read sessions as well", async () => {
  const without = await addOperator(app, "events:read-all");
  const call = client.unary(listAllEvents, { includeExternalId: true }, without);
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof ConnectError)) throw error;
  expect(error.findDetails(ErrorInfoSchema)[0]?.metadata).toEqual({ scope: "sessions:read" });
  const both = await addOperator(app, "events:read-all", "sessions:read");
  const { token } = await addCaller(app);
  await client.unary(createSession, { product, subject: { externalId: "Ada" } }, bearer(token));
  const names: (string | undefined)[] = [];
  let after = "";
  while (!names.includes("Ada")) {
    const page = await client.unary(listAllEvents, { after, includeExternalId: true, waitSeconds: 5 }, both);
    names.push(...page.events.map(({ event }) => event?.data?.externalId));
    after = page.next;
  }
});

test("waiting calls hold no slot, and get one again when they resume", async () => {
  const small = await appOfTest({ MAX_CONCURRENT_CALLS: "2", EVENT_INTERVAL_MS: "20" });
  using grpc = new GrpcClient(small.grpcAddress);
  const { token } = await addCaller(small);
  const waiting: Promise<{ events: unknown[] }>[] = [];
  for (let count = 1; count <= 8; count += 1) {
    waiting.push(grpc.unary(listEvents, { waitSeconds: 20 }, bearer(token)));
    await expect.poll(() => waitersOf(small)).toBe(count);
  }
  await grpc.unary(createSession, { product }, bearer(token));
  for (const { events } of await Promise.all(waiting)) expect(events.length).toBeGreaterThan(0);
  const text = await (await fetch(`${small.httpUrl}/metrics`)).text();
  expect(text).toContain('pas_calls_in_flight{state="running"} 0');
});

test("stopping the service ends every wait at once", async () => {
  const stopped = await startTestApp();
  onTestFinished(() => stopped.database.drop());
  using grpc = new GrpcClient(stopped.grpcAddress);
  const { token } = await addCaller(stopped);
  const rest = fetch(`${stopped.httpUrl}/v1/events?wait=20`, { headers: { authorization: `Bearer ${token}` } });
  const waiting = grpc.unary(listEvents, { waitSeconds: 20 }, bearer(token));
  // Both have looked, and wait.
  await expect.poll(() => waitersOf(stopped)).toBe(2);
  await stopped.stopService();
  // Calls that still ran after ten seconds would be cut off.
  expect(await waiting).toMatchObject({ events: [], atEnd: true });
  expect(await (await rest).json()).toEqual({ events: [], next: "0", atEnd: true });
});

const waitersOf = ({ httpUrl }: TestApp) => callsInFlight(httpUrl, "idle");

test("metrics count the events that came into the log, and how long that took", async () => {
  const { token } = await addCaller(app);
  const count = async () => {
    const text = await (await fetch(`${app.httpUrl}/metrics`)).text();
    const read = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
    return [read('pas_sessions_total\\{mode="headless",event="created"\\}'), read("pas_event_lag_seconds_count")];
  };
  const [created = 0, measured = 0] = await count();
  await client.unary(createSession, { product }, bearer(token));
  await expect.poll(async () => (await count())[0]).toBeGreaterThan(created);
  expect((await count())[1]).toBeGreaterThan(measured);
});
