// pas partner clock …: the clock of a test twin.
import { recordAct } from "../../domain/audit/acts.ts";
import { getPartner } from "../../domain/identity/partners.ts";
import { getTestClock, setTestClock } from "../../domain/sandbox/test-clock.ts";
import type { CommandContext } from "../command.ts";
import { withDomain } from "../database.ts";
import { unlessKnown } from "../faults.ts";

export interface TestClockOptions {
  /** What it shall say. */
  readonly now?: Date;
  /** Whether it goes back to the time of everybody. */
  readonly real?: true;
}

/** Prints the clock of a test twin, moved before if the options say so. */
export async function showTestClock(context: CommandContext, id: string, options: TestClockOptions): Promise<void> {
  const { now = null, real = false } = options;
  const view = await withDomain(context, async (domain, deadline) => {
    const { id: partnerId } = await getPartner(domain, id, deadline);
    if (now === null && !real) return getTestClock(domain, partnerId, deadline);
    return recordAct(domain, { action: "test_clock.set", partnerId }, () =>
      setTestClock(domain, partnerId, real ? null : now, deadline),
    );
  }).catch(unlessKnown("partner"));
  context.print({ partnerId: id, now: view.now, aheadSeconds: Math.round(view.aheadMs / 1000) });
}
