// Sessions of test twins whose time is over by the clock of their twin.

import type { TrustedClock } from "../../domain/trusted-clock.ts";
import type { Clock, Paging } from "../../kernel/environment.ts";
import type { TestClock, TestClockStore } from "../../store/sandbox/test-clock-store.ts";

interface ExpiryDeps {
  readonly testClocks: TestClockStore;
  /** The time of everybody. */
  readonly clock: Clock;
}

/** Clocks that one statement lists. */
const page = 100;
/** Sessions of one twin that one run notes, at most; the next run goes on. */
const mostOfRun = 5_000;

/**
 * Notes of sessions of all twins whose clock is ahead that they have expired. @returns how many. Throws `ClockDoubted`:
 * who moves a twin's clock does not vouch for what that is ahead of.
 */
export async function expireByTestClocks(
  {
    testClocks,
    trustedClock,
    mostAtOnce = page,
  }: Omit<ExpiryDeps, "clock"> & Paging & { readonly trustedClock: TrustedClock },
  signal: AbortSignal,
): Promise<number> {
  let expired = 0;
  let after = "";
  while (!signal.aborted) {
    const now = trustedClock.now().getTime();
    const deps = { testClocks, clock: () => now };
    const clocks = await testClocks.listTestClocks(after, mostAtOnce, signal);
    for (const clock of clocks) expired += await noteExpired(deps, clock, mostOfRun, signal);
    after = clocks.at(-1)?.partnerId ?? "";
    if (clocks.length < mostAtOnce) break;
  }
  return expired;
}

/** Notes of sessions of one twin that they have expired. @param most sessions to look at @returns how many */
export async function noteExpired(
  { testClocks, clock }: ExpiryDeps,
  twin: TestClock,
  most: number,
  signal: AbortSignal,
): Promise<number> {
  const now = new Date(clock() + twin.aheadMs);
  const due = await testClocks.listExpiredByTestClock(twin, now, most, signal);
  let expired = 0;
  for (const id of due) expired += (await testClocks.saveExpiryByTestClock(twin, id, now, signal)) ? 1 : 0;
  // Those that were left are found again: they are still due.
  if (due.length < most) await testClocks.saveExpiredThrough(twin, now, signal);
  return expired;
}
