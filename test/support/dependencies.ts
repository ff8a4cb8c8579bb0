// Use cases over stores, by the clock of the test's host, as after a roll-out.
import { Database } from "../../src/database/database.ts";
import { wholeLog } from "../../src/domain/events/event-cursor.ts";
import type { Clock } from "../../src/kernel/environment.ts";
import { createDependencies, type ServiceEnvironment } from "../../src/services/dependencies.ts";
import { createStores, type Stores } from "../../src/store/stores.ts";
import { deadline } from "./deadline.ts";
import { valuesBridge } from "./values-bridge/opened.ts";

/** What the service gives to use cases, and what a test sets otherwise. */
export function testDependencies(stores: Stores, options: Partial<ServiceEnvironment> = {}) {
  const environment = {
    shards: () => [{ ...stores, name: wholeLog }],
    reportDefect: () => undefined,
    clock: Date.now,
    clockFault: () => undefined,
    ...options,
  };
  return { ...createDependencies(stores, environment, valuesBridge), pagesUrl: () => "https://pages.example" };
}

/** A call without a deadline. @param now the time of the partner's sessions */
export function someCall(partnerId: string, now: Clock = Date.now) {
  return {
    ...{ partnerId, ...deadline, now, aheadMs: 0 },
    ...{ clientId: "client", scopes: new Set(["sessions:read"] as const) },
    waitOutside: <T>(_reason: string, work: () => Promise<T>) => work(),
  };
}

/** Stores of a database that there is none of: whatever asks them fails. */
export function storesOfNothing(): Stores {
  const address = { url: "mysql://nobody@127.0.0.1:1/nothing" };
  return createStores(new Database({ address, poolSize: 1, warn: () => undefined }));
}
