// Which chains the audit log has. The records themselves say so: a list beside them could be edited without a trace.
import { v7 as uuidv7 } from "uuid";
import type { AuditStore } from "./audit-port.ts";
import type { ChainHead } from "./record.ts";

/** Sorts before the id of every chain. */
export const beforeAllChains = "00000000-0000-0000-0000-000000000000";

/** The last record of each chain whose id is greater than `after`, the oldest chain first. */
export async function* chainHeads(
  audit: Pick<AuditStore, "findHeadAfter">,
  after: string,
  signal: AbortSignal,
): AsyncGenerator<ChainHead> {
  for (let last = after; ; ) {
    const head = await audit.findHeadAfter(last, signal);
    if (head === undefined) return;
    yield head;
    last = head.writer;
  }
}

/** Chains that begin at the time or later have greater ids, chains that began earlier have lower ones (UUIDv7). */
export function firstChainAt(time: number): string {
  return uuidv7({ msecs: time, random: new Uint8Array(16) });
}
