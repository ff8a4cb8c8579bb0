// Use cases over stores, by the clock of the test's host, as after a roll-out.
import { createDomain, type Domain, type DomainOptions } from "../../src/process/core.ts";
import type { Stores } from "../../src/store/stores.ts";
import { trustedClockAt } from "./trusted-clock.ts";

/** What the service gives to use cases, and what a test sets otherwise. */
export function testDomain(stores: Stores, options: Partial<DomainOptions> = {}): Domain {
  const { clock = Date.now } = options;
  return createDomain({
    stores,
    reportDefect: () => undefined,
    clock,
    trustedClock: trustedClockAt(clock),
    ...options,
  });
}
