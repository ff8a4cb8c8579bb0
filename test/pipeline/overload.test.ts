// A client whose calls hang in the database: it is refused what is too much, and others are served meanwhile. A token
// that has to be looked up costs one place, however many calls come with it.
import { describe, expect, test } from "vitest";
import { answer, bodyOf } from "../e2e/cases/case.ts";
import { addCaller } from "../support/app.ts";
import { callsInFlight, sumOf } from "../support/measures/series.ts";
import { appOfFile } from "../support/of-file.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { callConnect, connectTransport, grpcTransport } from "../support/transports/rpc-transport.ts";
import type { Transport } from "../support/transports/transports.ts";
import { startReceiver } from "../support/webhooks/receiver.ts";
import { sequenceEvents } from "../support/webhooks/sequencing.ts";

const perClient = 2;
const flood = 15;

const app = await appOfFile({
  DATABASE_POOL_SIZE: String(perClient + 1),
  MAX_CONCURRENT_CALLS: String(2 * perClient),
  MAX_CONCURRENT_CALLS_PER_CLIENT: String(perClient),
});

const transports: readonly { readonly name: string; readonly open: () => Transport }[] = [
  { name: "REST", open: () => restTransport(app.httpUrl) },
  { name: "gRPC", open: () => grpcTransport(app.grpcAddress) },
  { name: "Connect", open: () => connectTransport(app.httpUrl, true) },
];

/** Sessions of the caller whose rows are held until the end of the returned function. */
async function heldSessions(transport: Transport, token: string, count: number) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push(bodyOf(await transport.createSession({ token }, {})).sessionId);
  const { connection } = app.database;
  // Whoever announces these sessions locks them in another order.
  await sequenceEvents(app.database);
  await connection.query("BEGIN");
  await connection.query("SELECT id FROM sessions FOR UPDATE");
  return { ids, release: () => connection.query("COMMIT") };
}

describe.each(transports)("over $name", ({ open }) => {
  test("hanging calls of one client beyond its slots are refused with Retry-After, while another client is served", async () => {
    const transport = open();
    const { token } = await addCaller(app);
    const other = await addCaller(app);
    const elsewhere = bodyOf(await transport.createSession({ token: other.token }, {})).sessionId;
    const { ids, release } = await heldSessions(transport, token, flood);
    const refusals = () => sumOf(app.httpUrl, "pas_admission_refused_total");
    const refusedBefore = await refusals();
    const calls = ids.map((id) => transport.recordAnswers({ token }, id, { answers: [answer(1001, 4)] }));
    const ended: string[] = [];
    const refusal = new Promise<void>((resolve) => {
      for (const call of calls) {
        void call.then((outcome) => {
          ended.push(outcome.ok ? "ok" : outcome.code);
          if (ended.length === flood - perClient) resolve();
        });
      }
    });
    await refusal;
    expect(new Set(ended)).toEqual(new Set(["rate_limited", "unavailable"]));
    expect(bodyOf(await transport.getSession({ token: other.token }, elsewhere)).status).toBe("in_progress");
    expect(ended).toHaveLength(flood - perClient);
    expect((await refusals()) - refusedBefore).toBe(flood - perClient);
    expect(await sumOf(app.httpUrl, "pas_calls_in_flight", 'state="running"')).toBe(perClient);
    await release();
    const outcomes = await Promise.all(calls);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(perClient);
    const delays = outcomes.map((outcome) => (outcome.ok ? 1 : outcome.retryAfterSeconds));
    expect(new Set(delays)).toEqual(new Set([1]));
    transport.close();
  });

  test("calls that fail or time out free their slots", async () => {
    const transport = open();
    const { token } = await addCaller(app);
    for (let count = 0; count < 3 * perClient; count += 1) {
      expect(await transport.getSession({ token }, crypto.randomUUID())).toMatchObject({ code: "not_found" });
      expect(await transport.recordAnswers({ token }, "none", { answers: [] })).toMatchObject({ ok: false });
      expect(await transport.getSession({ token: "nonsense" }, "none")).toMatchObject({ code: "unauthenticated" });
    }
    const { ids, release } = await heldSessions(transport, token, perClient);
    const late = ids.map((id) => recordInLittleTime(token, id));
    expect(await Promise.all(late)).toEqual(ids.map(() => "deadline_exceeded"));
    await expect.poll(() => callsInFlight(app.httpUrl, "running")).toBe(0);
    await release();
    expect(await callsInFlight(app.httpUrl, "waiting")).toBe(0);
    const [firstId = ""] = ids;
    expect(bodyOf(await transport.recordAnswers({ token }, firstId, { answers: [answer(1001, 4)] })).recorded).toBe(1);
    transport.close();
  });
});

test.each(transports)(
  "calls over $name whose token is being looked up wait for one look-up, in one place",
  async ({ open }) => {
    const transport = open();
    const { token } = await addCaller(app, ["results:read"]);
    const { connection } = app.database;
    await connection.query("LOCK TABLES access_tokens WRITE");
    const calls = Array.from({ length: flood }, () => transport.recordAnswers({ token }, "none", { answers: [] }));
    const inFlight = async () => [
      await callsInFlight(app.httpUrl, "running"),
      await callsInFlight(app.httpUrl, "waiting"),
    ];
    await expect.poll(inFlight).toEqual([1, 0]);
    await connection.query("UNLOCK TABLES");
    const outcomes = await Promise.all(calls);
    expect(new Set(outcomes.map((outcome) => (outcome.ok ? "ok" : outcome.code)))).toEqual(
      new Set(["permission_denied"]),
    );
    transport.close();
  },
);

test("partners that test endpoints which do not answer hold no slots meanwhile", async () => {
  const transport = restTransport(app.httpUrl);
  const receiver = await startReceiver(() => undefined);
  const testing = [];
  for (let index = 0; index < 2 * perClient; index += 1) {
    const as = { token: (await addCaller(app)).token };
    const input = { url: `${receiver.url}/${index}`, types: ["session.completed"] };
    const created = await transport.createWebhookEndpoint(as, input);
    const { endpointId } = bodyOf(created).endpoint;
    testing.push(transport.testWebhookEndpoint(as, endpointId));
  }
  await expect.poll(() => receiver.received.length).toBe(testing.length);
  expect(await callsInFlight(app.httpUrl, "running")).toBe(0);
  expect(await callsInFlight(app.httpUrl, "idle")).toBe(testing.length);
  expect(await transport.createSession({ token: (await addCaller(app)).token }, {})).toMatchObject({ ok: true });
  receiver.stop();
  const outcomes = await Promise.all(testing);
  expect(outcomes.map((outcome) => bodyOf(outcome).outcome)).toEqual(testing.map(() => "failed"));
  transport.close();
});

/** Records an answer with a deadline that is soon over; tells the code of the error. */
async function recordInLittleTime(token: string, sessionId: string): Promise<string | undefined> {
  const answers = [{ questionId: 1001, response: { type: "QUESTION_TYPE_LIKERT", value: 4 } }];
  const message = { product: "values-bridge", sessionId, answers };
  const headers = { authorization: `Bearer ${token}`, "connect-timeout-ms": "300" };
  return (await callConnect<{ code?: string }>(app.httpUrl, "SessionService/RecordAnswers", message, headers)).code;
}
