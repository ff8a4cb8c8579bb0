// The order of the checks: what every call passes before it reaches the implementation.
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { createAdmission, pipelineInterceptors } from "../../src/core.ts";
import { TokenResolver } from "../../src/domain/identity/tokens.ts";
import { PacedAdmission } from "../../src/rpc/limits/paced-admission.ts";
import { RateLimit } from "../../src/rpc/limits/rate-limits.ts";
import { openTestStores } from "../support/stores.ts";

test("a caller is known and counted before its message is read, and holds no place until it was", async () => {
  const stores = await openTestStores();
  onTestFinished(() => stores.close());
  const limit = new RateLimit({ requests: 1, seconds: 60 }, () => 0);
  const names = pipelineInterceptors({
    ...stores,
    clock: () => 0,
    monotonic: () => 0,
    now: () => 0,
    observer: () => undefined,
    resolver: new TokenResolver(stores.identities, { clock: () => 0, monotonic: () => 0 }),
    limits: { clients: limit, addresses: limit, tokenRequests: limit, hostedSessions: limit },
    admission: new PacedAdmission(createAdmission(readConfig({}))),
  }).map(({ name }) => name);
  expect(names).toEqual([
    "observe",
    "trust-gateway",
    "authenticate",
    "check-admission",
    "read-message",
    "require-visited-session",
    "admit",
  ]);
});
