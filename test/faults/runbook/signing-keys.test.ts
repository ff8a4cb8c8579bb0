// Keys that sign completions, due or leaked: the commands of the runbook, with the minute that they promise.
import { createPrivateKey } from "node:crypto";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { HostedService } from "../../../src/gen/assessment/v1/hosted_service_pb.ts";
import type { startWithPeople } from "../../services/service-with-people.ts";
import { bearer } from "../../support/transports/grpc-client.ts";
import { commandsOf, linesOf } from "../support/incidents/runbook.ts";
import { openHostedDay } from "../support/incidents/service.ts";

const hosted = HostedService.method;

test("rotating a key of completion tokens publishes the new one first, while the old one signs, and SIGNING_KEY can replace it", async () => {
  const { app, partner, operator, client } = await openHostedDay();
  const [, rotate = "", make = ""] = commandsOf("Rotation of secrets");
  const before = await completionOf({ partner, client });
  const [{ keyId }] = linesOf(await operator.follow(rotate));
  await expect.poll(async () => (await keysOf(app.httpUrl)).keys.map(({ kid }) => kid)).toContain(keyId);
  const keys = createLocalJWKSet(await keysOf(app.httpUrl));
  for (const token of [before, await completionOf({ partner, client })]) {
    expect((await jwtVerify(token, keys)).protectedHeader.kid).not.toBe(keyId);
  }
  const made = createPrivateKey(await operator.follow(make)).export({ format: "der", type: "pkcs8" });
  expect(readConfig({ SIGNING_KEY: made.toString("base64") }).SIGNING_KEY).toHaveLength(1);
});

test("no partner accepts the signatures of a leaked signing key, within a minute and everywhere", async () => {
  const { app, partner, operator, client } = await openHostedDay();
  const [revoke = ""] = commandsOf("The signing key has leaked");
  const before = await completionOf({ partner, client });
  const [{ keyId }] = linesOf(await operator.follow(revoke));
  await expect.poll(async () => (await keysOf(app.httpUrl)).keys.map(({ kid }) => kid)).toEqual([keyId]);
  const keys = createLocalJWKSet(await keysOf(app.httpUrl));
  await expect(jwtVerify(before, keys)).rejects.toThrow("no applicable key");
  const after = await completionOf({ partner, client });
  expect((await jwtVerify(after, keys)).protectedHeader.kid).toBe(keyId);
});

async function keysOf(httpUrl: string): Promise<JSONWebKeySet> {
  return (await fetch(`${httpUrl}/.well-known/jwks.json`)).json() as Promise<JSONWebKeySet>;
}

type People = Pick<Awaited<ReturnType<typeof startWithPeople>>, "partner" | "client">;

/** The completion token of a person who finishes a hosted session. */
async function completionOf({ partner, client }: People): Promise<string> {
  const { sessionId, hostedUrl } = await partner.createHosted();
  const linkToken = hostedUrl.split("/").at(-1) ?? "";
  const { browserSessionToken } = await client.unary(hosted.exchangeLink, { linkToken });
  await partner.record(sessionId, 1, 152);
  const { returnUrl } = await client.unary(hosted.finishHostedSession, { sessionId }, bearer(browserSessionToken));
  return new URL(returnUrl).searchParams.get("completion") ?? "";
}
