// Keeps the audit log as long as it is promised, and no longer. An anchor names what is removed before it is, so that
// nobody else can remove anything unseen.

import { dayMs } from "../../kernel/timers.ts";
import { earlierBy, type TrustedClock, type TrustedTime } from "../trusted-clock.ts";
import { type AnchorDeps, addAnchor, anchorHash, anchorsStart, isSigned, maxAnchored } from "./anchors.ts";
import type { Anchor } from "./audit-port.ts";
import { beforeAllChains, chainHeads, firstChainAt } from "./chains.ts";
import { chainLifetimeMs } from "./trail.ts";
import { isSame, pageSize, pages } from "./verify-anchors.ts";

const batch = 1_000;

/**
 * Removes chains whose last record is older than so many days, and the anchors that hold nothing else, batch by batch,
 * until none is left or the signal aborts. Throws if the anchors it goes by were touched: else whoever writes an old
 * time into a new anchor would have the service remove it, and vouch for it. Throws `ClockDoubted`.
 */
export async function expireAudit(
  deps: AnchorDeps & { readonly trustedClock: TrustedClock },
  retentionDays: number,
  signal: AbortSignal,
): Promise<void> {
  const { audit, trustedClock, mostAtOnce = batch } = deps;
  const chainsBefore = earlierBy(trustedClock.now(), retentionDays * dayMs + chainLifetimeMs);
  // An anchor that says that a chain has ended is younger than every record of it by that time.
  const anchorsBefore = earlierBy(chainsBefore, chainLifetimeMs);
  while (!signal.aborted) {
    const ended = await chainsBegunBefore(deps, chainsBefore, signal);
    const young = await audit.findFirstAnchorSince(anchorsBefore, signal);
    await requireUntouched(deps, young, signal);
    const first = await firstKept(deps, young, anchorsBefore, signal);
    if (!(await anchorRemoval(deps, ended, first, signal))) return;
    for (const writer of ended) {
      do trustedClock.now();
      while (!signal.aborted && !(await audit.removeRecords(writer, mostAtOnce, signal)));
    }
    while (!signal.aborted && (await audit.removeAnchors(first, mostAtOnce, signal)) === mostAtOnce);
    if (ended.length < (deps.mostAtOnce ?? maxAnchored)) return;
  }
}

/** The oldest chains, as many as one anchor names. Their ids, which every hash of theirs holds, begin with the time. */
async function chainsBegunBefore(
  { audit, mostAtOnce = maxAnchored }: AnchorDeps,
  time: TrustedTime,
  signal: AbortSignal,
): Promise<string[]> {
  const end = firstChainAt(time.getTime());
  const writers: string[] = [];
  for await (const { writer } of chainHeads(audit, beforeAllChains, signal)) {
    if (writer >= end || writers.length === mostAtOnce) break;
    writers.push(writer);
  }
  return writers;
}

/**
 * The number of the first anchor that stays: the last one that is older than every chain that stays. Anchors before it
 * go only if it is what was written, by its hash and its signature: then they are older still. 0: none can go.
 * @param young the first anchor that is not as old
 */
async function firstKept(
  { audit, auditKeys }: AnchorDeps,
  young: number,
  time: Date,
  signal: AbortSignal,
): Promise<number> {
  const [before, old] = await audit.listAnchors(Math.max(0, young - 3), 2, signal);
  const isOld =
    before?.sequence === young - 2 &&
    old?.sequence === young - 1 &&
    old.at < time &&
    isSame(anchorHash(before.hash, old), old.hash) &&
    isSigned(old, auditKeys);
  return isOld ? old.sequence : 0;
}

/** The anchors that are removed, and the one after them, follow each other, from the start if that is still there. */
async function requireUntouched({ audit }: AnchorDeps, first: number, signal: AbortSignal): Promise<void> {
  let before: Anchor | undefined;
  for await (const anchor of pages((after) => audit.listAnchors(after, pageSize, signal))) {
    const { sequence, hash } = anchor;
    if (sequence > first) return;
    const hashBefore = sequence === 1 ? anchorsStart : before?.hash;
    if (hashBefore !== undefined && !isSame(anchorHash(hashBefore, anchor), hash)) {
      throw new Error(`the anchor ${sequence} of the audit log is not what was written`);
    }
    before = anchor;
  }
}

/** False: there is nothing to remove, or another process is at it. */
async function anchorRemoval(
  deps: AnchorDeps,
  ended: readonly string[],
  first: number,
  signal: AbortSignal,
): Promise<boolean> {
  const [oldest] = await deps.audit.listAnchors(0, 1, signal);
  if (ended.length === 0 && (oldest === undefined || oldest.sequence >= first)) return false;
  return (await addAnchor(deps, { heads: [], ended, first }, signal)) !== undefined;
}
