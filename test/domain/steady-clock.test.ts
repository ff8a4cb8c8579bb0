// A clock that never goes back, whatever happens to the system's.
import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type Clock, steadyClock } from "../../src/domain/environment.ts";
import { hashSecret, newSecret } from "../../src/domain/identity/secrets.ts";
import { TokenResolver } from "../../src/domain/identity/tokens.ts";
import type { AccessToken } from "../../src/domain/ports/identities.ts";
import { someClient } from "../support/builders.ts";

const start = Date.UTC(2026, 10, 20);
const hour = 3_600_000;

/** A steady clock over a system clock that the test sets, while time passes as the test says. */
function newClock() {
  let system = start;
  let elapsed = 5.25;
  const clock = steadyClock(
    () => system,
    () => elapsed,
  );
  const pass = (ms: number) => {
    system += ms;
    elapsed += ms;
  };
  const setBy = (ms: number) => {
    system += ms;
  };
  return { clock, pass, setBy };
}

test("it tells whole milliseconds of the system's time", () => {
  const { clock, pass } = newClock();
  expect(clock()).toBe(start);
  pass(1500);
  expect(clock()).toBe(start + 1500);
});

test("where the system's clock is set back it goes on, and where that is set forward it follows", () => {
  const { clock, pass, setBy } = newClock();
  clock();
  setBy(-hour);
  expect(clock()).toBe(start);
  pass(2000);
  expect(clock()).toBe(start + 2000);
  setBy(3 * hour);
  expect(clock()).toBe(start + 2 * hour + 2000);
});

test("it is never before what it told, through steps of all sizes", () => {
  const { clock, pass, setBy } = newClock();
  let last = clock();
  for (const step of [-1, 1, -3, hour, -hour, -24 * hour, 7, -2, 25 * hour, -1]) {
    setBy(step);
    pass(0.4);
    expect(clock()).toBeGreaterThanOrEqual(last);
    last = clock();
  }
});

/** A resolver by this clock, and a token with an hour to live. */
function newResolver(clock: Clock) {
  const client = someClient({ scopes: ["sessions:read"] });
  const token = newSecret("accessToken", randomBytes);
  const expiresAt = new Date(clock() + hour);
  const entry: AccessToken = { hash: hashSecret(token), clientId: client.id, scopes: ["sessions:read"], expiresAt };
  const state = { isRevoked: false };
  const findToken = async () => (state.isRevoked ? undefined : { token: entry, client });
  return { token, state, resolver: new TokenResolver({ findToken }, clock) };
}

test("a system clock that is set back does not prolong the life of a token", async () => {
  const { clock, pass, setBy } = newClock();
  const { token, resolver } = newResolver(clock);
  expect(await resolver.resolve(token)).toBeDefined();
  setBy(-24 * hour);
  pass(hour);
  expect(await resolver.resolve(token)).toBeUndefined();
});

test("a system clock that is set back does not prolong the 30 seconds of a token that was revoked elsewhere", async () => {
  const { clock, pass, setBy } = newClock();
  const { token, resolver, state } = newResolver(clock);
  expect(await resolver.resolve(token)).toBeDefined();
  state.isRevoked = true;
  setBy(-24 * hour);
  pass(30_001);
  expect(await resolver.resolve(token)).toBeUndefined();
});
