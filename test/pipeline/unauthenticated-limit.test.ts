// Behind one address are many: what one of them makes up keeps no other out.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { newSecret } from "../../src/domain/identity/secrets.ts";
import { RateLimit } from "../../src/kernel/limits/rate-limit.ts";
import { resolveToken, TokenResolver } from "../../src/pipeline/auth/token.ts";
import { UnauthenticatedLimit } from "../../src/pipeline/limits/unauthenticated-limit.ts";

const address = "203.0.113.1";
const quota = { requests: 2, seconds: 60 };
const limited = expect.objectContaining({ code: "rate_limited" });

test("texts that fail their checksum are counted by network, tokens never are, whether or not anybody issued them", () => {
  const limit = new UnauthenticatedLimit(quota, () => 0);
  const madeUp = (token: string) => limit.isMadeUp(address, "accessToken", token);
  for (let count = 0; count < 2; count += 1) expect(madeUp("nonsense")).toBe(true);
  for (let count = 0; count < 5; count += 1) expect(madeUp(newSecret("accessToken", randomBytes))).toBe(false);
  expect(() => madeUp("nonsense")).toThrow(limited);
  expect(madeUp(newSecret("accessToken", randomBytes))).toBe(false);
});

test("a token that was good before takes turns with others of its network", () => {
  const limit = new UnauthenticatedLimit(quota, () => 0);
  limit.markValid("good");
  expect(limit.toCaller(address, "good")).toEqual({ partner: address, client: "good" });
  expect(limit.toCaller(address, "nonsense")).toEqual({ partner: address, client: address });
});

test("a partner's token still works behind a refused address when it has to be looked up again after half a minute", async () => {
  let now = 1_000;
  const found = {
    token: { hash: Buffer.alloc(32), clientId: "client", scopes: [], expiresAt: new Date(3_600_000) },
    client: { id: "client", partnerId: "partner", label: "", scopes: [], disabledAt: null },
  };
  const findToken = async () => found as never;
  const resolver = new TokenResolver({ findToken }, { clock: () => now, monotonic: () => now });
  const limit = new RateLimit(quota, () => now);
  const unauthenticatedCallers = new UnauthenticatedLimit(quota, () => now);
  const deps = {
    resolver,
    identities: { findPartner: async () => undefined },
    limits: { partners: limit, clients: limit, unauthenticatedCallers, tokenRequests: limit, hostedSessions: limit },
  };
  const token = newSecret("accessToken", randomBytes);
  const deadline = { signal: new AbortController().signal, at: Number.POSITIVE_INFINITY };
  const resolve = (given: string) => resolveToken(deps, { token: given, address }, (lookUp) => lookUp(deadline));
  expect((await resolve(token)).clientId).toBe("client");
  for (let count = 0; count < 2; count += 1) await expect(resolve("nonsense")).rejects.toThrow();
  now = 32_000;
  expect(resolver.findCached(token)).toBeUndefined();
  expect((await resolve(token)).clientId).toBe("client");
  await expect(resolve("nonsense")).rejects.toEqual(limited);
});
