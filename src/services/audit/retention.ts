// Deletes audit records when their retention is over. An anchor names the chains before they are removed, so that a
// removal by anybody else is noticed.

import { chainLifetimeMs } from "../../domain/audit/trail.ts";
import { dayMs } from "../../kernel/timers.ts";
import type { Needs } from "../dependencies.ts";
import { type AnchorDeps, addAnchor } from "./anchors.ts";
import { beforeAllChains, chainHeads, firstChainAt, walkAnchors } from "./walk.ts";

/**
 * Removes chains whose last record is older than the given days, and the anchors that hold nothing else, batch by batch,
 * until none is left or the signal aborts. Throws if the anchors that it relies on were edited: otherwise somebody could
 * write an old time into an anchor and have the service remove records and sign for it.
 */
export async function expireAudit(
  deps: AnchorDeps & Needs<"clock">,
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  const { audit, batchSizes, clock } = deps;
  const { auditRecords: size } = batchSizes;
  const chainsBefore = new Date(clock() - retentionDays * dayMs - chainLifetimeMs);
  // An anchor that marks a chain as ended is younger than every record of that chain by that time.
  const anchorsBefore = new Date(chainsBefore.getTime() - chainLifetimeMs);
  while (!signal.aborted) {
    const ended = await chainsBegunBefore(deps, chainsBefore, signal);
    const { oldest, first } = await anchorsToKeep(deps, anchorsBefore, signal);
    if (ended.length === 0 && oldest >= first) return;
    // Another process may be removing them too.
    if ((await addAnchor(deps, { heads: [], ended, first }, signal)) === undefined) return;
    for (const writer of ended) {
      while (!signal.aborted && (await audit.removeRecords(writer, size, signal)) === size);
    }
    while (!signal.aborted && (await audit.removeAnchors(first, size, signal)) === size);
    if (ended.length < batchSizes.auditChains) return;
  }
}

/** The oldest chains, as many as one anchor names. Their ids, which are part of each of their hashes, begin with the time. */
async function chainsBegunBefore(
  { audit, batchSizes }: AnchorDeps,
  time: Date,
  signal: AbortSignal,
): Promise<string[]> {
  const end = firstChainAt(time.getTime());
  const writers: string[] = [];
  for await (const { writer } of chainHeads(audit, beforeAllChains, signal)) {
    if (writer >= end || writers.length === batchSizes.auditChains) break;
    writers.push(writer);
  }
  return writers;
}

/**
 * The numbers of the oldest anchor, and of the first one to keep: the last that is older than every remaining chain, and
 * whose hash and signature are valid. So those before it are older still. 0: none can be removed.
 */
async function anchorsToKeep(deps: AnchorDeps, time: Date, signal: AbortSignal) {
  let [oldest, first, last] = [0, 0, 0];
  for await (const { anchor, state } of walkAnchors(deps, undefined, signal)) {
    const { sequence, at } = anchor;
    if (state === "changed")
      throw new Error(`the anchor ${sequence} of the audit log was changed after it was written`);
    if (oldest === 0) oldest = sequence;
    first = last;
    if (at >= time) break;
    if (state === "written") last = sequence;
  }
  return { oldest, first };
}
