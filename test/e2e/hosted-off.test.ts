// What a core does that has a gateway of its own and no PUBLIC_URL, over every transport.
import { afterAll, beforeAll, describe, test } from "vitest";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import { fetchToken, startTestApp, startTestGateway, type TestApp, type TestGateway } from "../support/app.ts";
import { answerChecker, fetchOpenApi } from "../support/openapi.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../support/transports/rpc-transport.ts";
import type { Transport } from "../support/transports/transports.ts";
import type { World } from "./cases/case.ts";
import { hostedOffCases } from "./cases/hosted-off.ts";

let core: TestApp;
let gateway: TestGateway;
let checkAnswer: ReturnType<typeof answerChecker>;
let callers: Pick<World, "alice" | "bob">;
beforeAll(async () => {
  core = await startTestApp({}, "core");
  gateway = await startTestGateway(core);
  checkAnswer = answerChecker(await fetchOpenApi(gateway.httpUrl));
  const addCaller = async () => {
    const client = await core.addClient(await core.addPartner(), partnerScopes);
    return { token: await fetchToken(gateway.httpUrl, client) };
  };
  callers = { alice: await addCaller(), bob: await addCaller() };
});
afterAll(async () => {
  await gateway.stop();
  await core.stop();
});

describe.each<[string, () => Transport]>([
  ["REST", () => restTransport(gateway.httpUrl, checkAnswer)],
  ["gRPC", () => grpcTransport(core.grpcAddress)],
  ["Connect with JSON", () => connectTransport(core.httpUrl, false)],
  ["Connect with binary messages", () => connectTransport(core.httpUrl, true)],
])("over %s", (_name, open) => {
  let transport: Transport;
  beforeAll(() => {
    transport = open();
  });
  afterAll(() => transport.close());

  for (const { name, run } of hostedOffCases) test(name, () => run({ app: core, transport, ...callers }));
});
