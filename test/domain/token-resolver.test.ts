// A token is resolved by the store once in 30 seconds at most.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createSecret, hashSecret } from "../../src/domain/identity/secrets.ts";
import { TokenResolver } from "../../src/pipeline/auth/token.ts";
import type { AccessToken, Client, IdentityStore } from "../../src/store/identity/identity-store.ts";
import { someClient } from "../support/builders.ts";
import { deadline } from "../support/deadline.ts";

const start = Date.UTC(2026, 10, 20);
const hour = 3_600_000;

/** A resolver over tokens in memory, with a clock that only the test moves and a count of the look-ups. */
function newResolver() {
  const stored = new Map<string, { token: AccessToken; client: Client }>();
  const state = { now: start, lookups: 0, failure: undefined as Error | undefined };
  const findToken: IdentityStore["findToken"] = async (hash) => {
    state.lookups += 1;
    if (state.failure !== undefined) throw state.failure;
    return stored.get(Buffer.from(hash).toString("hex"));
  };
  const store = (changes: Partial<AccessToken> = {}) => {
    const [token, client] = [createSecret("accessToken", randomBytes), someClient()];
    const hash = hashSecret(token);
    const entry = { hash, clientId: client.id, scopes: [], expiresAt: new Date(start + hour), ...changes };
    stored.set(hash.toString("hex"), { token: entry, client });
    return { token, client };
  };
  const remove = (token: string) => stored.delete(hashSecret(token).toString("hex"));
  const resolver = new TokenResolver({ findToken }, { clock: () => state.now, monotonic: () => state.now });
  const resolve = (token: string) => resolver.resolve(token, (lookUp) => lookUp(deadline));
  return { resolver, resolve, state, store, remove };
}

test("a token is looked up once in 30 seconds, and again after them", async () => {
  const { resolve, state, store } = newResolver();
  const { token } = store();
  const owner = await resolve(token);
  state.now += 30_000;
  expect(await resolve(token)).toEqual(owner);
  expect(state.lookups).toBe(1);
  state.now += 1;
  expect(await resolve(token)).toEqual(owner);
  expect(state.lookups).toBe(2);
});

test("using a token does not prolong the 30 seconds: a token revoked elsewhere ends within them", async () => {
  const { resolve, state, store, remove } = newResolver();
  const { token } = store();
  await resolve(token);
  remove(token);
  for (let count = 0; count < 3; count += 1) {
    state.now += 10_000;
    expect(await resolve(token)).toBeDefined();
  }
  state.now += 1;
  expect(await resolve(token)).toBeUndefined();
});

test("an unknown token is remembered as such for 30 seconds", async () => {
  const { resolve, state } = newResolver();
  const token = createSecret("accessToken", randomBytes);
  expect(await resolve(token)).toBeUndefined();
  state.now += 30_000;
  expect(await resolve(token)).toBeUndefined();
  expect(state.lookups).toBe(1);
  state.now += 1;
  expect(await resolve(token)).toBeUndefined();
  expect(state.lookups).toBe(2);
});

test("a text that cannot be a token, a client secret included, is refused without a look-up", async () => {
  const { resolve, state, store } = newResolver();
  const { token } = store();
  for (const text of ["", "x", `${token}0`, token.toUpperCase(), createSecret("clientSecret", randomBytes)]) {
    expect(await resolve(text)).toBeUndefined();
  }
  expect(state.lookups).toBe(0);
});

test("a token that is remembered ends at its own time, to the millisecond", async () => {
  const { resolve, state, store } = newResolver();
  const { token } = store({ expiresAt: new Date(start + 1000) });
  await resolve(token);
  state.now = start + 999;
  expect(await resolve(token)).toBeDefined();
  state.now = start + 1000;
  expect(await resolve(token)).toBeUndefined();
  expect(state.lookups).toBe(1);
});

test("a forgotten token is looked up by its next use, and only that one", async () => {
  const { resolver, resolve, state, store, remove } = newResolver();
  const [revoked, other] = [store(), store()];
  for (const { token } of [revoked, other]) await resolve(token);
  remove(revoked.token);
  resolver.forget(revoked.token);
  expect(await resolve(revoked.token)).toBeUndefined();
  expect(await resolve(other.token)).toBeDefined();
  expect(state.lookups).toBe(3);
});

test("a token that is forgotten while it is looked up is looked up again", async () => {
  const { resolver, resolve, state, store, remove } = newResolver();
  const { token } = store();
  const early = resolve(token);
  remove(token);
  resolver.forget(token);
  await early;
  expect(await resolve(token)).toBeUndefined();
  expect(state.lookups).toBe(2);
});

test("concurrent uses of a token share one look-up, and each token has its own", async () => {
  const { resolve, state, store } = newResolver();
  const [one, other] = [store(), store()];
  const owners = await Promise.all([one, one, other, one].map(({ token }) => resolve(token)));
  expect(owners.map((owner) => owner?.clientId)).toEqual([one, one, other, one].map(({ client }) => client.id));
  expect(state.lookups).toBe(2);
});

test("a failed look-up reaches all who wait for it, and is not remembered", async () => {
  const { resolve, state, store } = newResolver();
  const { token } = store();
  state.failure = new Error("the database is away");
  const uses = await Promise.allSettled([resolve(token), resolve(token)]);
  expect(uses).toEqual(Array(2).fill({ status: "rejected", reason: state.failure }));
  expect(state.lookups).toBe(1);
  state.failure = undefined;
  expect(await resolve(token)).toBeDefined();
  expect(state.lookups).toBe(2);
});

test("a token that was looked up is known without asking again, and one that is forgotten meanwhile is not", async () => {
  const { resolver, resolve, store } = newResolver();
  const { token } = store();
  expect(resolver.findCached(token)).toBeUndefined();
  const owner = await resolve(token);
  expect(owner).toBeDefined();
  expect(resolver.findCached(token)).toEqual(owner);
  resolver.forget(token);
  const again = resolve(token);
  resolver.forget(token);
  expect(await again).toEqual(owner);
  expect(resolver.findCached(token)).toBeUndefined();
});

test("the 30 seconds of a token begin with its look-up, however long that takes", async () => {
  const { resolve, state, store } = newResolver();
  const { token } = store();
  const looking = resolve(token);
  state.now += 20_000;
  await looking;
  state.now += 10_001;
  await resolve(token);
  expect(state.lookups).toBe(2);
});
