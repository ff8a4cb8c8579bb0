// What a core does that has a gateway of its own and no PUBLIC_URL, over every transport.

import { afterAll, describe, test } from "vitest";
import { partnerScopes } from "../../src/domain/identity/scopes.ts";
import { fetchToken } from "../support/app.ts";
import { appOfFile, gatewayOfFile } from "../support/of-file.ts";
import { answerChecker, fetchOpenApi } from "../support/openapi.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { connectTransport, grpcTransport } from "../support/transports/rpc-transport.ts";
import type { Transport } from "../support/transports/transports.ts";
import { hostedOffCases } from "./cases/hosted-off.ts";

const core = await appOfFile({}, "core");
const gateway = await gatewayOfFile(core);
const checkAnswer = answerChecker(await fetchOpenApi(gateway.httpUrl));
const addCaller = async () => {
  const client = await core.addClient(await core.addPartner(), partnerScopes);
  return { token: await fetchToken(gateway.httpUrl, client) };
};
const callers = { alice: await addCaller(), bob: await addCaller() };

describe.each<[string, () => Transport]>([
  ["REST", () => restTransport(gateway.httpUrl, checkAnswer)],
  ["gRPC", () => grpcTransport(core.grpcAddress)],
  ["Connect with JSON", () => connectTransport(core.httpUrl, false)],
  ["Connect with binary messages", () => connectTransport(core.httpUrl, true)],
])("over %s", (_name, open) => {
  const transport = open();
  afterAll(() => transport.close());

  for (const [name, run] of Object.entries(hostedOffCases)) test(name, () => run({ app: core, transport, ...callers }));
});
