// Use cases over stores, by the clock of the test's host, as after a roll-out.
import { createDomain, type Domain, type DomainOptions } from "../../src/process/core.ts";
import type { Stores } from "../../src/store/stores.ts";

/** What the service gives to use cases, and what a test sets otherwise. */
export function testDomain(stores: Stores, options: Partial<DomainOptions> = {}): Domain {
  return createDomain({
    stores,
    reportDefect: () => undefined,
    clock: Date.now,
    isRolledOut: () => true,
    ...options,
  });
}
