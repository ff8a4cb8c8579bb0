// A key that signs completions has leaked: the command of the runbook makes the one that replaces it.
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { HostedService } from "../../../src/gen/assessment/v1/hosted_service_pb.ts";
import { processOfTest } from "../../support/of-test.ts";
import { bearer } from "../../support/transports/grpc-client.ts";
import { commandsOf } from "../support/incidents/runbook.ts";
import { openHostedDay } from "../support/incidents/service.ts";

const rpcs = HostedService.method;

test("once the service runs with a new key, no partner accepts the signatures of a leaked one of the database", async () => {
  const { app, partner, operator, client } = await openHostedDay();
  const { sessionId, hostedUrl } = await partner.createHosted();
  const linkToken = hostedUrl.split("/").at(-1) ?? "";
  const { browserSessionToken } = await client.unary(rpcs.exchangeLink, { linkToken });
  await partner.record(sessionId, 1, 152);
  const { returnUrl } = await client.unary(rpcs.finishHostedSession, { sessionId }, bearer(browserSessionToken));
  const before = new URL(returnUrl).searchParams.get("completion") ?? "";
  expect((await jwtVerify(before, createLocalJWKSet(await keysOf(app.httpUrl)))).payload.sessionId).toBe(sessionId);

  const [make = ""] = commandsOf("The signing key has leaked");
  const restarted = await processOfTest(app.database.address, { SIGNING_KEY: await operator.follow(make) });
  const keys = await keysOf(restarted.httpUrl);
  expect(keys.keys).toHaveLength(1);
  await expect(jwtVerify(before, createLocalJWKSet(keys))).rejects.toThrow("no applicable key");
});

async function keysOf(httpUrl: string): Promise<JSONWebKeySet> {
  return (await fetch(`${httpUrl}/.well-known/jwks.json`)).json() as Promise<JSONWebKeySet>;
}
