// What a core does that has a gateway of its own and no PUBLIC_URL, over every transport: it makes no address that leads
// elsewhere.
import { afterAll, describe, expect, test } from "vitest";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import { fetchToken } from "../support/databases/partners.ts";
import { countOf } from "../support/databases/stores.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";
import { answerChecker, fetchOpenApi } from "../support/openapi.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../support/transports/rpc-transport.ts";
import type { Transport } from "../support/transports/transports.ts";
import { answer, bodyOf, type Cases, completedSession, expectRefused, hostedMode, newSession } from "./cases/case.ts";

const core = await appOfFile({}, "core");
const gateway = await gatewayOfFile(core);
const checkAnswer = answerChecker(await fetchOpenApi(gateway.httpUrl));
const addCaller = async () => {
  const client = await core.addClient(await core.addPartner(), partnerScopes);
  return { token: await fetchToken(gateway.httpUrl, client) };
};
const callers = { alice: await addCaller(), bob: await addCaller() };

const countIn = (table: "sessions" | "report_links") =>
  countOf(core.database.connection, `SELECT COUNT(*) FROM ${table}`);

const cases: Cases = {
  "a hosted session is refused, also with a repeated key, and nothing is stored": async ({ transport, alice }) => {
    const before = await countIn("sessions");
    const as = { ...alice, idempotencyKey: crypto.randomUUID() };
    for (let times = 0; times < 2; times += 1)
      expectRefused(await transport.createSession(as, hostedMode), "hosted_off");
    expect(await countIn("sessions")).toBe(before);
  },
  "a new link of any session is refused, whether it has a mode for it or not": async (world) => {
    const { transport, alice } = world;
    for (const { sessionId } of [await newSession(world), await completedSession(world)])
      expectRefused(await transport.createSessionLink(alice, sessionId), "hosted_off");
  },
  "a link to a report is refused, and none is stored": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await completedSession(world);
    const before = await countIn("report_links");
    expectRefused(await transport.createReportLink(alice, sessionId), "hosted_off");
    expect(await countIn("report_links")).toBe(before);
  },
  "headless sessions and reports are as they are elsewhere": async (world) => {
    const { transport, alice } = world;
    const { sessionId } = await newSession(world);
    bodyOf(await transport.recordAnswers(alice, sessionId, { answers: [answer(1001, 4)] }));
    const scored = await completedSession(world);
    bodyOf(await transport.getReport(alice, { sessionId: scored.sessionId }));
  },
};

describe.each<[string, () => Transport]>([
  ["REST", () => restTransport(gateway.httpUrl, checkAnswer)],
  ["gRPC", () => grpcTransport(core.grpcAddress)],
  ["Connect with JSON", () => connectTransport(core.httpUrl, false)],
  ["Connect with binary messages", () => connectTransport(core.httpUrl, true)],
])("over %s", (_name, open) => {
  const transport = open();
  afterAll(() => transport.close());

  for (const [name, run] of Object.entries(cases)) test(name, () => run({ app: core, transport, ...callers }));
});
