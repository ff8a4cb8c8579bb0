// pas clock …: whether the clock of the database is trusted, and an operator's word that it is right.

import { clockFault } from "../database/readiness.ts";
import { recordAct } from "../domain/audit/acts.ts";
import { ClockDoubted, describeDoubt } from "../domain/trusted-clock.ts";
import { leastLead } from "../kernel/shared-clock.ts";
import { hostClocks } from "../process/shared.ts";
import type { CommandContext } from "./command.ts";
import { withDomain } from "./database.ts";

/** Prints what both clocks say, up to when the database's was found right, and what is in doubt. */
export async function showClock(context: CommandContext): Promise<void> {
  context.print(
    await withDomain(context, async ({ databaseClock, trustedClock }, { signal }) => {
      const doubt = await trustedClock.read(signal).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ClockDoubted) return error.doubt;
          throw error;
        },
      );
      const { reading, acceptedAt } = await databaseClock.readState(hostClocks.monotonic, signal);
      const hostTime = hostClocks.system();
      return {
        databaseTime: new Date(reading.time),
        hostTime: new Date(hostTime),
        hostAheadSeconds: leastLead(reading, hostTime) / 1000,
        acceptedAt,
        isTrusted: doubt === undefined,
        ...(doubt && { reason: doubt.reason, detail: describeDoubt(doubt) }),
      };
    }),
  );
}

/** Says that the database's clock is right. Throws if that of this host differs. */
export async function acceptClock(context: CommandContext): Promise<void> {
  context.print(
    await withDomain(context, async (domain, { signal }) => {
      const { databaseClock } = domain;
      const { reading, step } = await databaseClock.readState(hostClocks.monotonic, signal);
      const fault = clockFault(leastLead(reading, hostClocks.system()));
      if (fault !== undefined) throw new Error(fault);
      await recordAct(domain, { action: "clock.accept" }, () => databaseClock.acceptNow(signal));
      return { acceptedAt: new Date(reading.time), step };
    }),
  );
}
